"""Reads the audit log, and selects revisions by what one person has to do with them.

Called by the desk, by lists and by tests.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When, prefetch_related_objects
from django.db.models.functions import Coalesce

from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.models import Revision
from catalog.editorial.owed.models import MeasuredRevision
from catalog.editorial.workflow import AGREED, EditorAction, State
from catalog.tables.history import events_of


def audit_log(kind: str, subject: str) -> QuerySet[AuditEntry]:
    """Return the entries for one record, all its revisions together, in the order of the actions."""
    return AuditEntry.objects.filter(kind=kind, subject=subject).select_related("done_by").order_by("id")


def writers_of(model: type[Revision], ids: Collection[str]) -> dict[str, set[int]]:
    """Return who wrote what is not published yet of each record: the authors of all later revisions.

    A revision copies the one before, so it also contains the words of revisions that were taken back. The
    words of a discarded draft can be written again, so its authors count, too: the history has them. After a
    published withdrawal the record is in no release, so the authors of what was withdrawn count again: a
    revision that brings it back copies their words.
    """
    named = {f"{model.id_field}__in": ids}
    columns = (model.id_field, "revision", "published_at", "withdraws", "authors")
    discarded = events_of(model).filter(pgh_label="delete", **named).values_list(*columns)
    rows = model._default_manager.filter(**named).values_list(*columns)
    people: defaultdict[str, set[int]] = defaultdict(set)
    published: dict[str, set[int]] = {}
    # The next revision gets the number of a discarded one, which comes first.
    for record_id, _, published_at, withdraws, authors in sorted([*discarded, *rows], key=itemgetter(1)):
        people[record_id] |= set(authors)
        if published_at and withdraws:
            people[record_id] |= published.get(record_id, set())
        elif published_at:
            published[record_id], people[record_id] = people[record_id], set()
    return people


def nothing_new(revisions: Sequence[Revision]) -> str:
    """Return why the newest revision of a record says nothing new; "" if it does.

    `revisions` are those of the record, the oldest first. A withdrawal is new, and so is what brings a
    withdrawn record back.
    """
    *earlier, newest = revisions
    agreed = [row for row in earlier if row.state in AGREED]
    if newest.withdraws or not agreed or agreed[-1].withdraws:
        return ""
    prefetch_related_objects([agreed[-1], newest], *newest.record_parts)
    if agreed[-1].to_record() != newest.to_record():
        return ""
    return f"says the same as revision {agreed[-1].revision}, so there is nothing to review"


def drafts_of(user: User) -> Q:
    """Return the condition that a revision is a draft in which a user has written."""
    return Q(state=State.DRAFT, authors__contains=[user.pk])


DRAFTED_BY_A_PROGRAM = Q(state=State.DRAFT, created_by__is_active=False)
"""The condition that a revision is a draft that a program opened: no one can sign in as its author."""


def in_review_by(user: User) -> Q:
    """Return the condition that a revision of a user's own work waits for the review of others."""
    return Q(state=State.IN_REVIEW, authors__contains=[user.pk])


def agreed_of(user: User) -> Q:
    """Return the condition that a revision of a user's own work is approved, and not published yet."""
    return Q(state=State.APPROVED, authors__contains=[user.pk])


def reviewable_by(user: User) -> Q:
    """Return the condition that a revision waits for review, and that a user is none of its authors."""
    return Q(state=State.IN_REVIEW) & ~Q(authors__contains=[user.pk])


def approvable_again_by(user: User) -> Q:
    """Return the condition that another person approved a revision once, and a user may approve it again."""
    approved_once = Q(state=State.APPROVED, second_approved_at__isnull=True)
    return approved_once & ~Q(approved_by=user) & ~Q(authors__contains=[user.pk])


def owes_approval_of(user: User, model: type[Revision]) -> Q:
    """Return the condition that a revision needs a second approval, which a user can give.

    It makes an answer less strict, as last measured, and the user neither wrote nor approved it.
    """
    notes = _note_on(model).filter(less_strict=True).exclude(writers__contains=[user.pk])
    return approvable_again_by(user) & Q(Exists(notes))


def not_measured_for(user: User, model: type[Revision]) -> Q:
    """Return the condition that a user may approve a revision again, and that it is not measured yet."""
    return approvable_again_by(user) & ~Q(Exists(_note_on(model)))


def measured_revisions(model: type[Revision]) -> QuerySet[MeasuredRevision]:
    """Return the notes on revisions of a kind that were approved once and measured."""
    return MeasuredRevision.objects.filter(kind=model._meta.model_name)


def _note_on(model: type[Revision]) -> QuerySet[MeasuredRevision]:
    return measured_revisions(model).filter(row=OuterRef("pk"))


def returns_of(model: type[Revision]) -> QuerySet[Any]:
    """Return the log's entries, the newest first, for returns of the revision of an outer query."""
    return AuditEntry.objects.filter(
        kind=model._meta.model_name,
        subject=OuterRef(model.id_field),
        revision=OuterRef("revision"),
        verb=EditorAction.RETURN,
    ).order_by("-pk")


ENDED = (EditorAction.SUPERSEDE, EditorAction.END, EditorAction.TAKE_BACK)


def in_state_since(model: type[Revision]) -> Case:
    """Return since when a revision has been in its state, as an expression over revisions."""
    moved = AuditEntry.objects.filter(
        kind=model._meta.model_name,
        subject=OuterRef(model.id_field),
        revision=OuterRef("revision"),
        verb__in=ENDED,
    )
    return Case(
        When(
            state=State.DRAFT, then=Coalesce(Subquery(returns_of(model).values("done_at")[:1]), "created_at")
        ),
        When(state=State.IN_REVIEW, then="submitted_at"),
        When(state=State.APPROVED, then="approved_at"),
        When(state=State.PUBLISHED, then="published_at"),
        default=Coalesce(Subquery(moved.order_by("-pk").values("done_at")[:1]), "approved_at"),
    )


def was_returned(model: type[Revision]) -> Q:
    """Return the condition that a revision has been returned: as a draft, it still needs corrections."""
    return Q(Exists(returns_of(model)))
