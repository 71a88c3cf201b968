"""Rules that are over, or begin or end soon."""

import datetime
from collections.abc import Iterable, Iterator

from rules.analysis.findings import Finding, Kind
from rules.analysis.reach import Reach
from rules.engine.evaluate import UPCOMING_DAYS


def ending_and_starting(group: Iterable[Reach], today: datetime.date) -> Iterator[Finding]:
    """Find rules that expired, and those that end or start within the days that answers announce."""
    soon = today + datetime.timedelta(days=UPCOMING_DAYS)
    for one in group:
        if one.last_day < today:
            yield _finding(one, "expired", f"It ended on {one.last_day}.")
        elif one.last_day <= soon:
            yield _finding(one, "expiring", f"It ends on {one.last_day}. What holds after that?")
        elif today < one.first_day <= soon:
            yield _finding(one, "starting", f"It starts on {one.first_day}; answers announce it.")


def _finding(one: Reach, kind: Kind, says: str) -> Finding:
    return Finding(
        kind=kind,
        key=f"{kind}:{one.rule.rule_id}",
        subject_kind="rule",
        subject=one.rule.rule_id,
        says=says,
        rule_ids=(one.rule.rule_id,),
    )
