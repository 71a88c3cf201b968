"""How often flights were asked about: as it was counted last, and as much of that as readers may know.

What readers get is a class of four, so that no number of the verdict log, and with it no partner's traffic,
can be read or worked out from what is published. The exact numbers are for the desk.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from django.db import Error as DatabaseFailure

from aeo.coverage.models import AskedFlights
from catalog.database.cached_values import Held
from rules.corpus import Published
from rules.engine.facts import INTERNATIONAL
from rules.engine.vocabulary import Issuer

DAYS = 30
"""So many days count, or as many as the log keeps where that is fewer."""

PATIENCE_SECONDS = 60

AskedClass = Literal["rarely", "from_100", "from_1000", "from_10000"]

ASKED_CLASSES: tuple[AskedClass, ...] = get_args(AskedClass)
"""The rarest first."""

FLOORS = (100, 1_000, 10_000)
"""With how many flights each class after the first begins."""


class Asked(NamedTuple):
    """So many flights of one airline between two countries."""

    airline: str
    origin: str
    destination: str
    flights: int


class Totals(NamedTuple):
    """How many flights there were, of which airlines, and touching which places."""

    flights: int
    airlines: Counter[str]
    places: Counter[str]


def newest() -> AskedFlights | None:
    """Return what was counted last, as it is held; none where nothing was counted yet, or can be read."""
    return _held.current()


def _newest(held: AskedFlights | None) -> AskedFlights | None:
    try:
        found = AskedFlights.objects.first()
    except DatabaseFailure:
        return held
    return held if found == held else found


_held: Held[AskedFlights | None] = Held(_newest, None, seconds=PATIENCE_SECONDS, alone=0)


hold = _held.hold
"""Hold a count for good: for tools and tests that ask without a database."""


def flights_of(counted: AskedFlights, issuer: Issuer, code: str) -> int:
    """Return how many flights of an airline, or touching a place, were asked about. For the desk alone."""
    by_code: dict[str, int] = counted.airlines if issuer == "airline" else counted.places
    return by_code.get(code, 0)


def class_of(flights: int) -> AskedClass:
    """Return the class of a number of flights."""
    return ASKED_CLASSES[bisect_right(FLOORS, flights)]


def totals(found: Iterable[Asked], release: Published) -> Totals:
    """Return flights by airline, and by each place of a release whose rules they touch.

    A flight counts once for its airline, and once for each country and region at its ends; the international
    baseline is touched by all of them.
    """
    total, airlines, places = 0, Counter[str](), Counter[str]()
    for one in found:
        total += one.flights
        airlines[one.airline] += one.flights
        for place in _touched(release, {one.origin, one.destination}):
            places[place] += one.flights
    return Totals(total, airlines, places)


def _touched(release: Published, ends: set[str]) -> set[str]:
    return ends.union([INTERNATIONAL], *(release.corpus.places(country) for country in ends))
