"""How often flights were asked about: the newest count, and the part of it that readers may know.

Readers get one of four classes. So no one can read or compute a number of the verdict log, or a partner's
traffic, from what is published. The exact numbers are for the desk.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from django.db import Error as DatabaseFailure

from aeo.coverage.models import AskedFlights
from catalog.database.cached_values import CachedValue
from rules.corpus import Published
from rules.engine.facts import INTERNATIONAL
from rules.engine.vocabulary import Issuer

DAYS = 30
"""How many days count, unless the log keeps fewer."""

PATIENCE_SECONDS = 60

AskedClass = Literal["rarely", "from_100", "from_1000", "from_10000"]

ASKED_CLASSES: tuple[AskedClass, ...] = get_args(AskedClass)
"""The lowest class first."""

FLOORS = (100, 1_000, 10_000)
"""The number of flights at which each class after the first begins."""


class Asked(NamedTuple):
    """The number of flights of one airline between two countries that were asked about."""

    airline: str
    origin: str
    destination: str
    flights: int


class Totals(NamedTuple):
    """The number of flights: in total, by airline and by place."""

    flights: int
    airlines: Counter[str]
    places: Counter[str]


def newest() -> AskedFlights | None:
    """Return the newest count, from memory; None if nothing was counted yet or can be read."""
    return _cached.current()


def _newest(cached: AskedFlights | None) -> AskedFlights | None:
    try:
        found = AskedFlights.objects.first()
    except DatabaseFailure:
        return cached
    return cached if found == cached else found


_cached: CachedValue[AskedFlights | None] = CachedValue(_newest, None, seconds=PATIENCE_SECONDS, alone=0)


pin = _cached.pin
"""Keep a count in memory for good: for tools and tests that ask without a database."""


def flights_of(counted: AskedFlights, issuer: Issuer, code: str) -> int:
    """Return how many flights of an airline, or touching a place, were asked about. Only for the desk."""
    by_code: dict[str, int] = counted.airlines if issuer == "airline" else counted.places
    return by_code.get(code, 0)


def class_of(flights: int) -> AskedClass:
    """Return the class of a number of flights."""
    return ASKED_CLASSES[bisect_right(FLOORS, flights)]


def totals(found: Iterable[Asked], release: Published) -> Totals:
    """Return flights by airline, and by each place of a release whose rules apply to them.

    A flight counts once for its airline, and once for each country and region at its ends. Every flight
    counts for the international baseline.
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
