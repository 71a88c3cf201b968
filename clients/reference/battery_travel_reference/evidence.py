"""What an answer cites, and how old its evidence is (docs, "Citations" and "How old evidence may be")."""

from collections.abc import Iterable
from datetime import date, timedelta

from battery_travel_reference.deciding import Decision
from battery_travel_reference.listing import distinct
from battery_travel_reference.records import Release, Rule, Source

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


class Evidence:
    """The sources that were read, of each rule of an answer."""

    def __init__(self, release: Release, rules: Iterable[Rule]) -> None:
        # Many rules rest on the same sources.
        self._of_rules = [
            [release.sources[name] for name in names if release.sources[name].was_read]
            for names in distinct(rule.sources for rule in rules)
        ]

    def freshness(self, today: date) -> str:
        """Return the freshness of the rule with the stalest evidence."""
        return stalest(_of_rule(sources, today) for sources in self._of_rules)

    def staler_on(self, today: date) -> date | None:
        """Return the first day of the next 30 on which the freshness is worse than today; None if none is."""
        turns = {
            source.read_on + timedelta(days=times * source.good_days + 1)
            for sources in self._of_rules
            for source in sources
            for times in (1, 2)
        }
        now = self.freshness(today)
        return next((day for day in soon(turns, today) if self.freshness(day) != now), None)

    def read_on(self, today: date) -> date:
        """Return when the stalest evidence was last read; of several rules, the earliest such day."""
        worst = self.freshness(today)
        return min(
            max(source.read_on for source in sources)
            for sources in self._of_rules
            if _of_rule(sources, today) == worst
        )


def stalest(found: Iterable[str]) -> str:
    """Return the worst freshness; `fresh` if there is none."""
    return max(found, key=FRESHNESS.index, default="fresh")


def soon(days: Iterable[date], after: date) -> list[date]:
    """Return those of some days that are 1 to 30 days after another, in order."""
    last = after + SOON
    return sorted(day for day in days if after < day <= last)


def _of_rule(sources: list[Source], today: date) -> str:
    """A rule is as fresh as its freshest source."""
    return min((_of_source(source, today) for source in sources), key=FRESHNESS.index)


def _of_source(source: Source, today: date) -> str:
    age = (today - source.read_on).days
    if age <= source.good_days:
        return "fresh"
    return "stale" if age <= 2 * source.good_days else "very_stale"
