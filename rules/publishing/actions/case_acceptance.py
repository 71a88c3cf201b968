"""Actions on verdict cases: accept a failing one, with a reason, or reopen it.

Called by the editors' desk. A case is a file of the program; with an acceptance, a true change of the world
can be published before the file is updated.
"""

import datetime

from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, ReasonMissing, WrongState
from catalog.tables.actions.inserting import insert
from rules.cases import case_digest, load_cases, outcome, outcome_digest
from rules.publishing.candidate import candidate
from rules.publishing.models import AcceptedCase


@transaction.atomic
def accept_case(*, by: User, name: str, reason: str, now: datetime.datetime, shown: str) -> None:
    """Accept a case as it fails now, or confirm what another reviewer accepted.

    `shown` is the `outcome_digest` of what the reviewer was shown. If the case grants what its file does not
    allow, it needs two reviewers: it counts from the second one on. An earlier acceptance under this name of
    a different outcome is replaced.

    Raises `ReasonMissing`, `NotRecorded` for an unknown case, `WrongState` if it passes or fails differently
    than shown, `OwnWork` for the first reviewer again, `AlreadyRecorded`.
    otherwise than shown, `OwnWork` for the first reviewer again, `AlreadyRecorded`.
    """
    if not reason.strip():
        raise ReasonMissing(name, "a reason is required")
    found = [case for case in load_cases() if case.name == name]
    if not found:
        raise NotRecorded(name, "there is no such case")
    # With two reviewers at once, the second one sees the row of the first.
    AcceptedCase.objects.select_for_update().filter(pk=name).first()
    failing = candidate(found).failing
    if not failing:
        raise WrongState(name, "does not fail")
    judged, accepted = failing[0]
    if outcome_digest(judged) != shown:
        raise WrongState(name, "now fails in another way than was shown")
    if accepted is None:
        AcceptedCase.objects.filter(pk=name).delete()
        insert(
            [
                AcceptedCase(
                    name=name,
                    case_sha256=case_digest(judged.case),
                    outcome=outcome(judged),
                    grants=judged.grants,
                    reason=reason.strip(),
                    created_at=now,
                    created_by=by,
                )
            ]
        )
    elif accepted.counts:
        raise AlreadyRecorded(name, "is already accepted")
    elif accepted.created_by == by:
        raise OwnWork(
            name, "needs a second reviewer, because it allows something that the case does not allow"
        )
    else:
        AcceptedCase.objects.filter(pk=name).update(agreed_at=now, agreed_by=by)
    details = {"outcome": outcome(judged), "grants": judged.grants}
    log(
        by=by,
        at=now,
        action=EditorAction.ACCEPT,
        kind="case",
        subjects=[(name, None)],
        reason=reason,
        details=details,
    )


@transaction.atomic
def reopen_case(*, by: User, name: str, now: datetime.datetime) -> None:
    """Reopen a case: it fails as before. Raises `NotRecorded` if it is not accepted."""
    deleted, _ = AcceptedCase.objects.filter(pk=name).delete()
    if not deleted:
        raise NotRecorded(name, "this case is not accepted")
    log(by=by, at=now, action=EditorAction.REOPEN, kind="case", subjects=[(name, None)])
