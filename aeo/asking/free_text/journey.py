"""Where a journey begins, stops and ends, from the places of a sentence and the words around them.

Called by `aeo.asking.free_text.sentence`.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from aeo.asking.free_text.items import WELL_KNOWN, Item, is_code
from aeo.asking.free_text.pairs import one_place
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.understood import Choice
from aeo.asking.free_text.vocabulary import Role, every_word, vocabulary
from aeo.asking.names import places
from aeo.asking.names.places import KNOWN_BY_CODE, Place
from aeo.asking.names.scripts import script_of
from aeo.asking.names.suggestions import MOST, of_place
from rules.corpus import Published

TOWN = 100_000
"""The minimum population of a place whose name is typed with a capital letter and nothing beside it."""

_LONG_NAME = 5
_LONG_NAME_OF_OTHERS = 2
"""A name with so many letters, in scripts other than Latin, is rarely another word."""

_COMMAS = (",", "\u3001", "\uff0c")

_ASIDE = re.compile(r"[\s,\u3001(]*")
"""The text between a city and its country."""


class Journey(NamedTuple):
    """Where a journey begins, stops and ends. `unplaced` are places whose role the text leaves open."""

    origin: Choice | None
    stops: tuple[Choice, ...]
    destination: Choice | None
    unplaced: tuple[Choice, ...]


class _Stay(NamedTuple):
    """A place of the journey and its role according to the words around it; `markers` are these words.

    `doubts` are names that were read as parts of this place, and may as well be stops of their own.
    """

    start: int
    end: int
    places: tuple[Place, ...]
    role: Role | None
    marked: bool
    markers: tuple[tuple[int, int], ...]
    doubts: tuple["_Stay", ...] = ()


class JourneyReader:
    """Reads the journey of one text."""

    def __init__(self, reading: Reading, release: Published, language: str) -> None:
        self.reading = reading
        self.release = release
        self.language = language
        self.words = vocabulary()

    def read(self, items: Sequence[Item]) -> Journey:
        """Return where the journey begins, stops and ends, and what the text leaves open."""
        stays = self._stays(items)
        for stay in stays:
            for start, end in (*stay.markers, (stay.start, stay.end)):
                self.reading.take(start, end, "place")
        journey = self._within(stays)
        doubts = (self._place(doubt) for stay in stays for doubt in stay.doubts)
        return journey._replace(unplaced=(*journey.unplaced, *doubts))

    def _stays(self, items: Sequence[Item]) -> list[_Stay]:
        """Return the places of the journey in their order, with the roles that the words around them give."""
        stays: list[_Stay] = []
        for number, item in enumerate(items):
            if item.kind != "place":
                continue
            role, markers = self._role(items, number)
            if stays and (merged := self._same(stays[-1], item, role, markers)):
                stays[-1] = merged
                continue
            marked = role is not None or self._is_joined(items, number)
            stays.append(_Stay(item.start, item.end, item.value, role, marked, markers))
        kept = []
        for number, stay in enumerate(stays):
            if stay.marked or self._is_known(stay):
                kept.append(stay)
                continue
            followed = number + 1 < len(stays) and stays[number + 1].marked
            adjacent = any(self._is_adjacent(stay, other) for other in stays[max(0, number - 1) : number + 2])
            if not (followed or adjacent or self._is_certain(stay)):
                continue
            if self._is_large_code(stays, number) or not _is_word(self._text(stay)):
                doubts = () if self._is_sure(stays, number, adjacent=adjacent) else (stay,)
                kept.append(stay._replace(doubts=(*stay.doubts, *doubts)))
        return kept

    def _is_joined(self, items: Sequence[Item], number: int) -> bool:
        """Tell whether a dash or an arrow joins a place to another one.

        "Cut-off" and "- fat -" are no routes. A name that is also a word needs one beside it that is none.
        """
        item = items[number]
        pairs = [(items[number - 1], item)] if number else []
        pairs += [(item, items[number + 1])] if number + 1 < len(items) else []
        for first, second in pairs:
            other = first if second is item else second
            if other.kind == "place" and self.reading.is_route(first.end, second.start):
                texts = (self.reading.text[one.start : one.end] for one in (item, other))
                if not all(map(_is_word, texts)):
                    return True
        return False

    def _text(self, stay: _Stay) -> str:
        return self.reading.text[stay.start : stay.end]

    def _is_known(self, stay: _Stay) -> bool:
        """Tell whether a stretch is the name of a country or of a very large city, and not a code."""
        best = stay.places[0]
        large = best.kind == "country" or (best.kind == "city" and best.population >= WELL_KNOWN)
        return large and not is_code(best, self._text(stay))

    def _is_large_code(self, stays: Sequence[_Stay], number: int) -> bool:
        """Tell whether a name is the code of a large city beside another code: `DXB SIN`."""
        place = stays[number].places[0]
        large = place.population >= KNOWN_BY_CODE and is_code(place, self._text(stays[number]))
        return large and self._beside_code(stays, number)

    def _beside_code(self, stays: Sequence[_Stay], number: int) -> bool:
        """Tell whether nothing but space separates a place from a code."""
        stay = stays[number]
        around = [*stays[max(0, number - 1) : number], *stays[number + 1 : number + 2]]
        beside = [one for one in around if self._touches(*sorted((stay, one)))]
        return bool(beside) and all(is_code(one.places[0], self._text(one)) for one in beside)

    def _touches(self, first: _Stay, second: _Stay) -> bool:
        return not self.reading.between(first.end, second.start).strip()

    def _is_sure(self, stays: Sequence[_Stay], number: int, *, adjacent: bool) -> bool:
        """Tell whether a place without a word such as "from" needs no confirmation.

        A code may be another abbreviation (LED, PPS), unless it stands beside another code. A small place may
        be another word (Rost), unless it stands beside another place or the word before that.
        """
        stay = stays[number]
        if is_code(stay.places[0], self._text(stay)):
            return self._beside_code(stays, number)
        following = stays[number + 1] if number + 1 < len(stays) else None
        leads = following is not None and any(
            start >= stay.end and not self.reading.between(stay.end, start).strip()
            for start, _ in following.markers
        )
        people = stay.places[0].population
        return adjacent or leads or people >= (TOWN if self._is_certain(stay) else KNOWN_BY_CODE)

    def _is_adjacent(self, stay: _Stay, other: _Stay) -> bool:
        """Tell whether a longer name of a place with an airport is right next to another place."""
        first, second = sorted((stay, other))
        end = max(first.end, *(end for _, end in first.markers), first.end)
        latin = script_of(self.reading.text[stay.start]) == "l"
        return (
            first != second
            and not self.reading.between(end, second.start).strip()
            and stay.end - stay.start >= (_LONG_NAME if latin else _LONG_NAME_OF_OTHERS)
            and any(place.codes for place in stay.places)
        )

    def _role(self, items: Sequence[Item], number: int) -> tuple[Role | None, tuple[tuple[int, int], ...]]:
        """Return the role that the words around a place give it, and these words."""
        behind = self._behind(items, number)
        if behind[0] is not None:
            return behind
        return self._ahead(items, number)

    def _behind(self, items: Sequence[Item], number: int) -> tuple[Role | None, tuple[tuple[int, int], ...]]:
        markers: list[tuple[int, int]] = []
        end = items[number].end
        for other in items[number + 1 : number + 3]:
            word = self.reading.text[other.start : other.end]
            if self.reading.between(end, other.start).strip():
                break
            if other.kind == "after" or (markers and word in self.words.after):
                return self.words.after[word], (*markers, (other.start, other.end))
            if word not in self.words.airports:
                break
            markers.append((other.start, other.end))
            end = other.end
        return None, tuple(markers)

    def _ahead(self, items: Sequence[Item], number: int) -> tuple[Role | None, tuple[tuple[int, int], ...]]:
        markers: list[tuple[int, int]] = []
        start = items[number].start
        for other in reversed(items[max(0, number - 2) : number]):
            word = self.reading.text[other.start : other.end]
            if self.reading.between(other.end, start).strip(" '\u2019"):
                break
            if other.kind == "before" and other.value:
                return other.value, (*markers, (other.start, other.end))
            if word not in self.words.articles and word not in self.words.airports:
                break
            markers.append((other.start, other.end))
            start = other.start
        return None, ()

    def _same(
        self, stay: _Stay, item: Item, role: Role | None, markers: tuple[tuple[int, int], ...]
    ) -> _Stay | None:
        """Return a city and its country, or its airport, as one place."""
        between = self.reading.between(stay.end, item.start)
        if not _ASIDE.fullmatch(between) or (role and stay.role and role != stay.role):
            return None
        if stay.role is None and role is not None and _before_marker(self.reading.text, stay.end, item.start):
            return None
        if stay.places == item.value and not between.strip():
            return None
        words = self.reading.text[stay.start : stay.end], self.reading.text[item.start : item.end]
        pair = one_place(stay.places, item.value, words)
        if pair is None:
            return None
        doubts = stay.doubts
        is_doubtful = not pair.sure or (pair.elsewhere and stay.role is None)
        if is_doubtful and "(" not in between:
            doubts = (*doubts, _Stay(item.start, item.end, item.value, role, False, ()))
        around = (*stay.markers, *markers)
        return _Stay(stay.start, item.end, pair.places, role or stay.role, True, around, doubts)

    def _is_certain(self, stay: _Stay) -> bool:
        """Tell whether a stretch is surely a place even if no word next to it says so."""
        best = stay.places[0]
        if best.kind == "country" or best.population >= WELL_KNOWN:
            return True
        text = self.reading.text[stay.start : stay.end]
        if text.isascii() or script_of(text[0]) == "l":
            return self._looks_like_name(stay.start)
        return len(text) > 2

    def _looks_like_name(self, at: int) -> bool:
        letter = self.reading.folded.source[self.reading.folded.at[at]]
        return (
            not letter.isascii()
            or (letter.isupper() and at > 0 and not self.reading.shouting)
            or letter.isdecimal()
        )

    def _within(self, stays: list[_Stay]) -> Journey:
        """Return the journey. If the flight stays within one country, that is both of its ends."""
        inside = [self._place(stay) for stay in stays if stay.role == "within"]
        if not inside:
            return self._journey(stays)
        others = [stay for stay in stays if stay.role != "within"]
        countries = {one.value for one in (*inside, *map(self._place, others))}
        if len(countries) > 1:
            return Journey(None, (), None, tuple(map(self._place, stays)))
        return self._journey(others) if others else Journey(inside[0], (), inside[0], ())

    def _journey(self, stays: list[_Stay]) -> Journey:
        roles: list[Role | None] = [stay.role for stay in stays]
        begin = next((at for at, role in enumerate(roles) if role == "from"), None)
        ends = [at for at, role in enumerate(roles) if role == "to"]
        free = [at for at, role in enumerate(roles) if role is None]
        end = ends[-1] if ends else None
        if end is not None and begin is None and free and free[0] < end:
            begin = free[0]
        if end is None and free and (begin is not None or len(free) > 1):
            end = free[-1] if free[-1] != begin else None
        elif end is not None and free and free[-1] > end and self._joined(stays, end, free[-1]):
            # From Dubai to Istanbul-London: the last place of a chain is the end.
            end = free[-1]
        if begin is None and end is not None and len(free) > 1:
            begin = free[0]
        if begin is not None and begin == end:
            end = None
        stops, open_ = [], []
        for at, role in enumerate(roles):
            if at in (begin, end):
                continue
            between = begin is not None and end is not None and (begin < at < end)
            if role is None and between and self._may_distinguish(stays, at):
                open_.append(at)
            elif role == "via" or (role in (None, "to") and between):
                stops.append(at)
            else:
                open_.append(at)
        return self._without_repeats(stays, begin, stops, end, open_)

    def _without_repeats(
        self, stays: Sequence[_Stay], begin: int | None, stops: list[int], end: int | None, open_: list[int]
    ) -> Journey:
        """Return the journey. A flight that ends where it begins is left open; a way back is set aside."""
        way = [at for at in (begin, *stops, end) if at is not None]
        again = {at for before, at in pairwise(way) if _is_same(stays[before], stays[at])}
        for number, at in enumerate(way):
            if not again and any(_is_same(stays[before], stays[at]) for before in way[:number]):
                self.reading.set_aside(stays[at].start, stays[at].end, "return")
        choice = self._place
        return Journey(
            choice(stays[begin]) if begin is not None else None,
            tuple(choice(stays[at]) for at in stops if at not in again),
            choice(stays[end]) if end is not None and end not in again else None,
            tuple(choice(stays[at]) for at in sorted({*open_, *again})),
        )

    def _may_distinguish(self, stays: Sequence[_Stay], at: int) -> bool:
        """Tell whether a place after a comma may only say which city is meant: London, Ontario to Rome."""
        before = self.reading.between(stays[at - 1].end, stays[at].start).strip()
        return before in _COMMAS and stays[at + 1].role == "to"

    def _joined(self, stays: list[_Stay], first: int, last: int) -> bool:
        pairs = zip(stays[first:last], stays[first + 1 : last + 1], strict=True)
        return all(self.reading.is_route(one.end, other.start) for one, other in pairs)

    def _place(self, stay: _Stay) -> Choice:
        if any(place.kind == "country" and place.codes for place in stay.places):
            stay = self._without_country_of_an_airport(stay)
        offered = dict.fromkeys(of_place(self.release, place, self.language) for place in stay.places)
        words = self.reading.folded.shown(stay.start, stay.end)
        return Choice(words, places.meant(stay.places), tuple(offered)[:MOST])

    def _without_country_of_an_airport(self, stay: _Stay) -> _Stay:
        """Return a place of three letters; if a word next to it says that it is an airport, only as that."""
        before, after = (
            self.reading.text[: stay.start].rstrip(" ("),
            self.reading.text[stay.end :].lstrip(" ("),
        )
        for word in map(re.escape, self.words.airports):
            if re.search(rf"(?<![a-z]){word}$", before) or re.match(rf"{word}(?![a-z])", after):
                return stay._replace(places=tuple(one for one in stay.places if one.kind == "airport"))
        return stay


def _is_word(text: str) -> bool:
    """Tell whether a name of a place is also a word that may say something else: `split`, `SIX`, `CCC`."""
    return text in places.ordinary_words() or text in every_word()


def _is_same(first: _Stay, second: _Stay) -> bool:
    """Tell whether two names surely mean one place: the same name, or a city and its airport."""
    if first.places == second.places:
        return True
    kinds = {place.kind for place in (*first.places, *second.places)}
    return "country" not in kinds and one_place(first.places, second.places, ("", "")) is not None


def _before_marker(text: str, end: int, start: int) -> bool:
    """Tell whether words stand between two places, such as those that give the second one's position."""
    return bool(text[end:start].strip())
