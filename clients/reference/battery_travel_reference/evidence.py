"""What an answer cites, and how old its evidence is (docs, "Citations" and "How old evidence may be")."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from battery_travel_reference.deciding import Decision
from battery_travel_reference.listing import distinct
from battery_travel_reference.records import Release, Rule

FRESHNESS = ("fresh", "stale", "very_stale")
"""From the best to the worst."""

SOON = timedelta(days=30)
"""How far ahead a change is looked for."""

Citation = tuple[str, str, str, str, date]
"""Kind, authority, jurisdiction and address of a source, and the day on which it was read."""


def citations(release: Release, decision: Decision) -> list[Citation]:
    """Return the distinct sources of a decision: of model, recalls, certificates in doubt, applied rules."""
    names = [
        *decision.device.sources,
        *(name for recall in decision.recalls for name in recall.sources),
        *(one.source for one in decision.doubts),
        *(name for rule in decision.found.applied for name in rule.sources),
    ]
    sources = (release.sources[name] for name in distinct(names))
    return distinct(
        (one.kind, one.authority, one.jurisdiction, one.url, one.read_on) for one in sources if one.was_read
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """When the sources of a rule were read. The rule is as fresh as its freshest source.

    Attributes:
        read_on: The newest of these days.
        fresh_until: The last day on which the evidence is fresh.
        stale_until: The last day on which it is stale; later it is very stale.

    """

    read_on: date
    fresh_until: date
    stale_until: date

    def freshness(self, today: date) -> str:
        """Return the freshness of the rule."""
        if today <= self.fresh_until:
            return "fresh"
        return "stale" if today <= self.stale_until else "very_stale"


class Evidence:
    """The sources that were read, of each rule of an answer."""

    def __init__(self, release: Release, rules: Iterable[Rule]) -> None:
        # Many rules rest on the same sources.
        self._readings = [_reading(release, names) for names in distinct(rule.sources for rule in rules)]

    def freshness(self, today: date) -> str:
        """Return the freshness of the rule with the stalest evidence."""
        return stalest(reading.freshness(today) for reading in self._readings)

    def staler_on(self, today: date) -> date | None:
        """Return the first day of the next 30 on which the freshness is worse than today; None if none is."""
        last_days = {day for one in self._readings for day in (one.fresh_until, one.stale_until)}
        now = self.freshness(today)
        turns = soon({day + timedelta(days=1) for day in last_days}, today)
        return next((day for day in turns if self.freshness(day) != now), None)

    def read_on(self, today: date) -> date:
        """Return when the stalest evidence was last read; of several rules, the earliest such day."""
        worst = self.freshness(today)
        return min(one.read_on for one in self._readings if one.freshness(today) == worst)


def stalest(found: Iterable[str]) -> str:
    """Return the worst freshness; `fresh` if there is none."""
    return max(found, key=FRESHNESS.index, default="fresh")


def soon(days: Iterable[date], after: date) -> list[date]:
    """Return those of some days that are 1 to 30 days after another, in order."""
    last = after + SOON
    return sorted(day for day in days if after < day <= last)


def _reading(release: Release, names: Iterable[str]) -> Reading:
    read = [source for source in (release.sources[name] for name in names) if source.was_read]
    return Reading(
        read_on=max(one.read_on for one in read),
        fresh_until=max(one.read_on + timedelta(days=one.good_days) for one in read),
        stale_until=max(one.read_on + timedelta(days=2 * one.good_days) for one in read),
    )
