"""Where, when and for which facts a rule speaks, as sets that can be compared.

The facts of a question are one bit of each group (`rules.engine.matching`), so what a rule admits is a
product of sets, and whether two rules can meet is a question for `&`. Watt-hours are spans of hundredths,
dates are spans of days.
"""

import datetime
from collections.abc import Iterable

import msgspec

from rules.engine.facts import Rule
from rules.engine.matching import GROUPS, admits, bans, watt_hour_span
from rules.engine.vocabulary import Scope

FIRST_DAY, LAST_DAY = datetime.date.min, datetime.date.max

LOWEST_WATT_HOUR = 1
"""Hundredths of a watt-hour: the smallest figure that a device can have."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """One rule with everything that determines when it speaks, ready to be compared."""

    rule: Rule
    low: int
    high: int
    facts: int
    models: frozenset[str] | None
    """The models that it names; none if it is about any model."""
    banned: int
    """The facts under which it bans, wherever it speaks."""
    first_day: datetime.date
    last_day: datetime.date
    scopes: frozenset[Scope]

    @property
    def never(self) -> bool:
        """Return whether no question at all can meet the conditions."""
        return self.low > self.high or any(not self.facts & group for group in GROUPS)

    def meets(self, other: "Reach") -> bool:
        """Return whether one question can be met by both rules."""
        return (
            max(self.low, other.low) <= min(self.high, other.high)
            and max(self.first_day, other.first_day) <= min(self.last_day, other.last_day)
            and bool(self.scopes & other.scopes)
            and (self.models is None or other.models is None or bool(self.models & other.models))
            and all(self.facts & other.facts & group for group in GROUPS)
        )

    def holds_within(self, other: "Reach") -> bool:
        """Return whether the other rule speaks whenever this one does."""
        return (
            other.low <= self.low
            and self.high <= other.high
            and other.first_day <= self.first_day
            and self.last_day <= other.last_day
            and self.scopes <= other.scopes
            and other.is_about_all_of(self)
            and not self.facts & ~other.facts
        )

    def is_about_all_of(self, other: "Reach") -> bool:
        """Return whether this rule is about every model that the other one is about."""
        return self.models is None or (other.models is not None and other.models <= self.models)

    def speaks_of(self, facts: int, watt_hour: int, day: datetime.date) -> bool:
        """Return whether the rule speaks for some facts, hundredths of a watt-hour and a day."""
        return (
            facts & self.facts == facts
            and self.low <= watt_hour <= self.high
            and self.first_day <= day <= self.last_day
        )


def reach(rule: Rule) -> Reach:
    """Return the reach of a rule."""
    low, high = watt_hour_span(rule)
    scopes = set(rule.applies)
    # A domestic flight departs and arrives inside, so a rule for either speaks for it.
    if scopes & {"departure", "arrival"}:
        scopes.add("domestic")
    return Reach(
        rule=rule,
        low=max(low, LOWEST_WATT_HOUR),
        high=high,
        facts=admits(rule),
        models=None if rule.when.model is None else frozenset(rule.when.model),
        banned=bans(rule),
        first_day=rule.effective_from or FIRST_DAY,
        last_day=rule.effective_until or LAST_DAY,
        scopes=frozenset(scopes),
    )


def by_issuer(rules: Iterable[Rule]) -> dict[tuple[str, str], list[Reach]]:
    """Return the rules of each airline (`airline`, code) and each authority (`jurisdiction`, code), by id."""
    groups: dict[tuple[str, str], list[Reach]] = {}
    for rule in sorted(rules, key=lambda rule: rule.rule_id):
        issuer = ("jurisdiction", rule.jurisdiction) if rule.airline is None else ("airline", rule.airline)
        groups.setdefault(issuer, []).append(reach(rule))
    return groups
