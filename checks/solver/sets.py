"""The distinct sets of rules that can be in force on a flight, each with a flight and a day as an example.

A verdict depends on a flight only by the rules in force, by whether the flight is domestic, and by whether
the airline's policy was read. Countries that are inside the same jurisdictions are alike, so a few pairs of
countries stand for all.
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from battery_travel_reference import Leg, Release
from battery_travel_reference.records import Airline, Rule, When
from battery_travel_reference.speaking import rules_in_play
from battery_travel_reference.vocabulary import BASELINE

DECIDING = {
    "carry_on_only",
    "max_units",
    "label_required",
    "ccc_mark_required",
    "airline_approval_required",
}
"""The codes of requirements that can ban, or can be unproven."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a rule says, for a verdict: two rules that say the same count once.

    `permit_of` is whose permit it is (`airline`, `authority` or `baseline`), null for any other effect.
    """

    permit_of: str | None
    prohibits: bool
    code: str | None
    max_units: int | None
    when: When


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules in force together: what they say, on which kind of flight."""

    statements: frozenset[Statement]
    domestic: bool
    unverified: bool


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight and a day on which exactly the rules of a set are in force."""

    leg: Leg
    day: date


def rule_sets(release: Release, since: date) -> dict[RuleSet, Flight]:
    """Return each distinct set of rules in force on some flight from a day on, with one example."""
    found: dict[RuleSet, Flight] = {}
    said = statements_of(release)
    pairs = list(pairs_of_countries(release))
    for airline in release.airlines.values():
        # Most rules are those of other airlines.
        rules = tuple(rule for rule in release.rules if rule.airline in (None, airline.code))
        of_airline = replace(release, rules=rules)
        for origin, destination in pairs:
            leg = Leg(origin, destination, airline.code)
            in_play = rules_in_play(of_airline, leg)
            for day in _days(in_play, since):
                one = rule_set(in_play, said, leg, airline, day)
                if one is not None:
                    found.setdefault(one, Flight(leg, day))
    return found


def rule_set(
    in_play: list[Rule], said: Mapping[str, Statement | None], leg: Leg, airline: Airline, day: date
) -> RuleSet | None:
    """Return the set of rules in force on a flight; None if the airline is not covered on that day.

    `said` is what each rule says, by its id.
    """
    in_force = [rule for rule in in_play if rule.in_force(day)]
    if not any(rule.airline == airline.code for rule in in_force):
        return None
    deciding = frozenset(what for rule in in_force if (what := said[rule.rule_id]) is not None)
    return RuleSet(deciding, leg.is_domestic, airline.confidence == "unverified")


def statements_of(release: Release) -> dict[str, Statement | None]:
    """Return what each rule says for a verdict; two that say the same have one value."""
    one_of: dict[Statement | None, Statement | None] = {}
    found = {}
    for rule in release.rules:
        what = statement_of(rule)
        found[rule.rule_id] = one_of.setdefault(what, what)
    return found


def statement_of(rule: Rule) -> Statement | None:
    """Return what a rule says for a verdict; None if it decides nothing."""
    if rule.effect == "permit":
        authority = "baseline" if rule.jurisdiction == BASELINE else "authority"
        return Statement("airline" if rule.airline else authority, False, None, None, rule.when)
    if rule.effect == "prohibit":
        return Statement(None, True, None, None, rule.when)
    if rule.code in DECIDING:
        return Statement(None, False, rule.code, rule.max_units, rule.when)
    return None


def pairs_of_countries(release: Release) -> Iterator[tuple[str, str]]:
    """Return pairs of countries that stand for all: of each two kinds, of two of one kind, and domestic."""
    with_rules = {rule.jurisdiction for rule in release.rules if rule.airline is None}
    alike: dict[frozenset[str], list[str]] = {}
    for country in sorted(release.countries):
        places = frozenset({country, *release.regions.get(country, ())} & with_rules)
        alike.setdefault(places, []).append(country)
    for one, other in itertools.product(alike.values(), repeat=2):
        if one is not other:
            yield one[0], other[0]
            continue
        yield one[0], one[0]
        if len(one) > 1:
            yield one[0], one[1]


def _days(rules: list[Rule], since: date) -> list[date]:
    """Return the first day, and each later day on which a rule starts or is over."""
    days = {since}
    for rule in rules:
        if rule.first_day is not None:
            days.add(rule.first_day)
        if rule.last_day is not None and rule.last_day < date.max:
            days.add(rule.last_day + timedelta(days=1))
    return sorted(day for day in days if day >= since)
