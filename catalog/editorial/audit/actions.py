"""Writes the audit log. Every action of the editorial workflow calls this inside its transaction."""

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User

from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.models import Revision
from catalog.editorial.workflow import EditorAction
from catalog.errors import ReasonMissing, Unfit
from catalog.free_text import MOST_OF_A_REASON, is_visible, reason_fault

MOST_OF_AN_ENTRY = MOST_OF_A_REASON + 100
"""The characters of a reason in the log: a roll-back names its release before what a person typed."""


def log(
    *,
    by: User,
    at: datetime.datetime,
    action: EditorAction,
    kind: str,
    subjects: Iterable[tuple[str, int | None]],
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Log that a user did the same thing to some records, each with its revision if it has one.

    Raises `Unfit` for a reason that is too long or has control characters, `ReasonMissing` for one of
    which no one sees anything.
    """
    subjects = list(subjects)
    _check(reason, subjects[0][0] if subjects else kind)
    AuditEntry.objects.bulk_create(
        AuditEntry(
            done_at=at,
            done_by=by,
            verb=action,
            kind=kind,
            subject=subject,
            revision=revision,
            reason=reason.strip(),
            details=dict(details or {}),
        )
        for subject, revision in subjects
    )


def _check(reason: str, subject: str) -> None:
    if reason.strip() and not is_visible(reason):
        raise ReasonMissing(subject, "a reason is required: this one has no character that is visible")
    if wrong := reason_fault(reason, most=MOST_OF_AN_ENTRY):
        raise Unfit(subject, f"`reason`: {wrong}")


def log_revisions(
    rows: Iterable[Revision],
    *,
    by: User,
    at: datetime.datetime,
    action: EditorAction,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Log that a user did the same thing to some revisions of one kind."""
    revisions = list(rows)
    if revisions:
        kind = str(revisions[0]._meta.model_name)
        subjects = [(row.stable_id, row.revision) for row in revisions]
        log(by=by, at=at, action=action, kind=kind, subjects=subjects, reason=reason, details=details)
