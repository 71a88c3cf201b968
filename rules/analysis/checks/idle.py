"""Rules that do nothing: they never match, another rule of their issuer says as much, or they are over.

Also those that begin or end soon.
"""

import datetime
from collections.abc import Iterable, Iterator

from rules.analysis.checks.findings import Finding, finding_of
from rules.analysis.checks.reach import Reach
from rules.engine.outcomes import UPCOMING_DAYS


def never_matching(group: Iterable[Reach]) -> Iterator[Finding]:
    """Find rules that no question can meet."""
    for one in group:
        if one.never:
            says = "No possible question meets all conditions of this rule."
            yield finding_of("never_matches", says, one.rule.rule_id)


def shadowed(group: list[Reach]) -> Iterator[Finding]:
    """Find redundant rules: another one of the same issuer always says the same or something stricter."""
    for one in group:
        shade = next((other for other in group if _shadows(other, one)), None)
        if shade is not None and not one.never:
            other = shade.rule.rule_id
            says = f"`{other}` applies whenever this rule applies, and says the same or is stricter."
            yield finding_of("shadowed", says, one.rule.rule_id, other)


def _shadows(other: Reach, one: Reach) -> bool:
    """Return whether `one` could be removed without changing any verdict or sentence, because of `other`."""
    if other is one or not one.holds_within(other):
        return False
    if not _says_as_much(other, one):
        return False
    # If two rules shadow each other they are twins: the later id is redundant.
    twins = other.holds_within(one) and _says_as_much(one, other)
    return not twins or other.rule.rule_id < one.rule.rule_id


def _says_as_much(other: Reach, one: Reach) -> bool:
    """Return whether a rule says what another one says, or the same with a stricter figure."""
    if (other.rule.effect, other.rule.code) != (one.rule.effect, one.rule.code):
        return False
    theirs, ours = other.rule.params, one.rule.params
    if theirs.max_units is not None and ours.max_units is not None:
        # A limit for units over 100 Wh has a sentence of its own, which the general one does not replace.
        same_sentence = other.rule.when.watt_hour_over == one.rule.when.watt_hour_over
        return theirs.max_units <= ours.max_units and same_sentence
    if theirs.limit_watt_hour is not None and ours.limit_watt_hour is not None:
        return theirs.limit_watt_hour <= ours.limit_watt_hour
    return True


def ending_and_starting(group: Iterable[Reach], today: datetime.date) -> Iterator[Finding]:
    """Find rules that expired, and those that end or start within the days that answers announce."""
    soon = today + datetime.timedelta(days=UPCOMING_DAYS)
    for one in group:
        if one.last_day < today:
            yield finding_of("expired", f"It ended on {one.last_day}.", one.rule.rule_id)
        elif one.last_day <= soon:
            says = f"It ends on {one.last_day}. What applies after that?"
            yield finding_of("expiring", says, one.rule.rule_id)
        elif today < one.first_day <= soon:
            says = f"It starts on {one.first_day}; answers announce it."
            yield finding_of("starting", says, one.rule.rule_id)
