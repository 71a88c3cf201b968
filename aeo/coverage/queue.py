"""Where an editor's hour helps most: airlines and authorities, ordered by how urgently to read them.

The weight is how often flights were asked about (a class, 1 to 4) times how weak the evidence is (1 to 4).
Among equals, sources that were never read come first, then the oldest reading. Both factors are public, so
the order reveals no more about the verdict log than they do. Called by pages, the API and the desk.
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
"""The weight of the weakest evidence: no reading states the rules, or no rule is in force."""


class Waiting(NamedTuple):
    """An airline or authority that waits for a reading.

    `code` is the code of the airline, the country or the region. `rules` are in force. `asked` is None if
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
        """How often flights of it were asked about, 1 to 4."""
        return 1 if self.asked is None else 1 + ASKED_CLASSES.index(self.asked)

    @property
    def weight(self) -> int:
        """How much reading it helps; the order is by this."""
        return self.weakness * self.demand


def queue(release: Published, today: datetime.date, counted: AskedFlights | None) -> list[Waiting]:
    """Return every airline and authority of a release, those where reading helps most first."""
    found = [*_airlines(release, today, counted), *_authorities(release, today, counted)]
    return sorted(found, key=_in_order)


def sources_of(release: Published, one: Waiting) -> tuple[str, ...]:
    """Return the ids of the sources behind an airline or authority, each once."""
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
    """Return the authorities, without those of countries that only have the rules of their region."""
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
