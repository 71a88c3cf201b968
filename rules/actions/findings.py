"""The verbs of the analysis: leave a finding as it is, with a reason, or take it up again."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.actions.writing import insert
from catalog.errors import NotRecorded
from rules.analysis import Acceptance
from rules.models import AcceptedFinding


@transaction.atomic
def accept_findings(*, by: User, acceptances: Sequence[Acceptance]) -> None:
    """Leave findings as they are. Raises `AlreadyRecorded` or `Unfit`, and writes nothing then."""
    now = timezone.now()
    insert(
        [
            AcceptedFinding(key=one.key, reason=one.reason.strip(), created_at=now, created_by=by)
            for one in acceptances
        ]
    )


@transaction.atomic
def reopen_finding(*, key: str) -> None:
    """Take up a finding again. Raises `NotRecorded` where it is not accepted."""
    deleted, _ = AcceptedFinding.objects.filter(pk=key).delete()
    if not deleted:
        raise NotRecorded(key, "this finding is not accepted")
