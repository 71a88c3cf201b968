"""A disagreement to begin with, where two rules of one issuer contradict each other. Pure.

It names what the rules say and their evidence, and applies the stricter one. The reason is left to the
editor. Called by the form that a finding leads to.
"""

from decimal import Decimal

from rules.engine.disagreements import About, Disagreement, Side
from rules.engine.facts import Rule

STRICTEST_FIRST = ("prohibit", "require", "advise", "permit")


def proposed(one: Rule, other: Rule) -> Disagreement:
    """Return the disagreement between two rules, without a reason yet."""
    applied, milder = sorted((one, other), key=_leniency)
    return Disagreement(
        id=applied.rule_id.replace(".", "-"),
        about=About(airline=applied.airline) if applied.airline else About(jurisdiction=applied.jurisdiction),
        question=f"Which of these does {applied.authority} require?",
        sides=tuple(Side(says=rule.summary, sources=rule.sources) for rule in (applied, milder)),
        applied=applied.rule_id,
        because="",
    )


def _leniency(rule: Rule) -> tuple[int, Decimal, str]:
    """Order rules by how much they let through: by effect, then by the figure that limits."""
    figures = (rule.params.max_units, rule.params.limit_watt_hour, rule.when.watt_hour_up_to)
    limit = next((Decimal(figure) for figure in figures if figure is not None), Decimal("Infinity"))
    return STRICTEST_FIRST.index(rule.effect), limit, rule.rule_id
