"""Reads change sets: what waits for whom, and who is behind the present facts of a record."""

import datetime
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple, get_args

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from msgspec.structs import fields

from catalog.bulk.tables import Table
from catalog.editorial.pending.facts import kind_of, with_facts
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.records import Device

FIGURES = frozenset(field.name for field in fields(Device) if Decimal in get_args(field.type))
"""The fields that are decimal figures. Only models have some."""


class LastChange(NamedTuple):
    """Who wrote and who approved the facts that a record has now, and when it was approved."""

    change_set: int
    authors: frozenset[int]
    approved_by: int
    approved_at: datetime.datetime


Present = Mapping[tuple[str, str], Any]
"""Records as they are now, by kind and id."""


def present_records(tables: Mapping[str, Table], changes: Collection[PendingChange]) -> Present:
    """Return the present records of some changes. A few queries for each kind; `tables` are by kind."""
    present = {}
    for kind in {change.kind for change in changes}:
        table = tables[kind]
        ids = [change.record_id for change in changes if change.kind == kind]
        for record in table.model.objects.filter(pk__in=ids).all_records():
            present[kind, str(getattr(record, table.key))] = record
    return present


def last_changes(table: Table, record_ids: Collection[str]) -> dict[str, LastChange]:
    """Return the last approved change of each of some records, if the record still has its facts.

    A record is missing here if no one approved its present facts: a starter-corpus update, a roll-back or a
    program wrote them. Its history says who did. Three queries.
    """
    approved = PendingChange.objects.filter(
        kind=kind_of(table), record_id__in=record_ids, change_set__state=ChangeSetState.APPROVED
    ).select_related("change_set")
    newest = {change.record_id: change for change in approved.order_by("change_set__decided_at", "pk")}
    records = table.model.objects.filter(pk__in=newest.keys()).records()
    present = {str(getattr(record, table.key)): record for record in records}
    return {
        name: _last_change(change.change_set)
        for name, change in newest.items()
        if name in present and change.after and _says(table, present[name], change)
    }


def earlier_authors(changes: Iterable[PendingChange]) -> set[int]:
    """Return who wrote some of the same facts of the same records in change sets that did not stay.

    One value that both change to is enough. One query for each kind of record.
    """
    by_kind: defaultdict[str, dict[str, PendingChange]] = defaultdict(dict)
    for change in changes:
        by_kind[change.kind][change.record_id] = change
    people: set[int] = set()
    for kind, wanted in by_kind.items():
        dropped = PendingChange.objects.filter(
            kind=kind,
            record_id__in=list(wanted),
            change_set__state__in=(
                ChangeSetState.RETURNED,
                ChangeSetState.DISCARDED,
                ChangeSetState.TAKEN_BACK,
            ),
        )
        for earlier in dropped.select_related("change_set"):
            if _share_words(earlier, wanted[earlier.record_id]):
                people.update(earlier.change_set.authors)
    return people


def _share_words(one: PendingChange, other: PendingChange) -> bool:
    """Return whether two changes of a record both delete it, or give a field the same new value."""
    if not one.after or not other.after:
        return one.after == other.after
    old, new = _new_values(one), _new_values(other)
    return any(name in new and new[name] == value for name, value in old.items())


def _new_values(change: PendingChange) -> dict[str, Any]:
    """Return the values that a change gives to fields. How a figure or a list is written does not matter.

    90.0 is 90. Who wrote a list also wrote it in another order, but another order alone is new, too.
    """
    before, after = _with_figures(change.before or {}), _with_figures(change.after)
    return {name: _without_order(value) for name, value in after.items() if before.get(name) != value}


def _with_figures(facts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: Decimal(value) if name in FIGURES and value is not None else value
        for name, value in facts.items()
    }


def _without_order(value: Any) -> Any:
    """Return a list as the sorted texts of its items; what is not saved yet has tuples instead of lists."""
    if not isinstance(value, list | tuple):
        return value
    return sorted(json.dumps(one, sort_keys=True) for one in value)


def _last_change(found: Any) -> LastChange:
    return LastChange(found.pk, frozenset(found.authors), found.decided_by_id, found.decided_at)


def _says(table: Table, record: object, change: PendingChange) -> bool:
    """Return whether a record has the facts of a change."""
    approved = with_facts(table.record_type, record, change.after)
    return all(getattr(approved, name) == getattr(record, name) for name in table.deciding)


def waiting_change(table: Table, record_id: str) -> PendingChange | None:
    """Return the change of a record that waits for approval, with its change set."""
    waiting = PendingChange.objects.filter(kind=kind_of(table), record_id=record_id, waiting=True)
    return waiting.select_related("change_set__created_by").first()


def approvable_by(user: User) -> Q:
    """Return the condition that a change set waits, and that a user is none of its authors."""
    return Q(state=ChangeSetState.WAITING) & ~Q(authors__contains=[user.pk])


def returned_to(user: User) -> Q:
    """Return the condition that a change set was returned to a user."""
    return Q(state=ChangeSetState.RETURNED, authors__contains=[user.pk])


def waiting_of(user: User) -> Q:
    """Return the condition that a change set of a user's own work waits for the approval of others."""
    return Q(state=ChangeSetState.WAITING, authors__contains=[user.pk])


def approvers_of(change_set: ChangeSet) -> QuerySet[User]:
    """Return the people who can approve a change set, by name."""
    able = User.objects.with_perm(
        "catalog.approve_changeset", backend="django.contrib.auth.backends.ModelBackend"
    )
    return able.exclude(pk__in=change_set.authors).order_by("username")
