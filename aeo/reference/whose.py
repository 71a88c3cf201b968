"""Whose rules are on file for an airline: its own, or general ones that verdicts assume.

Nothing that states its policy was read of some airlines. The rules on file for them are those that apply in
general. Called by the builders of pages and of the CSV.
"""

from collections.abc import Sequence
from typing import Literal

from rules.engine.facts import Airline, Rule
from rules.selectors import readings

Whose = Literal["airline", "partly", "assumed", "nothing"]
"""Its own as read; only some of them confirmed, the rest assumed; all assumed; no rule is in force."""


ASSUMED: tuple[Whose, ...] = ("partly", "assumed")
"""General rules count, at least for a part of the policy."""


def whose(airline: Airline, active: Sequence[Rule]) -> Whose:
    """Return whose rules are in force for an airline."""
    if not active:
        return "nothing"
    if airline.confidence != "unverified":
        return "airline"
    return "partly" if readings.confirmed(active) else "assumed"
