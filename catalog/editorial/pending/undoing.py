"""Undoes an approved change set by another one, which gives all of its records their facts of before.

An import of four hundred models is undone as it was done: as a whole, after another person's approval.
"""

from collections.abc import Mapping
from typing import cast

from django.contrib.auth.models import User
from django.db import transaction

from catalog.bulk.tables import Table
from catalog.editorial.pending.actions import hold, hold_deletions, open_change_set
from catalog.editorial.pending.facts import as_left, restored
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.errors import ReasonMissing, WrongState

MOST_NAMED = 5
"""How many records a refusal names."""


@transaction.atomic
def undo(change_set: ChangeSet, *, by: User, reason: str, tables: Mapping[str, Table]) -> ChangeSet:
    """Keep the undoing in a change set that waits; `tables` are by kind.

    Raises `ReasonMissing`, `WrongState` if the set was not approved or some of its records have other facts
    now, and `Refused` for what the tables refuse, such as the deletion of a model that has a recall since.
    """
    if not reason.strip():
        raise ReasonMissing(str(change_set), "say why")
    if change_set.state != ChangeSetState.APPROVED:
        raise WrongState(str(change_set), "was never approved, so there is nothing to undo")
    by_kind: dict[str, list[PendingChange]] = {}
    for change in change_set.changes.all():
        by_kind.setdefault(change.kind, []).append(change)
    held, stale = [], []
    for kind, changes in by_kind.items():
        table = tables[kind]
        there = table.existing([change.record_id for change in changes], by=by)
        present = {name: found.record for name, found in there.items()}
        stale += [one.record_id for one in changes if not as_left(table, one, present.get(one.record_id))]
        if stale:
            continue
        back = [restored(table, one, present.get(one.record_id)) for one in changes if one.before is not None]
        held += hold(table, back, by=by, reason=reason, known=present)
        held += hold_deletions(table, [one.record_id for one in changes if one.before is None], by=by)
    if stale:
        raise WrongState(str(change_set), _changed_since(stale))
    subject = f"undo change set {change_set.pk}"
    opened = open_change_set(held, by=by, subject=subject, reason=reason)
    return cast(ChangeSet, opened)  # An approved set changed something, and its records are as it left them.


def _changed_since(stale: list[str]) -> str:
    named = ", ".join(sorted(stale)[:MOST_NAMED])
    more = f" and {len(stale) - MOST_NAMED} more" if len(stale) > MOST_NAMED else ""
    return f"cannot be undone as a whole: {named}{more} changed since. Correct these records one by one"
