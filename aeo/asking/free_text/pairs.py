"""Whether two names of places next to each other are one place: a city and its country, or its airport.

Called by `aeo.asking.free_text.stays` and `journey`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aeo.asking.names import places
from aeo.asking.names.folding import fold
from aeo.asking.names.places import Place

_REGIONS = {
    "US": "Arkansas, Delaware, Georgia, Géorgie, ジョージア, 조지아, 喬治亞, Indiana, Nevada, Virginia",
    "CA": "Ontario, オンタリオ, 온타리오, 安大略",
}
REGIONS: Mapping[str, str] = {
    fold(name): country for country, names in _REGIONS.items() for name in names.split(", ")
}
"""The countries of states and provinces whose names are also those of other places."""

LARGE = 300_000
"""The minimum population of a city that may be meant although another one has its name."""

NAMED_WITH: Mapping[str, str] = {"HK": "CN", "MO": "CN", "TW": "CN"}
"""Places with a code of their own that some travelers name together with a country: 中国香港."""


class Pair(NamedTuple):
    """The places that two names may name together. Unless `sure`, they may as well be two stops.

    `elsewhere`: the name of the city also names a large city of another country.
    """

    places: tuple[Place, ...]
    sure: bool
    elsewhere: bool = False


def one_place(first: Sequence[Place], second: Sequence[Place], words: tuple[str, str]) -> Pair | None:
    """Return the one place that two names may mean; None if they are two places. `words` are the names.

    Only a country takes in the other name, never a town that is called like it: "Lebanon, London" is no
    London near a Lebanon of the United States. If the other name mainly means a place elsewhere, the pair is
    not sure: "London, Canada" may be one city or two stops.
    """
    for narrow, within in ((second, _countries(first)), (first, _countries(second))):
        if kept := tuple(
            place for place in narrow if {place.country, NAMED_WITH.get(place.country)} & within
        ):
            elsewhere = any(one.population >= LARGE and one.country not in within for one in narrow)
            return Pair(kept, places.meant(narrow) in {None, *within}, elsewhere)
    of_regions = [REGIONS.get(word) for word in words]
    for city, region in ((first, of_regions[1]), (second, of_regions[0])):
        if kept := tuple(place for place in city if place.country == region):
            return Pair(kept, sure=False)
    return _with_airport(first, second)


def _with_airport(first: Sequence[Place], second: Sequence[Place]) -> Pair | None:
    """Return the place of a city and its airport. Two airports are one place only if they are the same."""
    airports = [place for place in (*first, *second) if place.kind == "airport"]
    if len(airports) == len(first) + len(second):
        kept = tuple(place for place in second if place in first)
    else:
        names = {place.name for place in first} & {place.name for place in second}
        common = {place.country for place in airports if place.name in names}
        kept = tuple(place for place in second if place.country in common)
    return Pair(kept, sure=True) if kept else None


def _countries(names: Sequence[Place]) -> set[str]:
    """Return the countries that are named in full: three letters after a city may be an airport, too."""
    return {place.country for place in names if place.kind == "country" and not place.codes}
