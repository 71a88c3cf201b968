"""Rules that are over, or begin or end soon."""

import datetime
from collections.abc import Iterable, Iterator

from rules.analysis.checks.findings import Finding, finding_of
from rules.analysis.checks.reach import Reach
from rules.engine.outcomes import UPCOMING_DAYS


def ending_and_starting(group: Iterable[Reach], today: datetime.date) -> Iterator[Finding]:
    """Find rules that expired, and those that end or start within the days that answers announce."""
    soon = today + datetime.timedelta(days=UPCOMING_DAYS)
    for one in group:
        if one.last_day < today:
            yield finding_of("expired", f"It ended on {one.last_day}.", one.rule.rule_id)
        elif one.last_day <= soon:
            says = f"It ends on {one.last_day}. What holds after that?"
            yield finding_of("expiring", says, one.rule.rule_id)
        elif today < one.first_day <= soon:
            says = f"It starts on {one.first_day}; answers announce it."
            yield finding_of("starting", says, one.rule.rule_id)
