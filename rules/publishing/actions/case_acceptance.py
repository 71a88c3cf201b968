"""Actions on verdict cases: accept a failing one, with a reason, or reopen it.

Called by the editors' desk. A case is a file of the program; with an acceptance, a true change of the world
can be published before the file is updated.
"""

import datetime
from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, ReasonMissing, WrongState
from catalog.tables.actions.inserting import insert
from rules.cases import case_digest, load_cases, outcome, outcome_digest
from rules.next_release import compile_content
from rules.publishing.authors import authors_of, authors_of_alone
from rules.publishing.candidate import candidate
from rules.publishing.models import AcceptedCase
from rules.publishing.selection import Key, mixed
from rules.releases.ledger import content_or_none
from rules.releases.models import Release


@transaction.atomic
def accept_case(
    *,
    by: User,
    name: str,
    reason: str,
    now: datetime.datetime,
    shown: str,
    only: Collection[Key] | None = None,
) -> None:
    """Accept a case as it fails now, or confirm what another reviewer accepted.

    `shown` is the `outcome_digest` of what the reviewer was shown, `only` the records that would be published
    then, by default all that is approved. It counts from the second reviewer on, and
    neither of them wrote anything that the next release would newly contain. An earlier acceptance under this
    name of a different outcome, or by an author, is replaced.

    Raises `ReasonMissing`, `NotRecorded` for an unknown case, `WrongState` if it passes or fails differently
    than shown, `OwnWork` for an author of the next release and for the first reviewer again,
    `AlreadyRecorded`.
    """
    if not reason.strip():
        raise ReasonMissing(name, "a reason is required")
    found = [case for case in load_cases() if case.name == name]
    if not found:
        raise NotRecorded(name, "there is no such case")
    # With two reviewers at once, the second one sees the row of the first.
    AcceptedCase.objects.select_for_update().filter(pk=name).first()
    current, content = Release.objects.current(), compile_content()
    if only is not None and (before := content_or_none(current)) is not None:
        content = mixed(before, content, only)
    authors = authors_of(current, content, only=only)
    failing = candidate(found, content, authors).failing
    if not failing:
        raise WrongState(name, "does not fail")
    judged, accepted, own_work, already = failing[0]
    if outcome_digest(judged) != shown:
        raise WrongState(name, "now fails in another way than was shown")
    if by.pk in authors:
        raise OwnWork(name, "you wrote something in the next release, so two other reviewers must accept it")
    if already and by.pk in authors_of_alone():
        raise OwnWork(
            name, "you published or wrote alone what is current, so two other reviewers must accept it"
        )
    if accepted is None or own_work:
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
        raise OwnWork(name, "needs a second reviewer, and you are the first")
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
