"""One issuer says two things about the same unit: a permit and a prohibition, two figures, two manners.

An exception is not a contradiction: "allowed up to 100 Wh" next to "damaged units are refused" is how rules
are written. It is a contradiction if the prohibition has no condition of its own that marks the exception.
"""

from collections.abc import Collection, Iterator
from itertools import combinations

import msgspec

from rules.analysis.checks.findings import Finding, finding_of
from rules.analysis.checks.reach import Reach
from rules.engine.matching import EVERYTHING

OPPOSED = (
    frozenset({"no_onboard_use", "onboard_use_restricted"}),
    frozenset({"no_onboard_use", "visible_when_in_use"}),
    frozenset({"switched_off", "visible_when_in_use"}),
)
"""Pairs of manners in which one makes the other meaningless."""


def contradictions(group: list[Reach], explained: Collection[str] = ()) -> Iterator[Finding]:
    """Find pairs of rules of one issuer that cannot both be meant.

    `explained` are the rules that a disagreement applies. If it contains neither of a pair, one is proposed.
    """
    for one, other in combinations(group, 2):
        why = _why(one, other) if one.meets(other) else None
        if why is not None:
            ids = (one.rule.rule_id, other.rule.rule_id)
            found = finding_of("contradiction", f"{why} (`{ids[0]}` and `{ids[1]}`).", *ids)
            yield msgspec.structs.replace(found, proposes_disagreement=not set(ids) & set(explained))


def _why(one: Reach, other: Reach) -> str | None:
    effects = {one.rule.effect, other.rule.effect}
    if effects == {"permit", "prohibit"}:
        permit, prohibition = (one, other) if one.rule.effect == "permit" else (other, one)
        return _permit_and_prohibition(permit, prohibition)
    codes = frozenset({one.rule.code or "", other.rule.code or ""})
    if codes in OPPOSED:
        return f"`{'` and `'.join(sorted(codes))}` are required at the same time"
    return _two_figures(one, other)


def _permit_and_prohibition(permit: Reach, prohibition: Reach) -> str | None:
    if permit.holds_within(prohibition):
        return "Everything that is permitted is also prohibited, so the permit has no effect"
    # What the prohibition requires apart from watt-hours: a damaged unit, a recalled one, the hold, some
    # models.
    unconditional = prohibition.facts == EVERYTHING and prohibition.is_about_all_of(permit)
    if unconditional:
        return "The permit includes watt-hours that are prohibited"
    return None


def _two_figures(one: Reach, other: Reach) -> str | None:
    """Two limits of one kind for exactly the same units: a figure was changed in only one place."""
    same_case = one.holds_within(other) and other.holds_within(one)
    if not same_case or one.rule.code is None or one.rule.code != other.rule.code:
        return None
    if one.rule.params == other.rule.params:
        return None
    return f"`{one.rule.code}` has two figures for the same case"
