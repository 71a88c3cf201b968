"""The actions of the editorial workflow, for both rules and recalls.

Each of them names records by their stable ids, does all or nothing, and writes the audit log. Writers of the
same record wait for each other. All of them raise the errors of `catalog.errors`. `rules.editing.actions` and
`recalls.editing.actions` offer them for their kind of record.
"""

import copy
import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.effects import approved
from catalog.editorial.models import MARKS, Revision
from catalog.editorial.selectors import nothing_new
from catalog.editorial.workflow import AGREED, MOVES, OPEN, EditorAction, State
from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, ReasonMissing, Unfit, WrongState
from catalog.tables.actions.inserting import insert, insert_evidence
from catalog.tables.actions.updating import require_distinct
from catalog.tables.evidence import source_ids

AnyRevision = TypeVar("AnyRevision", bound=Revision)


@transaction.atomic
def draft(rows: Sequence[Revision], *, by: User, reason: str = "") -> None:
    """Write the first revisions of new records, with their content; `reason` may say why."""
    if not rows:
        return
    model, now = type(rows[0]), timezone.now()
    recorded = set(_revisions(model).identified([row.stable_id for row in rows]).values_list(model.id_field))
    for row in rows:
        if (row.stable_id,) in recorded:
            raise AlreadyRecorded(row.stable_id, "is already recorded")
        _begin(row, by=by, at=now)
    insert(rows, owner="stable_id")
    log_revisions(rows, by=by, at=now, action=EditorAction.DRAFT, reason=reason)


@transaction.atomic
def revise(model: type[Revision], *, by: User, ids: Sequence[str], reason: str) -> None:
    """Open the next revision of records, as a copy of the approved one, or else of the newest one."""
    _require_reason(ids, reason)
    _open_next(model, by=by, ids=ids, action=EditorAction.REVISE, reason=reason)


@transaction.atomic
def withdraw(model: type[Revision], *, by: User, ids: Sequence[str], reason: str) -> None:
    """Open a revision that takes published records out of the next release after its approval.

    It copies what it withdraws: the published revision, not one that was approved after it.
    """
    _require_reason(ids, reason)
    _open_next(model, by=by, ids=ids, action=EditorAction.WITHDRAW, reason=reason)


@transaction.atomic
def discard(model: type[Revision], *, by: User, ids: Sequence[str], reason: str) -> None:
    """Delete drafts. Only the history and the log keep them."""
    _require_reason(ids, reason)
    rows = _newest_in(State.DRAFT, model, ids)
    log_revisions(rows, by=by, at=timezone.now(), action=EditorAction.DISCARD, reason=reason)
    _revisions(model).filter(pk__in=[row.pk for row in rows]).delete()


@transaction.atomic
def submit(model: type[Revision], *, by: User, ids: Sequence[str]) -> None:
    """Submit drafts for review. From then on no one can change them, unless they are returned.

    Refuses a draft that says what is approved already.
    """
    now = timezone.now()
    rows = _newest_in(State.DRAFT, model, ids)
    _refuse_repetitions(model, [row.stable_id for row in rows if row.revision > 1])
    move(
        rows,
        EditorAction.SUBMIT,
        by=by,
        at=now,
        submitted_at=now,
        submitted_by=by,
    )


@transaction.atomic
def return_to_author(model: type[Revision], *, by: User, ids: Sequence[str], reason: str) -> None:
    """Return revisions in review to draft, and say what is wrong with them."""
    _require_reason(ids, reason)
    rows = _newest_in(State.IN_REVIEW, model, ids)
    move(
        rows,
        EditorAction.RETURN,
        by=by,
        at=timezone.now(),
        reason=reason,
        submitted_at=None,
        submitted_by=None,
    )


@transaction.atomic
def approve(model: type[Revision], *, by: User, ids: Sequence[str]) -> None:
    """Approve other people's revisions. The next release includes them."""
    rows = _newest_in(State.IN_REVIEW, model, ids)
    for row in rows:
        if by.pk in row.authors:
            raise OwnWork(row.stable_id, "you cannot approve your own work")
    now = timezone.now()
    move(rows, EditorAction.APPROVE, by=by, at=now, approved_at=now, approved_by=by)
    approved.send(sender=model)


@transaction.atomic
def approve_again(model: type[Revision], *, by: User, ids: Sequence[str]) -> None:
    """Approve revisions a second time, by neither their author nor their approver."""
    rows = []
    for name, revisions in _locked(model, ids).items():
        # A newer one may have been taken back: then this one would be published.
        agreed = [row for row in revisions if row.state in AGREED]
        if not agreed or agreed[-1].state != State.APPROVED:
            raise _wrong_state(name, (agreed or revisions)[-1], State.APPROVED)
        rows.append(agreed[-1])
    for row in rows:
        if by.pk in row.authors:
            raise OwnWork(row.stable_id, "you cannot approve your own work")
        if by.pk == row.approved_by_id:
            raise OwnWork(row.stable_id, "the second approval must be by another person than the first")
        if row.second_approved_by_id is not None:
            raise WrongState(row.stable_id, "already has its second approval")
    now = timezone.now()
    _revisions(model).filter(pk__in=[row.pk for row in rows]).update(
        second_approved_at=now, second_approved_by=by
    )
    log_revisions(rows, by=by, at=now, action=EditorAction.APPROVE_AGAIN)


@transaction.atomic
def take_back(model: type[Revision], *, by: User, ids: Sequence[str], reason: str) -> None:
    """Stop approved revisions from being published. The one approved before counts again.

    That one can be taken back too.
    """
    _require_reason(ids, reason)
    rows = []
    for name, revisions in _locked(model, ids).items():
        agreed = [row for row in revisions if row.state in AGREED]
        if not agreed or agreed[-1].state != State.APPROVED:
            raise _wrong_state(name, (agreed or revisions)[-1], State.APPROVED)
        rows.append(agreed[-1])
    move(rows, EditorAction.TAKE_BACK, by=by, at=timezone.now(), reason=reason)


def drafts_to_change(model: type[AnyRevision], *, by: User, ids: Sequence[str]) -> list[AnyRevision]:
    """Return the drafts of records for an editor to write in, who becomes one of their authors.

    Call it inside the transaction that writes the drafts, before anything of them is read.
    """
    require_distinct(ids)
    rows = _newest_in(State.DRAFT, model, ids)
    for row in rows:
        if row.withdraws:
            raise WrongState(row.stable_id, "is a withdrawal, so its content cannot be changed")
        row.authors = sorted({*row.authors, by.pk})
    return rows


def move(
    rows: Sequence[Revision],
    action: EditorAction,
    *,
    by: User,
    at: datetime.datetime,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
    **marks: Any,
) -> None:
    """Move revisions, which the caller has locked, to the state that a verb leads to, and log it."""
    for row in rows:
        target = MOVES[action][State(row.state)]
    if rows:
        _revisions(type(rows[0])).filter(pk__in=[row.pk for row in rows]).update(state=target, **marks)
        log_revisions(rows, by=by, at=at, action=action, reason=reason, details=details)


def mark_published(
    model: type[Revision],
    *,
    by: User,
    at: datetime.datetime,
    release: str | None = None,
    only: Collection[str] | None = None,
) -> None:
    """Mark the newest approved revision of each record published, and end those before it.

    `release` is the one that contains them; a verdict case is in none, and in force by its approval alone.
    `only`: the ids of the records that are published; by default all.

    Called by `rules.publishing.actions` in the transaction that writes the release, once the table is locked.
    """
    agreed = model._default_manager.filter(state__in=AGREED)
    if only is not None:
        agreed = agreed.filter(**{f"{model.id_field}__in": only})
    waiting = agreed.filter(state=State.APPROVED).values(model.id_field)
    superseded: list[Revision] = []
    ended: list[Revision] = []
    published: list[Revision] = []
    for revisions in agreed.filter(**{f"{model.id_field}__in": waiting}).by_record().values():
        *earlier, newest = revisions
        if newest.state == State.APPROVED:
            published.append(newest)
        for row in earlier:
            ends = newest.withdraws and row.state == State.PUBLISHED and not row.withdraws
            (ended if ends else superseded).append(row)
    details = {} if release is None else {"release": release}
    # The revision in force ends first: only one revision of a record is published at any moment.
    move(superseded, EditorAction.SUPERSEDE, by=by, at=at, details=details)
    move(ended, EditorAction.END, by=by, at=at, details=details)
    move(published, EditorAction.PUBLISH, by=by, at=at, details=details, published_at=at, published_by=by)


def _open_next(
    model: type[Revision], *, by: User, ids: Sequence[str], action: EditorAction, reason: str
) -> None:
    now, withdraws = timezone.now(), action == EditorAction.WITHDRAW
    rows, bases = [], []
    for name, revisions in _locked(model, ids).items():
        if revisions[-1].state in OPEN:
            raise WrongState(name, "already has an open revision")
        agreed = [row for row in revisions if row.state in AGREED]
        if withdraws:
            _refuse_idle_withdrawal(name, agreed)
        base = agreed[-1] if agreed else revisions[-1]
        if withdraws:
            base = next(row for row in agreed if row.state == State.PUBLISHED)
        row = copy.copy(base)
        row.revision = revisions[-1].revision + 1
        row.withdraws = withdraws
        _begin(row, by=by, at=now)
        rows.append(row)
        bases.append(base)
    insert(rows, owner="stable_id", copies=True)
    copy_evidence(bases, rows)
    log_revisions(rows, by=by, at=now, action=action, reason=reason)


def _refuse_idle_withdrawal(name: str, agreed: Sequence[Revision]) -> None:
    if not any(row.state == State.PUBLISHED for row in agreed):
        raise WrongState(name, "is not published, so there is nothing to withdraw")
    if agreed[-1].withdraws:
        raise WrongState(name, "is already withdrawn")


def _refuse_repetitions(model: type[Revision], ids: Sequence[str]) -> None:
    found = _revisions(model).filter(**{f"{model.id_field}__in": ids}) if ids else _revisions(model).none()
    for name, revisions in found.prefetch_related(*model.record_parts).by_record().items():
        if reason := nothing_new(revisions):
            raise Unfit(name, reason)


def _begin(row: Revision, *, by: User, at: datetime.datetime) -> None:
    """Make a row a new draft of one author, with no trace of its earlier states."""
    row.pk = None
    row._state.adding = True
    for mark in MARKS:
        setattr(row, mark, None)
    row.state = State.DRAFT
    row.created_at, row.created_by, row.authors = at, by, [by.pk]


def copy_evidence(bases: Sequence[Any], rows: Sequence[Any]) -> None:
    """Link drafts that were just inserted to the sources of the revisions that they copy, if any."""
    if bases and hasattr(bases[0], "evidence"):
        prefetch_related_objects(bases, "evidence")
        evidence = bases[0].evidence
        sources = {row: source_ids(base) for base, row in zip(bases, rows, strict=True)}
        link = evidence.field.name
        insert_evidence(evidence.model, link, sources, owner=f"{link}.stable_id")


def _revisions(model: type[Revision]) -> Any:
    return model._default_manager


def _locked(model: type[AnyRevision], ids: Sequence[str]) -> dict[str, list[AnyRevision]]:
    """Return the revisions of records by their id, the oldest first, locked against other changes.

    Raises `NotRecorded` for the first record without revisions.
    """
    mine = _revisions(model).filter(**{f"{model.id_field}__in": ids})
    # After waiting here, only the next statement sees rows that were written meanwhile.
    list(mine.order_by("pk").select_for_update().values_list("pk"))
    found: dict[str, list[AnyRevision]] = mine.by_record()
    for name in ids:
        if name not in found:
            raise NotRecorded(name, f"there is no such {model._meta.verbose_name}")
    return {name: found[name] for name in ids}


def _newest_in(state: State, model: type[AnyRevision], ids: Sequence[str]) -> list[AnyRevision]:
    rows = [revisions[-1] for revisions in _locked(model, ids).values()]
    for row in rows:
        if row.state != state:
            raise _wrong_state(row.stable_id, row, state)
    return rows


def _wrong_state(name: str, row: Revision, needed: State) -> WrongState:
    return WrongState(name, f"is {State(row.state).label.lower()}, not {needed.label.lower()}")


def _require_reason(ids: Sequence[str], reason: str) -> None:
    if not reason.strip():
        raise ReasonMissing(", ".join(ids), "a reason is required")
