"""Which fields of a record wait for approval, and what a waiting change makes of a record.

Called by the actions, the selectors and the screens of change sets.
"""

from typing import Any, NamedTuple

import msgspec

from catalog.bulk.cells import differences
from catalog.bulk.tables import Table
from catalog.editorial.pending.models import PendingChange
from catalog.records import Record


class Edit(NamedTuple):
    """A record as it is and as an editor wants it: `before` is None for a new one, `after` for a deletion."""

    record_id: str
    before: Any
    after: Any


def kind_of(table: Table) -> str:
    """Return the name of a table in change sets and in the audit log."""
    return str(table.model._meta.model_name)


def decides(table: Table, edit: Edit) -> bool:
    """Return whether an edit has to wait for approval: a new record and a deletion do."""
    if edit.before is None or edit.after is None:
        return True
    return any(getattr(edit.before, name) != getattr(edit.after, name) for name in table.deciding)


def at_once(table: Table, edit: Edit) -> Any:
    """Return the record with only those changes that need no approval."""
    kept = {name: getattr(edit.before, name) for name in table.deciding}
    return msgspec.structs.replace(edit.after, **kept)


def pending_change(table: Table, edit: Edit) -> PendingChange:
    """Return what a change set keeps of an edit, unsaved."""
    # Of a deletion nothing comes after.
    after = {} if edit.after is None else msgspec.to_builtins(edit.after)
    if edit.before is None:
        return PendingChange(kind=kind_of(table), record_id=edit.record_id, before=None, after=after)
    before = msgspec.to_builtins(edit.before)
    return PendingChange(
        kind=kind_of(table),
        record_id=edit.record_id,
        before={name: before[name] for name in table.deciding},
        after={name: after[name] for name in table.deciding if after},
    )


def with_facts(record_type: type[Record], record: Any, facts: dict[str, Any]) -> Any:
    """Return a record with the kept facts of a change set; without a record, the facts are all of it."""
    recorded = {} if record is None else msgspec.to_builtins(record)
    return msgspec.convert({**recorded, **facts}, record_type)


def as_left(table: Table, change: PendingChange, record: Any) -> bool:
    """Return whether a record has the facts that the change gave it."""
    if not change.after:
        return record is None
    return record is not None and not differences(with_facts(table.record_type, record, change.after), record)


def restored(table: Table, change: PendingChange, record: Any) -> Any:
    """Return the record of before a change. Of one that was deleted, only the facts that decide were kept."""
    key = {} if record is not None else {table.key: change.record_id}
    return with_facts(table.record_type, record, {**key, **(change.before or {})})
