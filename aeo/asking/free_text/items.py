"""The things that a sentence names one after another: airlines, places, bags, days and small words.

Called by `aeo.asking.free_text.sentence`, after models and numbers.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from aeo.asking.free_text.model_index import APOSTROPHES, LETTERS, VARIANTS
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.vocabulary import MILD, strict_words, vocabulary
from aeo.asking.free_text.vocabulary import Kind as MeaningKind
from aeo.asking.names import airlines, places
from aeo.asking.names.folding import Folded
from aeo.asking.names.places import KNOWN_BY_CODE, Place
from aeo.asking.names.scripts import script_of
from rules.corpus import Published

_FLIGHT = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]|[0-9][A-Z])(?: ?[0-9]{1,4})?(?![A-Za-z0-9])")
_FLIGHT_LETTERS = 7
_CODE_LETTERS = 3
_WORDS_IN_NAME = 7
_LETTERS_IN_NAME = 60
_CJK_IN_NAME = 18
_CITY = 300_000
"""The minimum population of a place that a code in small letters names."""

WELL_KNOWN = 1_000_000
"""The minimum population of a place whose name is typed like any other word."""

_ENDS_CLAUSE = re.compile(
    r"[.,;:!?()\[\]/_\"\u201c\u201d\u201e\u00ab\u00bb\u00b7\u2014\u2022\u2026\u3001\u3002]"
    r"|\s[-\u2010-\u2013]|[-\u2010-\u2013]\s"
)
"""Signs that end a clause: "Not. Damaged" does not say "not damaged". A hyphen inside a word ends none."""

_PARTED = re.compile(r"[\W_]{0,3}")
"""The text between the parts of one word."""

_MOST_PARTS = 5

_YEAR = re.compile(r"20[0-9]{2}")
"""A year without a day."""

_SHORT_COUNTRIES = frozenset(("us", "uk"))

Kind = Literal["airline", "flight", "place", "before", "after", "unit", "filler"] | MeaningKind


_SMALL = frozenset(("before", "after"))


class Item(NamedTuple):
    """One thing in the text."""

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
        self.words = vocabulary()

    def read(self) -> list[Item]:
        """Return the things in their order. Small words count as used; the next readers use the others."""
        items = list(self._items())
        for item in items:
            if item.kind == "unit":
                self.reading.take(item.start, item.end, "unit")
            elif item.kind == "filler" or (
                item.kind in _SMALL and self.reading.text[item.start : item.end] in self.words.fillers
            ):
                # A word such as "of" belongs to a place, or says nothing.
                self.reading.take(item.start, item.end, "filler")
        self._set_aside_parts(items)
        return items

    def _set_aside_parts(self, items: Sequence[Item]) -> None:
        """Set small words aside that are parts of another word or name: "re-called", "New Jersey"."""
        for at, item in enumerate(items):
            if item.kind not in _SMALL | {"filler"}:
                continue
            following = items[at + 1] if at + 1 < len(items) else None
            if following and following.kind == "place":
                word = self.words.determiners.get(self.reading.text[item.start : item.end])
                if word == "new" and _PARTED.fullmatch(self.reading.between(item.end, following.start)):
                    self.reading.set_aside(item.start, item.end)
            end = self._end_of_parts(items[at : at + _MOST_PARTS])
            if end is not None:
                self.reading.set_aside(item.start, end)

    def _end_of_parts(self, items: Sequence[Item]) -> int | None:
        """Return where small words end that are one strict word together; None if they are none."""
        joined, last = "", None
        for item in items:
            if last and not _PARTED.fullmatch(self.reading.between(last.end, item.start)):
                return None
            if item.kind not in _SMALL | {"filler"}:
                return None
            joined += self.reading.text[item.start : item.end].replace(" ", "")
            if last and joined in strict_words():
                return item.end
            last = item
        return None

    def _items(self) -> Iterator[Item]:
        at, size = 0, len(self.reading.text)
        before: Item | None = None
        while at < size:
            if self.reading.is_taken(at, at + 1) or self.reading.text[at] == " ":
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
        """Return what a stretch is. The most specific meaning comes first."""
        shown = self.reading.folded.shown(at, end)
        short = len(stretch) <= _CODE_LETTERS and stretch.isascii()
        led = joined = is_code = False
        if short or places.is_name(stretch, self.of_record):
            led = before is not None and before.kind == "before" and not self._apart(before, at)
            led = led or (
                script_of(stretch[-1]) == "g" and self.reading.text.startswith(_korean_after(), end)
            )
            joined = self.reading.joined_to_route(at, end)
            is_code = short and shown.isupper() and (joined or led or not self.reading.shouting)
        if airline := self._airline(stretch, shown, is_code=is_code):
            return airline
        words = self.words
        if before and before.kind == "place" and stretch in words.after and not self._apart(before, at):
            return "after", words.after[stretch]
        found = self._places(stretch, shown, sure=joined or is_code, led=led)
        small = all(place.population < KNOWN_BY_CODE for place in found)
        says_else = small and (stretch in words.meanings or stretch in words.numbers)
        if found and is_code and (joined or led or not says_else):
            return "place", found
        if _YEAR.fullmatch(stretch):
            return "signal", "when"
        meaning = words.meanings.get(stretch)
        if meaning and not (meaning in MILD and _ENDS_CLAUSE.search(shown)):
            return meaning.kind, meaning.value
        if found and stretch not in words.fillers and stretch not in words.before:
            return "place", found
        if stretch in words.particles and self.reading.text[at - 1 : at].strip():
            return "filler", None
        if stretch in words.fillers and (
            (" " in stretch and _ENDS_CLAUSE.search(shown)) or self._is_variant(stretch, shown, end)
        ):
            # "Flight in May, I have …" has no "may I", and "SE" or "C" may be a part of a name.
            return None
        return self._small(stretch)

    def _is_variant(self, stretch: str, shown: str, end: int) -> bool:
        """Tell whether capitals show that a small word may distinguish models."""
        if self.reading.shouting or not shown.isupper() or self.reading.sign_behind(end) in APOSTROPHES:
            return False
        return stretch in VARIANTS or stretch in LETTERS

    def _airline(self, stretch: str, shown: str, *, is_code: bool) -> tuple[Kind, Any] | None:
        """Return the airlines of a name or a code, or the airline of a flight number."""
        codes = _airline_names(self.release).get(stretch)
        if codes and (len(stretch) > _CODE_LETTERS or not stretch.isascii() or is_code):
            return "airline", codes
        if (
            len(shown) <= _FLIGHT_LETTERS
            and _FLIGHT.fullmatch(shown)
            and (not self.reading.shouting or any(map(str.isdigit, shown[2:])))
        ):
            code = shown[:2]
            if code in self.release.shelf.airlines:
                return ("flight" if shown[2:] else "airline"), frozenset((code,))
        return None

    def _small(self, stretch: str) -> tuple[Kind, Any] | None:
        """Return what a small word is, if it names nothing."""
        words = self.words
        if stretch in words.before:
            return "before", words.before[stretch]
        if stretch in words.power_bank or stretch in words.power_banks:
            return "unit", None
        if stretch in words.fillers:
            return "filler", None
        if stretch in words.airports or stretch in words.articles or stretch in words.after:
            # Used if they belong to a place, and by nothing else.
            return "before", None
        return None

    def _apart(self, before: Item, at: int) -> bool:
        """Tell whether anything but space separates a thing from what follows it."""
        return bool(self.reading.between(before.end, at).strip())

    def _places(self, stretch: str, shown: str, *, sure: bool, led: bool) -> tuple[Place, ...]:
        """Return the places that a stretch names. A code counts only if its spelling shows that it is one.

        `sure`: the code is in capitals or in a route. `led`: the word follows one such as "from".
        """
        if stretch.isdecimal() or not places.is_name(stretch, self.of_record):
            return ()
        found = places.named(stretch, self.countries, self.of_record)
        if len(stretch) == 1:
            # 빈 is Vienna if a particle shows that it is a place.
            return tuple(place for place in found if led and place.population >= WELL_KNOWN)
        if stretch.isascii() and len(stretch) < _CODE_LETTERS:
            found = found if stretch in _SHORT_COUNTRIES and shown.isupper() else []
        elif stretch.isascii() and len(stretch) == _CODE_LETTERS and not sure:
            capital = shown[:1].isupper() and not self.reading.shouting
            # "from fra" may be Frankfurt, and France: both stay, so the page asks.
            unclear = led and any(place.kind == "country" and place.codes for place in found)
            found = [
                place
                for place in found
                if unclear or (capital and not is_code(place, stretch)) or (led and place.population >= _CITY)
            ]
        elif stretch.isascii() and len(stretch) == _CODE_LETTERS:
            found = [place for place in found if stretch.upper() in place.codes] or found
        return tuple(found)

    def _ends(self, at: int) -> Iterator[int]:
        """Yield where a stretch that starts here may end, the farthest first."""
        text = self.reading.text
        limit = at + (_LETTERS_IN_NAME if script_of(text[at]) == "l" else _CJK_IN_NAME)
        stop = self.reading.free_until(at, min(len(text), limit))
        ends, words = [], 0
        for end in range(at + 1, stop + 1):
            if text[end - 1] == " ":
                words += 1
                if words >= _WORDS_IN_NAME:
                    break
            elif end == len(text) or self.reading.is_taken(end, end + 1) or self._ends_word(end):
                ends.append(end)
        yield from reversed(ends)

    def _begins_word(self, at: int, before: Item | None) -> bool:
        if at == 0 or self.reading.is_taken(at - 1, at) or (before and before.end == at):
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
        """Return where reading goes on after a stretch that names nothing."""
        script = script_of(self.reading.text[at])
        end = at + 1
        while (
            end < len(self.reading.text)
            and not self.reading.is_taken(end, end + 1)
            and script_of(self.reading.text[end]) == script
        ):
            if script in "ch" and self._longest(end, None):
                break
            end += 1
        return end


def is_code(place: Place, stretch: str) -> bool:
    """Tell whether a stretch is a code of a place, and not its name."""
    return stretch.upper() in place.codes and Folded(place.name).text != stretch


@functools.lru_cache(maxsize=1)
def _airline_names(release: Published) -> dict[str, frozenset[str]]:
    """Return the airlines of each folded name."""
    named: dict[str, set[str]] = {}
    for airline in release.shelf.airlines.values():
        for name in airlines.spellings(airline.airline, airline.name):
            named.setdefault(name, set()).add(airline.airline)
            if airlines.certain(release, short := airlines.short(name)):
                named.setdefault(short, set()).add(airline.airline)
    return {name: frozenset(codes) for name, codes in named.items()}


@functools.cache
def _korean_after() -> tuple[str, ...]:
    return tuple(phrase for phrase in vocabulary().after if len(phrase) > 1 and script_of(phrase[0]) == "g")


@functools.cache
def _after_korean() -> tuple[str, ...]:
    hangul = [phrase for phrase in vocabulary().after if script_of(phrase[0]) == "g"]
    return tuple(sorted({*hangul, *vocabulary().particles}, key=len, reverse=True))
