"""What a roll-back does to revisions of one kind. Part of `rules.publishing.actions.rolling_back`.

Rules, recalls and disagreements have revisions: the content that was live then becomes a new revision.
`catalog.rolling_back` does the same for the tables of the catalog.
"""

import copy
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects

from catalog.editorial.actions.workflow import copy_evidence, move
from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.models import MARKS, SECOND, Revision
from catalog.editorial.workflow import OPEN, EditorAction, State
from catalog.errors import NotRecorded
from catalog.tables.actions.inserting import insert


@dataclass(frozen=True, kw_only=True)
class RollBack:
    """Who rolls back, when and why: from the current release to the content of `to`, as `release`.

    `program` is the account that writes withdrawals: the person who rolls back approves them, and no one
    approves their own work.
    """

    by: User
    at: datetime.datetime
    reason: str
    to: str
    release: str
    program: User

    @property
    def because(self) -> str:
        """Return the reason for setting a record aside or starting it again."""
        return f"Rolled back to {self.to}: {self.reason}"

    @property
    def marks(self) -> dict[str, Any]:
        """Return what every entry of the log says apart from the reason."""
        return {"release": self.release, "back_to": self.to}


@dataclass(frozen=True, kw_only=True)
class _Step:
    """What happens to one record. `base` is the revision to restore, or the published one to withdraw.

    `writers` wrote in a revision that the release to go back to does not have. A revision copies the one
    before, so all of them are authors of the one to work on afterwards.
    """

    base: Revision
    withdraws: bool
    live: Revision | None
    approved: Sequence[Revision]
    open: Revision | None
    writers: frozenset[int]
    number: int

    @property
    def reopened(self) -> Revision | None:
        """Return the revision to work on after the roll-back: the open one, or else the approved one."""
        return self.open or (self.approved[-1] if self.approved else None)


def restore_revisions(model: type[Revision], roll_back: RollBack, wanted: Mapping[str, Any]) -> None:
    """Publish the earlier content of each record; the keys are ids, None means that it did not exist then.

    An open revision stays open, as a draft behind the restored revision. An approved revision that was not
    yet published becomes a draft again: its approval assumed the content that is rolled back. The caller
    locks the table against other writers. Raises `NotRecorded` for a record without a revision with that
    content.
    """
    found = model._default_manager.filter(**{f"{model.id_field}__in": list(wanted)}).by_record()
    prefetch_related_objects([row for rows in found.values() for row in rows], "evidence")
    steps = [_step(name, found.get(name, []), record) for name, record in wanted.items()]
    _clear_the_way(model, roll_back, steps)
    _publish_restored(model, roll_back, steps)
    _open_again(roll_back, [step for step in steps if step.reopened])


def _step(name: str, revisions: Sequence[Any], wanted: Any) -> _Step:
    live = next((row for row in revisions if row.state == State.PUBLISHED), None)
    published = [row for row in revisions if row.published_at and not row.withdraws]
    said_so = [row for row in published if row.to_record() == wanted]
    base = live if wanted is None else next(reversed(said_so), None)
    if base is None:
        raise NotRecorded(name, "has no published revision to restore")
    opened = revisions[-1] if revisions[-1].state in OPEN else None
    return _Step(
        base=base,
        withdraws=wanted is None,
        live=live,
        approved=[row for row in revisions if row.state == State.APPROVED],
        open=opened,
        writers=frozenset(
            author
            for row in revisions
            if wanted is None or row.revision > base.revision
            for author in row.authors
        ),
        number=revisions[-1].revision + (0 if opened else 1),
    )


def _clear_the_way(model: type[Revision], roll_back: RollBack, steps: Sequence[_Step]) -> None:
    """End the published revision and set the open one aside, because a record has at most one of each."""
    by, at, because = roll_back.by, roll_back.at, roll_back.because
    opened = [step.open for step in steps if step.open]
    in_review = [row for row in opened if row.state == State.IN_REVIEW]
    move(in_review, EditorAction.RETURN, by=by, at=at, reason=because, submitted_at=None, submitted_by=None)
    model._default_manager.filter(pk__in=[row.pk for row in opened]).delete()
    agreed = [row for step in steps for row in step.approved]
    move(agreed, EditorAction.SUPERSEDE, by=by, at=at, reason=because, details=roll_back.marks)
    for action, withdraws in ((EditorAction.END, True), (EditorAction.SUPERSEDE, False)):
        live = [step.live for step in steps if step.live and step.withdraws == withdraws]
        move(live, action, by=by, at=at, reason=because, details=roll_back.marks)


def _publish_restored(model: type[Revision], roll_back: RollBack, steps: Sequence[_Step]) -> None:
    """Take a copy of each base through all states to the release, with its authors and its approver."""
    if not steps:
        return
    restored, at = [], roll_back.at
    for step in steps:
        row = _copy(step.base, step.number)
        row.withdraws = step.withdraws
        if step.withdraws:
            row.created_at, row.created_by, row.authors = at, roll_back.program, [roll_back.program.pk]
        restored.append(row)
    bases = [step.base for step in steps]
    _insert(bases, restored)
    for row, step in zip(restored, steps, strict=True):
        row.state = State.IN_REVIEW
        row.submitted_at = at if step.withdraws else step.base.submitted_at
        row.submitted_by_id = roll_back.program.pk if step.withdraws else step.base.submitted_by_id
    rows = model._default_manager
    rows.bulk_update(restored, ["state", "submitted_at", "submitted_by"])
    for row, step in zip(restored, steps, strict=True):
        row.state = State.APPROVED
        row.approved_at = at if step.withdraws else step.base.approved_at
        row.approved_by_id = roll_back.by.pk if step.withdraws else step.base.approved_by_id
    rows.bulk_update(restored, ["state", "approved_at", "approved_by"])
    twice = [(row, step.base) for row, step in zip(restored, steps, strict=True) if not step.withdraws]
    for row, base in twice:
        row.second_approved_at = base.second_approved_at
        row.second_approved_by_id = base.second_approved_by_id
    rows.bulk_update([row for row, base in twice if base.second_approved_at], SECOND)
    rows.filter(pk__in=[row.pk for row in restored]).update(
        state=State.PUBLISHED, published_at=at, published_by=roll_back.by
    )
    log_revisions(
        restored,
        by=roll_back.by,
        at=at,
        action=EditorAction.ROLL_BACK,
        reason=roll_back.reason,
        details=roll_back.marks,
    )


def _open_again(roll_back: RollBack, steps: Sequence[_Step]) -> None:
    """Write again, behind the restored revisions, those that were open, or approved and not yet published."""
    bases: list[Any] = [step.reopened for step in steps]
    rows = [_copy(base, step.number + 1) for base, step in zip(bases, steps, strict=True)]
    for row, step in zip(rows, steps, strict=True):
        # The same row, so an open form still refers to it.
        row.pk = step.open.pk if step.open else None
        row.authors = sorted(step.writers)
    _insert(bases, rows)
    for row, base, step in zip(rows, bases, steps, strict=True):
        log_revisions(
            [row],
            by=roll_back.by,
            at=roll_back.at,
            action=EditorAction.RENUMBER if step.open else EditorAction.REVISE,
            reason=roll_back.because,
            details=roll_back.marks | {"was": base.revision},
        )


def _insert(bases: Sequence[Revision], rows: Sequence[Revision]) -> None:
    insert(rows, owner="stable_id", copies=True)
    copy_evidence(bases, rows)


def _copy(base: Revision, number: int) -> Any:
    """Return a copy of a revision as an unsaved draft, with its authors, under another number."""
    row = copy.copy(base)
    # Otherwise the copy would share the original's prefetched rows.
    row._prefetched_objects_cache = {}  # type: ignore[attr-defined]
    row.pk, row._state.adding, row.revision = None, True, number
    for mark in MARKS:
        setattr(row, mark, None)
    row.state = State.DRAFT
    return row
