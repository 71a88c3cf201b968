"""Rules that are more lenient to a worse unit, for example to a damaged one than to one of unknown condition.

The unknown is between good and bad. A requirement for units of unknown condition must also apply to damaged
ones, and a permit for damaged ones must also apply to intact ones.
"""

from collections.abc import Iterable, Iterator

from rules.analysis.checks.findings import Finding, finding_of
from rules.analysis.checks.reach import Reach
from rules.engine.facts import Rule

WORSE: dict[str, dict[str, tuple[str, ...]]] = {
    "condition": {"intact": ("unknown", "damaged"), "unknown": ("damaged",)},
    "recall_status": {
        "not_affected": ("serial_unknown", "external_check_required", "affected"),
        "serial_unknown": ("affected",),
        "external_check_required": ("affected",),
    },
}
"""Which values are worse than which, for the conditions that a rule can list."""


def spares_the_worse(group: Iterable[Reach]) -> Iterator[Finding]:
    """Find rules whose conditions leave out a worse case than one they name (a permit: a better one)."""
    for one in group:
        for name in WORSE:
            spared = _spared(one.rule, name)
            if spared:
                listed = ", ".join(f"`{value}`" for value in spared)
                says = f"Its condition `{name}` does not include {listed}."
                yield finding_of("spares_the_worse", says, one.rule.rule_id, distinguished_by=name)


def _spared(rule: Rule, name: str) -> list[str]:
    values = getattr(rule.when, name)
    if values is None:
        return []
    worse = WORSE[name]
    if rule.effect == "permit":
        missing = {better for better, others in worse.items() if not set(values).isdisjoint(others)}
    else:
        missing = {other for value in values for other in worse.get(value, ())}
    return sorted(missing.difference(values))
