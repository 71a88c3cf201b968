"""Reads change sets: what waits for whom, and who is behind the present facts of a record."""

import datetime
from collections.abc import Collection
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from catalog.bulk.tables import Table
from catalog.editorial.pending.facts import kind_of, with_facts
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange


class LastChange(NamedTuple):
    """Who wrote and who approved the deciding facts that a record has now, and when it was approved."""

    change_set: int
    authors: frozenset[int]
    approved_by: int
    approved_at: datetime.datetime


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


def _last_change(found: Any) -> LastChange:
    return LastChange(found.pk, frozenset(found.authors), found.decided_by_id, found.decided_at)


def _says(table: Table, record: object, change: PendingChange) -> bool:
    """Return whether a record has the deciding facts of a change."""
    approved = with_facts(table, record, change.after)
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


def approvers_of(change_set: ChangeSet) -> QuerySet[User]:
    """Return the people who can approve a change set, by name."""
    able = User.objects.with_perm(
        "catalog.approve_changeset", backend="django.contrib.auth.backends.ModelBackend"
    )
    return able.exclude(pk__in=change_set.authors).order_by("username")
