"""Where a journey begins, stops and ends, from the places of a sentence.

`stays` finds the places and their roles, `certainty` those that are surely meant. Called by
`aeo.asking.free_text.sentence`.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from aeo.asking.free_text.certainty import COMMAS, Certainty
from aeo.asking.free_text.items import Item
from aeo.asking.free_text.pairs import one_place
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.stays import Stay, StayReader
from aeo.asking.free_text.understood import Choice
from aeo.asking.free_text.vocabulary import Role, vocabulary
from aeo.asking.names import places
from aeo.asking.names.suggestions import MOST, of_place
from rules.corpus import Published

_NAMESAKE = 50_000
"""The minimum population of a place that may be meant instead of a far larger one with its name."""

_STATE_LETTERS = 2


class Journey(NamedTuple):
    """Where a journey begins, stops and ends. `unplaced` are places whose role the text leaves open."""

    origin: Choice | None
    stops: tuple[Choice, ...]
    destination: Choice | None
    unplaced: tuple[Choice, ...]


class JourneyReader:
    """Reads the journey of one text."""

    def __init__(self, reading: Reading, release: Published, language: str, airline: str | None) -> None:
        self.reading = reading
        self.release = release
        self.language = language
        self.words = vocabulary()
        self.home = release.shelf.airlines[airline].country if airline else None
        self.stays: Sequence[Stay] = ()

    def read(self, items: Sequence[Item]) -> Journey:
        """Return where the journey begins, stops and ends, and what the text leaves open."""
        self.stays = stays = Certainty(self.reading).of_journey(StayReader(self.reading).read(items))
        for stay in stays:
            for start, end in (*stay.markers, (stay.start, stay.end)):
                self.reading.take(start, end, "place")
        for stay in stays:
            self._set_state_aside(stay, items)
        journey = self._within(stays)
        doubts = (self._place(doubt) for stay in stays for doubt in stay.doubts)
        return journey._replace(unplaced=(*journey.unplaced, *doubts))

    def _set_state_aside(self, stay: Stay, items: Sequence[Item]) -> None:
        """Set two capitals right behind a place aside: "Canton, MI" is no place in China."""
        item = next((one for one in items if one.start >= stay.end), None)
        if item is None or item.kind not in {"filler", "before", "after"} or self.reading.shouting:
            return
        shown = self.reading.folded.shown(item.start, item.end)
        between = self.reading.between(stay.end, item.start).strip(" (")
        if len(shown) == _STATE_LETTERS and shown.isascii() and shown.isupper() and between in {"", *COMMAS}:
            self.reading.set_aside(item.start, item.end, "place")

    def _within(self, stays: list[Stay]) -> Journey:
        """Return the journey. If the flight stays within one country, that is both of its ends."""
        inside = [self._place(stay) for stay in stays if stay.role == "within"]
        if not inside:
            return self._journey(stays)
        others = [stay for stay in stays if stay.role != "within"]
        countries = {one.value for one in (*inside, *map(self._place, others))}
        if len(countries) > 1:
            return Journey(None, (), None, tuple(map(self._place, stays)))
        return self._journey(others) if others else Journey(inside[0], (), inside[0], ())

    def _journey(self, stays: list[Stay]) -> Journey:
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
        self, stays: Sequence[Stay], begin: int | None, stops: list[int], end: int | None, open_: list[int]
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

    def _may_distinguish(self, stays: Sequence[Stay], at: int) -> bool:
        """Tell whether a place after a comma may only say which city is meant: London, Ontario to Rome."""
        before = self.reading.between(stays[at - 1].end, stays[at].start).strip()
        return before in COMMAS and stays[at + 1].role == "to"

    def _joined(self, stays: list[Stay], first: int, last: int) -> bool:
        pairs = zip(stays[first:last], stays[first + 1 : last + 1], strict=True)
        return all(self.reading.is_route(one.end, other.start) for one, other in pairs)

    def _place(self, stay: Stay) -> Choice:
        if any(place.kind == "country" and place.codes for place in stay.places):
            stay = self._without_country_of_an_airport(stay)
        offered = dict.fromkeys(of_place(self.release, place, self.language) for place in stay.places)
        words = self.reading.folded.shown(stay.start, stay.end)
        value = None if self._has_namesake_near(stay) else places.meant(stay.places)
        return Choice(words, value, tuple(offered)[:MOST])

    def _has_namesake_near(self, stay: Stay) -> bool:
        """Tell whether a place has a namesake in another country of the flight, or in the airline's.

        "Air Canada from Halifax to Sydney" may end in Canada.
        """
        meant = places.meant(stay.places)
        near = {self.home, *(places.meant(one.places) for one in self.stays if one.places != stay.places)}
        return any(
            place.kind == "city"
            and place.population >= _NAMESAKE
            and place.country in near
            and place.country != meant
            for place in stay.places
        )

    def _without_country_of_an_airport(self, stay: Stay) -> Stay:
        """Return a place of three letters; if a word next to it says that it is an airport, only as that."""
        before, after = (
            self.reading.text[: stay.start].rstrip(" ("),
            self.reading.text[stay.end :].lstrip(" ("),
        )
        for word in map(re.escape, self.words.airports):
            if re.search(rf"(?<![a-z]){word}$", before) or re.match(rf"{word}(?![a-z])", after):
                return stay._replace(places=tuple(one for one in stay.places if one.kind == "airport"))
        return stay


def _is_same(first: Stay, second: Stay) -> bool:
    """Tell whether two names surely mean one place: the same name, or a city and its airport."""
    if first.places == second.places:
        return True
    kinds = {place.kind for place in (*first.places, *second.places)}
    return "country" not in kinds and one_place(first.places, second.places, ("", "")) is not None
