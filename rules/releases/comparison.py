"""What differs between two releases: which records were added, changed or removed, and in which fields.

A pure function of two documents' contents. Called by `manage.py release diff`, by the actions that publish
and roll back, by the editors' desk, and for the change list of the datasets.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from catalog.tables.history import FieldChange
from rules.engine.document import ID_FIELD, Content, builtins


class RecordChange(NamedTuple):
    """One record that differs. `fields` is empty unless it is in both releases."""

    kind: str
    id: str
    change: Literal["added", "changed", "removed"]
    fields: tuple[FieldChange, ...] = ()


def compare(before: Content, after: Content) -> list[RecordChange]:
    """List the records that differ, by kind and then by id."""
    old, new = builtins(before), builtins(after)
    return [
        change for kind in ID_FIELD for change in compare_kind(kind, _by_id(old, kind), _by_id(new, kind))
    ]


Tally = dict[str, dict[str, int]]
"""How many records of each kind were added, changed and removed; kinds without any are left out."""


def tally(changes: Iterable[RecordChange]) -> Tally:
    """Count changes by kind of record."""
    counts: Tally = {}
    for change in changes:
        of_kind = counts.setdefault(change.kind, {})
        of_kind[change.change] = of_kind.get(change.change, 0) + 1
    return counts


def _by_id(content: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    # A kind that a document leaves out is empty.
    return {record[ID_FIELD[kind]]: record for record in content.get(kind, ())}


def compare_kind(
    kind: str, before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]
) -> Iterator[RecordChange]:
    """List the records of one kind that differ, by id. Both sides are plain values by id."""
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield RecordChange(kind, name, "added")
        elif name not in after:
            yield RecordChange(kind, name, "removed")
        elif fields := tuple(_compare_fields(before[name], after[name])):
            yield RecordChange(kind, name, "changed", fields)


def _compare_fields(before: dict[str, Any], after: dict[str, Any], inside: str = "") -> Iterator[FieldChange]:
    # Fields at their defaults are left out of some nested records, so a field can be on only one side.
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _compare_fields(old, new, f"{inside}{name}.")
        elif old != new:
            yield FieldChange(f"{inside}{name}", old, new)
