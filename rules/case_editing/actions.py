"""The only code that writes verdict cases, from the first draft to the end.

Each action names cases by their sentences, writes all or nothing, names its user (`by=`) and logs it. A case
is asked from the instant of its approval, and a withdrawal ends it at once: no release is needed. All actions
raise the errors of `catalog.errors`; `catalog.editorial.workflow` has the states.
"""

import re
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.editorial.actions import workflow
from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.workflow import EditorAction
from catalog.errors import Unfit
from catalog.tables.actions.updating import write
from rules.case_editing.models import EARLIER, VerdictCase
from rules.cases import Case, said


@transaction.atomic
def draft_cases(*, by: User, cases: Sequence[Case], reason: str = "") -> None:
    """Write new cases, for another person to approve."""
    _check(cases)
    rows = [VerdictCase(name=one.name, **_columns(one)) for one in cases]
    workflow.draft(rows, by=by, reason=reason)


def draft_case(*, by: User, case: Case) -> None:
    """Write one new case."""
    draft_cases(by=by, cases=[case])


@transaction.atomic
def change_cases(*, by: User, cases: Sequence[Case]) -> None:
    """Rewrite the drafts of cases. The user becomes one of their authors."""
    rows = workflow.drafts_to_change(VerdictCase, by=by, ids=[one.name for one in cases])
    _check(cases)
    for row, one in zip(rows, cases, strict=True):
        for column, value in _columns(one).items():
            setattr(row, column, value)
    write(rows, {"authors"}.union(*map(_columns, cases)), owner="name")
    log_revisions(rows, by=by, at=timezone.now(), action=EditorAction.CHANGE)


def change_case(*, by: User, case: Case) -> None:
    """Rewrite the draft of one case."""
    change_cases(by=by, cases=[case])


def revise_cases(*, by: User, names: Sequence[str], reason: str) -> None:
    """Open the next revision of cases, as a copy to correct. Until its approval the present one is asked."""
    workflow.revise(VerdictCase, by=by, ids=names, reason=reason)


def withdraw_cases(*, by: User, names: Sequence[str], reason: str) -> None:
    """Open a revision that ends cases, once another person has approved it."""
    workflow.withdraw(VerdictCase, by=by, ids=names, reason=reason)


def discard_cases(*, by: User, names: Sequence[str], reason: str) -> None:
    """Delete drafts."""
    workflow.discard(VerdictCase, by=by, ids=names, reason=reason)


def submit_cases(*, by: User, names: Sequence[str]) -> None:
    """Submit drafts for review."""
    workflow.submit(VerdictCase, by=by, ids=names)


def return_cases(*, by: User, names: Sequence[str], reason: str) -> None:
    """Return drafts in review to their authors, and say what is wrong with them."""
    workflow.return_to_author(VerdictCase, by=by, ids=names, reason=reason)


@transaction.atomic
def approve_cases(*, by: User, names: Sequence[str]) -> None:
    """Approve what others have submitted: from now on these cases are asked, or are so no more.

    What is approved is in force at once and cannot be taken back by one person: that takes a revision or a
    withdrawal, and so two.
    """
    workflow.approve(VerdictCase, by=by, ids=names)
    workflow.mark_published(VerdictCase, by=by, at=timezone.now(), only=names)


def _check(cases: Sequence[Case]) -> None:
    """Check the names. Raises `Unfit` for the first case that has the name of an earlier revision."""
    for one in cases:
        if re.search(EARLIER, one.name):
            raise Unfit(one.name, "`name` ends like the name of an earlier revision; leave the end out")


def _columns(case: Case) -> dict[str, Any]:
    """Return what a case says as the columns of its row, without its name."""
    return {
        "topic": case.file.removesuffix(".yaml"),
        "note": case.note,
        "given": said(case.given),
        "expect": said(case.expect),
    }
