"""What can be decided: airlines by their rules, countries by the places whose rules apply.

An airline without a rule in force is not covered, even if its pages were read. Computed from a release and a
day. Called by the pages about the service.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from aeo.editions import Edition
from rules.engine.facts import Airline
from rules.selectors import readings, rules
from rules.selectors.policy_fields import policy_fields
from rules.selectors.readings import LastRead

TOPICS: dict[str, tuple[str, ...]] = {
    "cabin": (
        "carry_on_max_watt_hour_without_approval",
        "carry_on_max_watt_hour_with_approval",
        "carry_on_prohibited_over_watt_hour",
    ),
    "approval": ("airline_approval_required_over_watt_hour", "carry_on_max_watt_hour_with_approval"),
    "units": ("max_units", "max_units_over_100_watt_hour", "advised_max_units"),
    "checked": ("checked_baggage",),
    "use": ("onboard_use", "onboard_recharge", "switched_off"),
    "place": (
        "overhead_bin",
        "keep_within_reach",
        "keep_visible",
        "visible_when_in_use",
        "on_person_or_seat_pocket",
        "remove_before_gate_check",
    ),
    "terminals": ("terminal_protection",),
    "damaged": ("damaged_units",),
    "recalled": ("recalled_units",),
    "label": ("label", "ccc_mark"),
}
"""What readers ask about a policy, each with fields of `PolicyFields`; one of these fields is enough."""

Reach = Literal["own", "region", "baseline"]


class Covered(msgspec.Struct, frozen=True):
    """An airline, how it was read, the number of its rules in force, and their topics.

    It is covered if a rule is in force. `confirmed` rules are stated by an official page that was read.
    """

    airline: Airline
    read: LastRead
    rules: int
    confirmed: int
    topics: frozenset[str]


# One edition is shown at a time.
@lru_cache(maxsize=1)
def airlines(edition: Edition) -> tuple[Covered, ...]:
    """Return every airline of the release, by name."""
    found = [_covered(edition, airline) for airline in edition.release.shelf.airlines.values()]
    return tuple(sorted(found, key=lambda one: (one.airline.name.casefold(), one.airline.airline)))


def countries(edition: Edition) -> dict[Reach, list[str]]:
    """Return the codes of all countries by whose rules, apart from the baseline, apply to departures."""
    corpus = edition.release.corpus
    found: dict[Reach, list[str]] = {"own": [], "region": [], "baseline": []}
    for code in corpus.countries:
        found[_reach(code, corpus.places(code))].append(code)
    return found


def _covered(edition: Edition, airline: Airline) -> Covered:
    active = rules.active(edition.release, airline.airline, edition.today)
    fields = policy_fields(active) if active else None
    topics = (topic for topic, names in TOPICS.items() if any(getattr(fields, name, None) for name in names))
    return Covered(
        airline=airline,
        read=readings.of_airline(edition.release, airline),
        rules=len(active),
        confirmed=readings.confirmed(active),
        topics=frozenset(topics),
    )


def _reach(code: str, places: Sequence[str]) -> Reach:
    if code in places:
        return "own"
    return "region" if places else "baseline"
