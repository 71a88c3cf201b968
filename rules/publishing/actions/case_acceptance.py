"""Actions on verdict cases: accept failing ones, with a reason, or reopen one.

Called by the editors' desk. With an acceptance, a true change of the world can be published before a case is
corrected.
"""

import datetime
from collections.abc import Collection, Mapping

from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, ReasonMissing, WrongState
from catalog.tables.actions.inserting import insert
from rules.cases import case_digest, outcome, outcome_digest
from rules.next_release import compile_content
from rules.publishing.authors import authors_of, authors_of_alone
from rules.publishing.candidate import Candidate, JudgedCase, candidate
from rules.publishing.models import AcceptedCase
from rules.publishing.selection import Key, mixed
from rules.releases.ledger import content_or_none
from rules.releases.models import Release


def accept_case(
    *,
    by: User,
    name: str,
    reason: str,
    now: datetime.datetime,
    shown: str,
    only: Collection[Key] | None = None,
) -> None:
    """Accept one case, see `accept_cases`."""
    accept_cases(by=by, reason=reason, now=now, shown={name: shown}, only=only)


@transaction.atomic
def accept_cases(
    *,
    by: User,
    reason: str,
    now: datetime.datetime,
    shown: Mapping[str, str],
    only: Collection[Key] | None = None,
) -> None:
    """Accept cases as they fail now, or confirm what another reviewer accepted: all of them, or none.

    `shown` has the `outcome_digest` of what the reviewer was shown, by the name of the case, and `only` are
    the records that would be published then, by default all that is approved. A case counts from the second
    reviewer on, and neither of them wrote anything that the next release would newly contain.
    An earlier acceptance under this name of a different outcome, or by an author, is replaced.

    Raises `ReasonMissing`, also if no case is named, `NotRecorded` for an unknown case, `WrongState` if it
    passes or fails differently than shown, `OwnWork` for an author of the next release and for the first
    reviewer again, `AlreadyRecorded`.
    """
    if not shown:
        raise ReasonMissing("no case", "tick the cases that may fail")
    names = sorted(shown)
    if not reason.strip():
        raise ReasonMissing(names[0], "a reason is required")
    # With two reviewers at once, the second one sees the rows of the first.
    list(AcceptedCase.objects.select_for_update().filter(pk__in=names).order_by("pk"))
    current, content = Release.objects.current(), compile_content()
    if only is not None and (before := content_or_none(current)) is not None:
        content = mixed(before, content, only)
    authors = authors_of(current, content, only=only)
    found = candidate(None, content, authors)
    for name in names:
        failing = _failing(found, name)
        if outcome_digest(failing.judged) != shown[name]:
            raise WrongState(name, "now fails in another way than was shown")
        if by.pk in authors:
            raise OwnWork(
                name, "you wrote something in the next release, so two other reviewers must accept it"
            )
        if failing.already and by.pk in authors_of_alone():
            raise OwnWork(
                name, "you published or wrote alone what is current, so two other reviewers must accept it"
            )
        _accept(failing, by=by, reason=reason, now=now)


def _failing(found: Candidate, name: str) -> JudgedCase:
    """Return a failing case by its name. Raises `NotRecorded` or `WrongState`."""
    for one in found.failing:
        if one.judged.case.name == name:
            return one
    if name in {case.name for case in found.cases}:
        raise WrongState(name, "does not fail")
    raise NotRecorded(name, "there is no such case")


def _accept(failing: JudgedCase, *, by: User, reason: str, now: datetime.datetime) -> None:
    judged, accepted, name = failing.judged, failing.accepted, failing.judged.case.name
    if accepted is None or failing.own_work:
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
    log(
        by=by,
        at=now,
        action=EditorAction.ACCEPT,
        kind="case",
        subjects=[(name, None)],
        reason=reason,
        details={"outcome": outcome(judged), "grants": judged.grants},
    )


@transaction.atomic
def reopen_case(*, by: User, name: str, now: datetime.datetime) -> None:
    """Reopen a case: it fails as before. Raises `NotRecorded` if it is not accepted."""
    deleted, _ = AcceptedCase.objects.filter(pk=name).delete()
    if not deleted:
        raise NotRecorded(name, "this case is not accepted")
    log(by=by, at=now, action=EditorAction.REOPEN, kind="case", subjects=[(name, None)])
