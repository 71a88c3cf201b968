"""The actions of the analysis: accept a finding with a reason, or reopen it."""

import datetime
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded
from catalog.tables.actions.inserting import insert
from rules.analysis.checks import Acceptance
from rules.analysis.models import AcceptedFinding


@transaction.atomic
def accept_findings(*, by: User, acceptances: Sequence[Acceptance]) -> None:
    """Accept findings as they are. Raises `AlreadyRecorded` or `Unfit`, and writes nothing then."""
    now = timezone.now()
    insert(
        [
            AcceptedFinding(key=one.key, reason=one.reason.strip(), created_at=now, created_by=by)
            for one in acceptances
        ]
    )
    for one in acceptances:
        _log(one.key, by=by, at=now, action=EditorAction.ACCEPT, reason=one.reason)


@transaction.atomic
def reopen_finding(*, by: User, key: str) -> None:
    """Reopen a finding. Raises `NotRecorded` if it is not accepted."""
    deleted, _ = AcceptedFinding.objects.filter(pk=key).delete()
    if not deleted:
        raise NotRecorded(key, "this finding is not accepted")
    _log(key, by=by, at=timezone.now(), action=EditorAction.REOPEN)


def _log(key: str, *, by: User, at: datetime.datetime, action: EditorAction, reason: str = "") -> None:
    log(by=by, at=at, action=action, kind="finding", subjects=[(key, None)], reason=reason)
