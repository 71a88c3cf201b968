"""How a change set is shown: each record with its fields before and after, and its evidence."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from catalog.bulk.cells import differences
from catalog.bulk.tables import Table
from catalog.editorial.pending.facts import with_facts
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.editorial.pending.selectors import Present
from catalog.records import POINTER
from catalog.sources.evidence_columns import caption
from catalog.sources.models import Source

RESTING = ("device", "airline")
"""The kinds of records that name the sources on which they rest."""

MOST_NAMED = 5
"""How many records a sentence names."""


class ShownChange(NamedTuple):
    """One record of a change set as a page shows it."""

    kind: str
    record_id: str
    is_new: bool
    is_deleted: bool
    differences: list[tuple[str, str, str]]
    sources: list[tuple[Source, str]] = []


def shown_change(table: Table, change: PendingChange, record: Any, form: type[Any]) -> ShownChange:
    """Return one change with its differences; `record` is the present record, None if there is none.

    Fields are called as in the `form` of such records.
    """
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
    return ShownChange(change.kind, change.record_id, is_new, is_deleted, labelled(fields, form))


def labelled(fields: Iterable[tuple[str, str, str]], form: type[Any]) -> list[tuple[str, str, str]]:
    """Return differences with each field called as in a form."""
    return [(_label(name, form), old, new) for name, old, new in fields]


def _label(column: str, form: type[Any]) -> str:
    """Return what a form calls a column. One that it lacks is in words: “Policy, max units”."""
    name = column.rpartition(".")[2]
    field = getattr(form, "base_fields", {}).get(getattr(form, "names", {}).get(name, name))
    if field is not None and field.label:
        return str(field.label)
    return column.replace(".", ", ").replace("_", " ").capitalize()


def shown_changes(
    tables: Mapping[str, Table],
    changes: Collection[PendingChange],
    present: Present,
    *,
    forms: Mapping[str, type[Any]],
) -> list[ShownChange]:
    """Return changes with their differences and sources. One query; tables and forms are by kind."""
    named = Source.objects.in_bulk({source for change in changes for source in _sources(change)})
    return [
        shown_change(
            tables[change.kind], change, present.get((change.kind, change.record_id)), forms[change.kind]
        )._replace(
            sources=[
                (named[source], caption(named[source])) for source in _sources(change) if source in named
            ]
        )
        for change in changes
    ]


def unread(change_set: ChangeSet) -> str:
    """Say which models and airlines of a change set that waits rest on nothing that was read, and what to do.

    Empty if there are none. Two queries.
    """
    if change_set.state != ChangeSetState.WAITING:
        return ""
    named = {
        change.record_id: cited(change)
        for change in change_set.changes.filter(kind__in=RESTING)
        if change.after
    }
    wanted = set().union(*named.values())
    read = set(Source.objects.filter(pk__in=wanted).exclude(basis=POINTER).values_list("pk", flat=True))
    found = sorted(record_id for record_id, sources in named.items() if read.isdisjoint(sources))
    if not found:
        return ""
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return (
        f"No page was read for {', '.join(found[:MOST_NAMED])}{more}. If it makes an answer less strict, it "
        "cannot be published like this. Everything else can: leave this out on the page “Publish”. First "
        "record the page where this was read as a source, and name that source in the record."
    )


def _sources(change: PendingChange) -> list[str]:
    """Return the ids of the sources that a change names. A fact of an airport contains its pages itself."""
    return [source for source in change.after.get("sources", ()) if isinstance(source, str)]


def cited(change: PendingChange) -> set[str]:
    """Return the ids of the sources that a record names after a change, also for its certificates."""
    certificates = change.after.get("certificates", ())
    return {*_sources(change), *(certificate["source"] for certificate in certificates)}
