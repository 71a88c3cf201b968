"""How a change set is shown: each record with its fields before and after, and its evidence."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from catalog.bulk.cells import differences
from catalog.bulk.tables import Table
from catalog.editorial.pending.facts import with_facts
from catalog.editorial.pending.models import PendingChange
from catalog.sources.evidence_columns import caption
from catalog.sources.models import Source


class ShownChange(NamedTuple):
    """One record of a change set as a page shows it."""

    kind: str
    record_id: str
    is_new: bool
    is_deleted: bool
    differences: list[tuple[str, str, str]]
    sources: list[tuple[Source, str]] = []


def shown_change(table: Table, change: PendingChange, record: Any) -> ShownChange:
    """Return one change with its differences; `record` is the present record, None if there is none."""
    is_new, is_deleted = change.before is None, not change.after
    if is_deleted:
        there = [] if record is None else differences(None, record)
        fields = [(name, value, "") for name, _, value in there]
    elif is_new:
        fields = differences(None, with_facts(table.record_type, None, change.after))
    elif record is None:
        fields = [
            (name, str(change.before[name]), str(value))
            for name, value in change.after.items()
            if value != change.before[name]
        ]
    else:
        before = with_facts(table.record_type, record, change.before)
        fields = differences(before, with_facts(table.record_type, record, change.after))
    said = [(_label(name), old, new) for name, old, new in fields]
    return ShownChange(change.kind, change.record_id, is_new, is_deleted, said)


def _label(column: str) -> str:
    """Return the name of a column in words: `policy.max_units` is “Policy, max units”."""
    return column.replace(".", ", ").replace("_", " ").capitalize()


def shown_changes(tables: Mapping[str, Table], changes: Iterable[PendingChange]) -> list[ShownChange]:
    """Return changes with their differences and sources, in a few queries."""
    changes = list(changes)
    cited = Source.objects.in_bulk({source for change in changes for source in _sources(change)})
    present: dict[tuple[str, str], Any] = {}
    for kind in {change.kind for change in changes}:
        table = tables[kind]
        ids = [change.record_id for change in changes if change.kind == kind]
        for record in table.model.objects.filter(pk__in=ids).records():
            present[kind, str(getattr(record, table.key))] = record
    return [
        shown_change(tables[change.kind], change, present.get((change.kind, change.record_id)))._replace(
            sources=[
                (cited[source], caption(cited[source])) for source in _sources(change) if source in cited
            ]
        )
        for change in changes
    ]


def _sources(change: PendingChange) -> list[str]:
    """Return the ids of the sources that a change names. A fact of an airport contains its pages itself."""
    return [source for source in change.after.get("sources", ()) if isinstance(source, str)]
