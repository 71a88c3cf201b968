"""Proposes, approves, returns, discards and takes back change sets.

Each action is all or nothing, and is logged.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import pghistory
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.bulk.cells import differences
from catalog.bulk.tables import Table
from catalog.editorial.audit.actions import log
from catalog.editorial.pending.facts import (
    Edit,
    as_left,
    at_once,
    decides,
    kind_of,
    pending_change,
    restored,
    with_facts,
)
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.editorial.pending.selectors import Present, earlier_authors
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, OwnWork, ReasonMissing, Unfit, WrongState
from catalog.tables.actions.inserting import insert

KIND = "change set"
"""What the audit log calls a change set."""

BATCH = 200
"""How many records an action of a table gets at once."""


@transaction.atomic
def propose(
    table: Table,
    records: Sequence[object],
    *,
    by: User,
    subject: str,
    reason: str = "",
    replaces: int | None = None,
    known: Mapping[str, object] | None = None,
) -> ChangeSet | None:
    """Write what needs no approval, and keep the rest in a change set; None if nothing has to wait.

    `replaces` is the id of a returned change set that this one corrects. `known` are the records as they are,
    if the caller has locked and read them. Raises `Refused` for what the tables would refuse, so that a
    change set can be approved as it is.
    """
    changes = hold(table, records, by=by, reason=reason, known=known)
    return open_change_set(changes, by=by, subject=subject, reason=reason, replaces=replaces)


@transaction.atomic(savepoint=False)
def hold(
    table: Table,
    records: Sequence[object],
    *,
    by: User,
    reason: str = "",
    known: Mapping[str, object] | None = None,
) -> list[PendingChange]:
    """Write what needs no approval, and return the rest, unsaved, for a change set."""
    edits = [edit for edit in _edits(table, records, by, known) if edit.before != edit.after]
    held = [edit for edit in edits if decides(table, edit)]
    _require_free(kind_of(table), [edit.record_id for edit in held])
    _try(table, held, by)
    table.require([(edit.before, edit.after) for edit in edits], reason.strip())
    waiting = {edit.record_id for edit in held}
    free = [
        at_once(table, edit) if edit.record_id in waiting else edit.after
        for edit in edits
        if edit.before is not None
    ]
    table.change(by, free)
    return [pending_change(table, edit) for edit in held]


@transaction.atomic(savepoint=False)
def hold_deletions(table: Table, record_ids: Sequence[str], *, by: User) -> list[PendingChange]:
    """Return the deletions of records, unsaved, for a change set. Raises `NotRecorded` or `StillReferred`."""
    there = table.existing(record_ids, by=by)
    for record_id in record_ids:
        if record_id not in there:
            raise NotRecorded(record_id, f"there is no such {table.model._meta.verbose_name}")
    edits = [Edit(record_id, there[record_id].record, None) for record_id in record_ids]
    _require_free(kind_of(table), record_ids)
    _try(table, edits, by)
    return [pending_change(table, edit) for edit in edits]


@transaction.atomic
def propose_deletion(table: Table, record_id: str, *, by: User, reason: str = "") -> ChangeSet | None:
    """Keep the deletion of a record in a change set.

    Raises `NotRecorded`, `WrongState` or `StillReferred`.
    """
    held = hold_deletions(table, [record_id], by=by)
    return open_change_set(held, by=by, subject=f"delete {record_id}", reason=reason)


@transaction.atomic(savepoint=False)
def open_change_set(
    changes: Sequence[PendingChange], *, by: User, subject: str, reason: str = "", replaces: int | None = None
) -> ChangeSet | None:
    """Save changes as one change set, which waits for approval; None if there are no changes.

    Who wrote some of its words before, in a set that was not approved, is also its author. Raises
    `WrongState` if `replaces` is not a returned set about the same records.
    """
    if not changes:
        return None
    authors = {by.pk} | earlier_authors(changes)
    if replaces is not None:
        authors |= set(_returned(replaces, changes).authors)
    opened = ChangeSet(
        subject=subject,
        reason=reason.strip(),
        authors=sorted(authors),
        created_at=timezone.now(),
        created_by=by,
    )
    insert([opened], owner="subject")
    for change in changes:
        change.change_set = opened
    # What they contain was tried on the tables, and what was there before may be what they correct.
    insert(changes, owner="record_id", copies=True)
    _log(opened, EditorAction.SUBMIT, by=by, reason=reason)
    if replaces is not None:
        discard(replaces, by=by, reason=f"Replaced by change set {opened.pk}.")
    return opened


@transaction.atomic
def approve(change_set: int, *, by: User, tables: Mapping[str, Table]) -> None:
    """Write all of a change set; `tables` are by kind.

    The rows name its author as the person who changed them, their history its reason. Raises `OwnWork` for an
    author, `WrongState` if it no longer waits or a record has changed since, and `Refused` for what a table
    refuses.
    """
    found = _locked(change_set)
    if by.pk in found.authors:
        raise OwnWork(_name(found), "you cannot approve your own work")
    _require_state(found, ChangeSetState.WAITING)
    now = timezone.now()
    by_kind: dict[str, list[PendingChange]] = {}
    for change in found.changes.all():
        by_kind.setdefault(change.kind, []).append(change)
    with pghistory.context(change_set=found.pk, reason=found.reason):
        for kind, changes in by_kind.items():
            edits = _fresh(tables[kind], changes, by)
            staying = [(edit.before, edit.after) for edit in edits if edit.after is not None]
            tables[kind].require(staying, found.reason)
            _write(tables[kind], edits, found.created_by)
    _decide(found, ChangeSetState.APPROVED, EditorAction.APPROVE, by=by, at=now)


@transaction.atomic
def take_back(change_set: int, *, by: User, reason: str, tables: Mapping[str, Table]) -> None:
    """Undo an approved change set: its records are as they were. `tables` are by kind.

    Called by `rules.publishing`, which knows that no release contains any of it. Raises `WrongState` if it is
    not approved, or something else was written on one of its records since, and `Refused` for what a table
    refuses, such as the deletion of a model that a recall names.
    """
    found = _locked(change_set)
    _require_reason(found, reason)
    if found.state != ChangeSetState.APPROVED:
        raise WrongState(_name(found), f"is {found.get_state_display().lower()}, not approved")
    by_kind: dict[str, list[PendingChange]] = {}
    for change in found.changes.all():
        by_kind.setdefault(change.kind, []).append(change)
    with pghistory.context(taken_back=found.pk, reason=reason):
        for kind, changes in by_kind.items():
            _write(tables[kind], _undone(tables[kind], changes, by), by)
    ChangeSet.objects.filter(pk=found.pk).update(state=ChangeSetState.TAKEN_BACK)
    _log(found, EditorAction.TAKE_BACK, by=by, reason=reason)


@transaction.atomic
def return_to_author(change_set: int, *, by: User, reason: str) -> None:
    """Return a change set to its author, and say what is wrong with it. Nothing of it is written."""
    found = _locked(change_set)
    _require_reason(found, reason)
    _require_state(found, ChangeSetState.WAITING)
    _decide(found, ChangeSetState.RETURNED, EditorAction.RETURN, by=by, at=timezone.now(), reason=reason)


@transaction.atomic
def discard(change_set: int, *, by: User, reason: str) -> None:
    """Discard a change set that waits or was returned. Nothing of it is written."""
    found = _locked(change_set)
    _require_reason(found, reason)
    _require_state(found, ChangeSetState.WAITING, ChangeSetState.RETURNED)
    _decide(found, ChangeSetState.DISCARDED, EditorAction.DISCARD, by=by, at=timezone.now(), reason=reason)


def _edits(
    table: Table, records: Sequence[object], by: User, known: Mapping[str, object] | None
) -> list[Edit]:
    """Return records as edits; those that exist are locked."""
    named = {str(getattr(record, table.key)): record for record in records}
    if known is None:
        known = {name: found.record for name, found in table.existing(named, by=by).items()}
    return [Edit(name, known.get(name), record) for name, record in named.items()]


def _require_free(kind: str, record_ids: Sequence[str]) -> None:
    """Check that no change of these records waits already. Raises `WrongState` for the first."""
    waiting = PendingChange.objects.filter(kind=kind, record_id__in=record_ids, waiting=True)
    for change in waiting.order_by("record_id"):
        raise WrongState(
            change.record_id,
            f"a change of it waits for approval already, in change set {change.change_set_id}: "
            "that one must be decided first",
        )


def _try(table: Table, edits: Sequence[Edit], by: User) -> None:
    """Write edits and take them back, so that what the tables refuse is refused now."""
    if not edits:
        return
    with transaction.atomic():
        _write(table, edits, by)
        transaction.set_rollback(True)


def _write(table: Table, edits: Sequence[Edit], by: User) -> None:
    new = iter([edit.after for edit in edits if edit.before is None])
    while batch := list(islice(new, BATCH)):
        table.record(by, batch)
    changed = iter([edit.after for edit in edits if edit.before is not None and edit.after is not None])
    while batch := list(islice(changed, BATCH)):
        table.change(by, batch)
    for edit in edits:
        if edit.after is None:
            _delete(table, edit.record_id, by)


def _delete(table: Table, record_id: str, by: User) -> None:
    if table.remove is None:
        raise Unfit(record_id, f"a {table.model._meta.verbose_name} is not deleted")
    table.remove(by, record_id)


def stale_records(
    changes: Iterable[PendingChange], tables: Mapping[str, Table], present: Present
) -> list[str]:
    """Say how records differ now from what waiting changes were made for; nothing if they can be approved.

    `tables` are by kind.
    """
    problems = (
        (change, _staleness(tables[change.kind], change, present.get((change.kind, change.record_id))))
        for change in changes
    )
    return [f"{change.record_id} {problem}" for change, problem in problems if problem]


def _fresh(table: Table, changes: Sequence[PendingChange], by: User) -> list[Edit]:
    """Return changes as edits of the present records. Raises `WrongState` if any has changed since."""
    there = table.existing([change.record_id for change in changes], by=by)
    edits, stale = [], []
    for change in changes:
        found = there.get(change.record_id)
        record = found.record if found else None
        problem = _staleness(table, change, record)
        if problem:
            stale.append((change.record_id, problem))
        else:
            after = with_facts(table.record_type, record, change.after) if change.after else None
            edits.append(Edit(change.record_id, record, after))
    if stale:
        more = f"; and {len(stale) - 1} more of its records changed" if len(stale) > 1 else ""
        raise WrongState(stale[0][0], f"{stale[0][1]}{more}. Return the change set to its author")
    return edits


def _undone(table: Table, changes: Sequence[PendingChange], by: User) -> list[Edit]:
    """Return the edits that undo written changes. Raises `WrongState` if any has changed since."""
    there = table.existing([change.record_id for change in changes], by=by)
    edits = []
    for change in changes:
        found = there.get(change.record_id)
        record = found.record if found else None
        if not as_left(table, change, record):
            raise WrongState(
                change.record_id,
                "was changed again after this was approved, or has another id now, so it is not taken back",
            )
        before = None if change.before is None else restored(table, change, record)
        edits.append(Edit(change.record_id, record, before))
    return edits


def _staleness(table: Table, change: PendingChange, record: object) -> str:
    """Say how a record differs from what a change set was made for; "" if it does not."""
    if change.before is None:
        return "was recorded after this was saved" if record is not None else ""
    if record is None:
        return "was deleted after this was saved"
    then = with_facts(table.record_type, record, change.before)
    changed = [
        f"`{name}` was {old or 'empty'} and is {new or 'empty'} now"
        for name, old, new in differences(then, record)
    ]
    return f"has changed after this was saved: {', '.join(changed)}" if changed else ""


def _decide(
    found: ChangeSet,
    state: ChangeSetState,
    action: EditorAction,
    *,
    by: User,
    at: object,
    reason: str = "",
) -> None:
    PendingChange.objects.filter(change_set=found, waiting=True).update(waiting=False)
    ChangeSet.objects.filter(pk=found.pk).update(state=state, decided_at=at, decided_by=by)
    _log(found, action, by=by, reason=reason)


def _log(found: ChangeSet, action: EditorAction, *, by: User, reason: str = "") -> None:
    """Log an action for the change set, and for each of its records."""
    now = timezone.now()
    subjects = [(str(found.pk), None)]
    log(by=by, at=now, action=action, kind=KIND, subjects=subjects, reason=reason)
    by_kind: dict[str, list[tuple[str, None]]] = {}
    for kind, record_id in found.changes.values_list("kind", "record_id"):
        by_kind.setdefault(kind, []).append((record_id, None))
    for kind, records in by_kind.items():
        details = {"change_set": found.pk}
        log(by=by, at=now, action=action, kind=kind, subjects=records, reason=reason, details=details)


def _returned(change_set: int, changes: Sequence[PendingChange]) -> ChangeSet:
    """Return a returned change set about the same records, locked. Raises `WrongState`."""
    returned = _locked(change_set)
    _require_state(returned, ChangeSetState.RETURNED)
    if set(returned.changes.values_list("kind", "record_id")) != {
        (one.kind, one.record_id) for one in changes
    }:
        raise WrongState(_name(returned), "is about other records, so this does not replace it")
    return returned


def _locked(change_set: int) -> ChangeSet:
    rows = ChangeSet.objects.select_for_update(of=("self",)).select_related("created_by")
    found = rows.filter(pk=change_set).first()
    if found is None:
        raise NotRecorded(str(change_set), "there is no such change set")
    return found


def _require_state(found: ChangeSet, *states: ChangeSetState) -> None:
    if found.state not in states:
        raise WrongState(_name(found), f"is {found.get_state_display().lower()} already")


def _require_reason(found: ChangeSet, reason: str) -> None:
    if not reason.strip():
        raise ReasonMissing(_name(found), "say why")


def _name(found: ChangeSet) -> str:
    return f"change set {found.pk}"
