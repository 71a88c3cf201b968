"""Where an editor's hour helps most: airlines and authorities in the order in which they should be read.

The order is by how often flights were asked about (a class, 1 to 4) times how weak the evidence is (1 to 4);
among equals the oldest reading comes first, and before it what was never read. Both factors are public, so
the order says no more about the verdict log than they do. Called by pages, the API and the desk.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from aeo.coverage import asked
from aeo.coverage.asked import ASKED_CLASSES, AskedClass
from aeo.coverage.models import AskedFlights
from rules.corpus import Published
from rules.engine.facts import Rule
from rules.engine.vocabulary import Issuer
from rules.selectors import readings, rules
from rules.selectors.readings import HOW_READ, LastRead

WEAKEST = len(HOW_READ)
"""How weak the evidence is where nothing was read that states the rules, or none of them is in force."""


class Waiting(NamedTuple):
    """An airline or authority that waits to be read.

    `code` is the airline's, or that of the country or region. `rules` are in force. `asked` is none where
    nothing was counted yet.
    """

    issuer: Issuer
    code: str
    name: str
    read: LastRead
    rules: int
    weakness: int
    asked: AskedClass | None

    @property
    def demand(self) -> int:
        """How often it was asked about, 1 to 4."""
        return 1 if self.asked is None else 1 + ASKED_CLASSES.index(self.asked)

    @property
    def weight(self) -> int:
        """How much reading it helps: what the order is by."""
        return self.weakness * self.demand


def queue(release: Published, today: datetime.date, counted: AskedFlights | None) -> list[Waiting]:
    """Return every airline and authority of a release, where reading helps most first."""
    found = [*_airlines(release, today, counted), *_authorities(release, today, counted)]
    return sorted(found, key=_in_order)


def sources_of(release: Published, one: Waiting) -> tuple[str, ...]:
    """Return the ids of the sources on which what an airline or authority says rests, each once."""
    of_airline = one.issuer == "airline"
    names = list(release.shelf.airlines[one.code].sources) if of_airline else []
    resting = (
        rule for rule in release.shelf.rules.values() if one.code == _whose(rule, of_airline=of_airline)
    )
    return tuple(dict.fromkeys([*names, *(name for rule in resting for name in rule.sources)]))


def _whose(rule: Rule, *, of_airline: bool) -> str | None:
    if of_airline:
        return rule.airline
    return rule.jurisdiction if rule.airline is None else None


def _in_order(one: Waiting) -> tuple[int, datetime.date, str, str]:
    return -one.weight, one.read.on or datetime.date.min, one.name.casefold(), one.code


def _airlines(release: Published, today: datetime.date, counted: AskedFlights | None) -> Iterator[Waiting]:
    for airline in release.shelf.airlines.values():
        active = len(rules.active(release, airline.airline, today))
        read = readings.of_airline(release, airline)
        yield Waiting(
            issuer="airline",
            code=airline.airline,
            name=airline.name,
            read=read,
            rules=active,
            weakness=_weakness(read, states=bool(active) and airline.confidence != "unverified"),
            asked=_class(counted, "airline", airline.airline),
        )


def _authorities(release: Published, today: datetime.date, counted: AskedFlights | None) -> Iterator[Waiting]:
    """Return the authorities, without those of countries that have the rules of their region alone."""
    of_place: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules.find(release, in_force_on=today):
        if rule.airline is None:
            of_place[rule.jurisdiction].append(rule)
    for code, place in release.shelf.jurisdictions.items():
        found = of_place[code]
        if not found and release.corpus.places(code):
            continue
        read = readings.of_authority(release, found)
        yield Waiting(
            issuer="regulator",
            code=code,
            name=place.regulator,
            read=read,
            rules=len(found),
            weakness=_weakness(read, states=bool(found)),
            asked=_class(counted, "regulator", code),
        )


def _weakness(read: LastRead, *, states: bool) -> int:
    return 1 + HOW_READ.index(read.how) if states else WEAKEST


def _class(counted: AskedFlights | None, issuer: Issuer, code: str) -> AskedClass | None:
    return None if counted is None else asked.class_of(asked.flights_of(counted, issuer, code))
