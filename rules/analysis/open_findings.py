"""The findings of the analysis in the current rows, and which of them editors have accepted.

Reads only. Called by `manage.py corpus check` and by the editors' desk.
"""

import datetime
from collections.abc import Iterable
from typing import NamedTuple

from rules.analysis.checks import Acceptance, Finding, findings
from rules.analysis.models import AcceptedFinding
from rules.next_release import compile_content


class SortedFindings(NamedTuple):
    """The findings of a day.

    `open` are problems to fix or accept, `accepted` those that stay, each with its acceptance, `notices` come
    and go with the date, and `outlived` are acceptances whose finding is gone.
    """

    open: list[Finding]
    accepted: list[tuple[Finding, Acceptance]]
    notices: list[Finding]
    outlived: list[Acceptance]


def current_findings(*, today: datetime.date) -> SortedFindings:
    """Analyze what a release published now would contain."""
    return sorted_out(findings(compile_content(), today=today))


def sorted_out(found: Iterable[Finding]) -> SortedFindings:
    """Separate open findings from accepted ones. One query."""
    found = list(found)
    acceptances = {one.key: one for one in AcceptedFinding.objects.all().records()}
    problems = [one for one in found if one.weight == "problem"]
    keys = {one.key for one in problems}
    return SortedFindings(
        open=[one for one in problems if one.key not in acceptances],
        accepted=[(one, acceptances[one.key]) for one in problems if one.key in acceptances],
        notices=[one for one in found if one.weight == "notice"],
        outlived=[one for key, one in acceptances.items() if key not in keys],
    )
