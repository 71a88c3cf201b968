"""Facts of airports for readers: by airport and by country, from memory.

They change without a release, so each process reads them with one query, and again when they may have
changed. While the database is away, the last ones stay; if there are none, nothing is known. Called by the
views of the API and by the builders of pages. Verdicts never read them.
"""

import datetime
import hashlib
from collections.abc import Iterable
from functools import cached_property

import msgspec
from django.db import Error as DatabaseFailure
from django.db.models import Max

from catalog import records
from catalog.airports.models import AirportFact
from catalog.database.cached_values import CachedValue
from catalog.tables.history import events_of

SECONDS = 10


class AirportFacts:
    """All facts, in the order of airports and ids, and the time of the last change. Immutable."""

    def __init__(
        self, facts: Iterable[records.AirportFact] = (), moved_at: datetime.datetime | None = None
    ) -> None:
        self.all = tuple(facts)
        self.moved_at = moved_at

    def at(self, airport: str | None) -> tuple[records.AirportFact, ...]:
        """Return the facts of an airport, by its IATA code."""
        return tuple(fact for fact in self.all if fact.airport == airport)

    def in_country(self, country: str) -> tuple[records.AirportFact, ...]:
        """Return the facts of all airports of a country."""
        return tuple(fact for fact in self.all if fact.country == country)

    @cached_property
    def digest(self) -> str:
        """A value that differs between two states."""
        return hashlib.sha256(msgspec.json.encode(self.all)).hexdigest()


NONE = AirportFacts()


def airport_facts() -> AirportFacts:
    """Return all facts as they are now, at most `SECONDS` old."""
    try:
        return _cached.current()
    except DatabaseFailure:
        return NONE


def _read(cached: AirportFacts) -> AirportFacts:
    found = tuple(AirportFact.objects.all().records())
    if found == cached.all:
        return cached
    return AirportFacts(found, events_of(AirportFact).aggregate(at=Max("pgh_created_at"))["at"])


_cached: CachedValue[AirportFacts] = CachedValue(_read, NONE, seconds=SECONDS)


def pin(facts: AirportFacts) -> None:
    """Assume these facts from now on: for tools and tests that ask without a database."""
    _cached.pin(facts)
