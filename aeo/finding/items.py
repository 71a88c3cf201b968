"""The things that a sentence names one after the other: airlines, places, bags, days and small words.

Called by `aeo.finding.sentence`, when models and numbers are taken.
"""

import functools
import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from aeo.finding import airlines, places
from aeo.finding.folding import Folded
from aeo.finding.places import Place
from aeo.finding.reading import Reading
from aeo.finding.scripts import script_of
from aeo.finding.speech import speech
from rules.corpus import Published

_FLIGHT = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]|[0-9][A-Z])(?: ?[0-9]{1,4})?(?![A-Za-z0-9])")
_CODE_LETTERS = 3
_WORDS_IN_NAME = 7
_LETTERS_IN_NAME = 60
_CJK_IN_NAME = 18
_CITY = 300_000
"""So many people must live where a code in small letters leads."""

WELL_KNOWN = 1_000_000
"""So many people must live in a place whose name is typed like any other word."""

_SHORT_COUNTRIES = frozenset(("us", "uk"))

Kind = Literal["airline", "place", "bag", "before", "after", "day", "filler"]


class Item(NamedTuple):
    """One thing in the text that was read."""

    kind: Kind
    start: int
    end: int
    value: Any


class ItemReader:
    """Reads the things of one text from left to right."""

    def __init__(self, reading: Reading, release: Published) -> None:
        self.reading = reading
        self.release = release
        self.countries = release.corpus.countries
        self.of_record = places.by_record(self.countries)
        self.speech = speech()

    def read(self) -> list[Item]:
        """Return the things in their order; what could not be read is noted as left."""
        return list(self._items())

    def _items(self) -> Iterator[Item]:
        at, size = 0, len(self.reading.text)
        before: Item | None = None
        while at < size:
            if self.reading.taken[at] or self.reading.text[at] == " ":
                at += 1
                continue
            item = self._longest(at, before) if self._begins_word(at, before) else None
            if item is None:
                at = self._pass_over(at)
                continue
            yield item
            before, at = item, item.end

    def _longest(self, at: int, before: Item | None) -> Item | None:
        """Return the longest thing that starts here."""
        for end in self._ends(at):
            stretch = self.reading.text[at:end]
            if (kind_value := self._meaning(at, end, stretch, before)) is not None:
                return Item(kind_value[0], at, end, kind_value[1])
        return None

    def _meaning(self, at: int, end: int, stretch: str, before: Item | None) -> tuple[Kind, Any] | None:
        shown = self.reading.folded.shown(at, end)
        led = (
            before is not None
            and before.kind == "before"
            and not self.reading.between(before.end, at).strip()
        )
        led = led or (script_of(stretch[-1]) == "g" and self.reading.text[end:].startswith(_korean_after()))
        joined = self.reading.joined_to_route(at, end)
        is_code = (
            len(stretch) <= _CODE_LETTERS
            and stretch.isascii()
            and shown.isupper()
            and (joined or led or not self.reading.shouting)
        )
        codes = _airline_names(self.release).get(stretch)
        if codes and (len(stretch) > _CODE_LETTERS or not stretch.isascii() or is_code):
            return "airline", codes
        if _FLIGHT.fullmatch(shown) and (not self.reading.shouting or any(map(str.isdigit, shown[2:]))):
            code = shown[:2]
            if code in self.release.shelf.airlines:
                return "airline", frozenset((code,))
        words = self.speech
        small = stretch in words.fillers or stretch in words.before
        if stretch in words.bags:
            return "bag", words.bags[stretch]
        if (
            before
            and before.kind == "place"
            and stretch in words.after
            and not self.reading.between(before.end, at).strip()
        ):
            return "after", words.after[stretch]
        if (is_code or not small) and (
            found := self._places(stretch, shown, sure=joined or is_code, led=led)
        ):
            return "place", found
        if stretch in words.before:
            return "before", words.before[stretch]
        if stretch in words.days:
            return "day", words.days[stretch]
        if stretch in words.fillers or stretch in words.counted or stretch in words.after:
            return "filler", None
        if stretch in words.numbers and words.numbers[stretch] == 1:
            return "filler", None
        return None

    def _places(self, stretch: str, shown: str, *, sure: bool, led: bool) -> tuple[Place, ...]:
        """Return the places that a stretch names; a code only where its writing says that it is one.

        `sure` is a code in capitals or in a route; `led` is a word behind one such as "from".
        """
        if stretch.isdecimal():
            return ()
        found = places.named(stretch, self.countries, self.of_record)
        if len(stretch) == 1:
            # 빈 is Vienna, where a particle shows that it is a place.
            return tuple(place for place in found if led and place.population >= WELL_KNOWN)
        if stretch.isascii() and len(stretch) < _CODE_LETTERS:
            found = found if stretch in _SHORT_COUNTRIES and shown.isupper() else []
        elif stretch.isascii() and len(stretch) == _CODE_LETTERS and not sure:
            capital = shown[:1].isupper() and not self.reading.shouting
            found = [
                place
                for place in found
                if (capital and not _is_code(place, stretch)) or (led and place.population >= _CITY)
            ]
        return tuple(found)

    def _ends(self, at: int) -> Iterator[int]:
        """Yield where a stretch that starts here may end, the farthest first."""
        script = script_of(self.reading.text[at])
        ends = []
        limit = at + (_LETTERS_IN_NAME if script == "l" else _CJK_IN_NAME)
        words = 0
        for end in range(at + 1, min(len(self.reading.text), limit) + 1):
            if self.reading.taken[end - 1]:
                break
            if (
                end == len(self.reading.text)
                or self.reading.taken[end]
                or (self.reading.text[end - 1] != " " and self._ends_word(end))
            ):
                ends.append(end)
            if self.reading.text[end - 1] == " ":
                words += 1
                if words >= _WORDS_IN_NAME:
                    break
        yield from reversed([end for end in ends if self.reading.text[end - 1] != " "])

    def _begins_word(self, at: int, before: Item | None) -> bool:
        if at == 0 or self.reading.taken[at - 1] or (before and before.end == at):
            return True
        script = script_of(self.reading.text[at])
        return script in "ch" or script_of(self.reading.text[at - 1]) != script

    def _ends_word(self, end: int) -> bool:
        script, following = script_of(self.reading.text[end - 1]), script_of(self.reading.text[end])
        if script in "ch" or following != script:
            return True
        if script == "g":
            rest = self.reading.text[end:].split(" ", 1)[0]
            return rest.startswith(_after_korean())
        return False

    def _pass_over(self, at: int) -> int:
        """Note what could not be read, and return where reading goes on."""
        script = script_of(self.reading.text[at])
        end = at + 1
        while (
            end < len(self.reading.text)
            and not self.reading.taken[end]
            and script_of(self.reading.text[end]) == script
        ):
            if script == "c" and self._longest(end, None):
                break
            end += 1
        if script != "h":
            self.reading.left.append((at, end))
        return end


def _is_code(place: Place, stretch: str) -> bool:
    return stretch.upper() in place.codes and Folded(place.name).text != stretch


@functools.lru_cache(maxsize=1)
def _airline_names(release: Published) -> dict[str, frozenset[str]]:
    """Return the airlines of each folded name."""
    named: dict[str, set[str]] = {}
    for airline in release.shelf.airlines.values():
        for name in airlines.spellings(airline.airline, airline.name):
            named.setdefault(name, set()).add(airline.airline)
    return {name: frozenset(codes) for name, codes in named.items()}


@functools.cache
def _korean_after() -> tuple[str, ...]:
    return tuple(phrase for phrase in speech().after if len(phrase) > 1 and script_of(phrase[0]) == "g")


@functools.cache
def _after_korean() -> tuple[str, ...]:
    hangul = [phrase for phrase in speech().after if script_of(phrase[0]) == "g"]
    return tuple(sorted({*hangul, *speech().particles}, key=len, reverse=True))
