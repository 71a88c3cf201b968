"""Revisions: the rows of rules and recalls. They are written, reviewed, published, and then never edited.

A record keeps its stable id, and each change of it is another row, a revision. A revision that was submitted
for review does not change: a change means the next revision. `catalog.editorial.workflow` is the table of
states; the constraints and triggers here enforce it against every writer, raw SQL included.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any, ClassVar, Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import CheckConstraint, Exists, F, OuterRef, Q, UniqueConstraint

from catalog.editorial.workflow import AGREED, MOVES, OPEN, State
from catalog.tables.authorship import optional_user
from catalog.tables.constraints import both_or_neither, check, not_after, one_of, same
from catalog.tables.recorded import Recorded, RecordQuerySet
from catalog.tables.triggers import ChangeWhile, refuse

MARKS = (
    "state",
    "submitted_at",
    "submitted_by",
    "approved_at",
    "approved_by",
    "second_approved_at",
    "second_approved_by",
    "published_at",
    "published_by",
)
"""The columns for the state of a revision. All others are its content."""

SECOND = ("second_approved_at", "second_approved_by")
"""Those of them that are set again while a revision stays approved."""


class RevisionQuerySet(RecordQuerySet):
    """Revisions of many records."""

    def newest(self) -> Self:
        """Keep only the newest of each record among these revisions."""
        name = self.model.id_field
        newer = self.filter(**{name: OuterRef(name)}, revision__gt=OuterRef("revision")).order_by()
        return self.filter(~Exists(newer))

    def identified(self, ids: Collection[str]) -> Self:
        """Return the newest revision of each of these records, in any state."""
        return self.filter(**{f"{self.model.id_field}__in": ids}).newest()

    def to_publish(self) -> Self:
        """Return what a release published now would contain: the newest approved, without withdrawals."""
        return self.filter(state__in=AGREED).newest().filter(withdraws=False)

    def by_record(self) -> dict[str, list[Any]]:
        """Return these revisions by the id of their record, the oldest first."""
        revisions: defaultdict[str, list[Any]] = defaultdict(list)
        for row in self.order_by("revision"):
            revisions[row.stable_id].append(row)
        return dict(revisions)


class Revision(Recorded):
    """One revision of a record, which some people write and another person approves.

    `authors` are the ids of all who wrote in it, including its creator. One that `withdraws` takes its record
    out of the releases: its content is what is withdrawn, and it is reviewed like any other. A change that
    makes an answer more lenient is published only after a second approval.
    """

    id_field: ClassVar[str]
    """The field that contains the stable id of the record."""

    id = models.BigAutoField(primary_key=True)
    revision = models.PositiveIntegerField(default=1, editable=False)
    withdraws = models.BooleanField(default=False, editable=False)
    authors = ArrayField(models.IntegerField(), editable=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT, editable=False)
    submitted_at = models.DateTimeField(null=True, blank=True, editable=False)
    submitted_by = optional_user()
    approved_at = models.DateTimeField(null=True, blank=True, editable=False)
    approved_by = optional_user()
    second_approved_at = models.DateTimeField(null=True, blank=True, editable=False)
    second_approved_by = optional_user()
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    published_by = optional_user()

    objects: ClassVar[Any] = RevisionQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.stable_id if self.revision == 1 else f"{self.stable_id}, revision {self.revision}"

    @property
    def stable_id(self) -> str:
        """The id of the record, which all its revisions share."""
        return getattr(self, self.id_field)


def revision_constraints(model: str, id_field: str) -> list[CheckConstraint | UniqueConstraint]:
    """Return the constraints on single rows, and on the revisions of one record."""
    after_review = [state for state in State.values if state not in OPEN]
    return [
        UniqueConstraint(
            name=f"{model}_revision_once",
            fields=[id_field, "revision"],
            violation_error_message="has this revision already",
        ),
        UniqueConstraint(
            name=f"{model}_one_open_revision",
            fields=[id_field],
            condition=Q(state__in=OPEN),
            violation_error_message="has an open revision already",
        ),
        UniqueConstraint(
            name=f"{model}_one_published_revision",
            fields=[id_field],
            condition=Q(state=State.PUBLISHED),
            violation_error_message="has a published revision already",
        ),
        check(
            f"{model}_revisions_count_from_one",
            Q(revision__gte=1),
            "revisions count from 1",
        ),
        check(
            f"{model}_first_revision_withdraws_nothing",
            Q(withdraws=False) | Q(revision__gt=1),
            "the first revision has nothing to withdraw",
        ),
        one_of(f"{model}_state_is_known", "state", State.values),
        check(
            f"{model}_creator_is_an_author",
            Q(authors__contains=[F("created_by")]),
            "the person who opened a revision is one of its authors",
        ),
        both_or_neither(f"{model}_submission_is_a_pair", "submitted_at", "submitted_by"),
        check(
            f"{model}_submitted_unless_draft",
            same(Q(state=State.DRAFT), Q(submitted_at__isnull=True)),
            "a revision is a draft until it is submitted, and never after that",
        ),
        both_or_neither(f"{model}_approval_is_a_pair", "approved_at", "approved_by"),
        check(
            f"{model}_approved_has_an_approver",
            same(Q(state__in=after_review), Q(approved_at__isnull=False)),
            "a revision is past its review exactly when it is approved",
        ),
        check(
            f"{model}_approver_is_not_author",
            ~Q(authors__contains=[F("approved_by")]),
            "no one approves their own work",
        ),
        both_or_neither(f"{model}_second_approval_is_a_pair", *SECOND),
        not_after(
            f"{model}_second_approval_after_the_first",
            "approved_at",
            "second_approved_at",
            "a revision is not approved again before it is approved",
        ),
        check(
            f"{model}_second_approval_has_a_first",
            Q(second_approved_at__isnull=True) | Q(approved_at__isnull=False),
            "a revision is not approved again before it is approved",
        ),
        check(
            f"{model}_second_approver_is_not_author",
            ~Q(authors__contains=[F("second_approved_by")]),
            "no one approves their own work",
        ),
        check(
            f"{model}_second_approver_is_somebody_else",
            Q(second_approved_by__isnull=True) | ~Q(second_approved_by=F("approved_by")),
            "the second approval is by another person than the first",
        ),
        both_or_neither(f"{model}_publication_is_a_pair", "published_at", "published_by"),
        check(
            f"{model}_published_has_a_publisher",
            ~Q(state=State.PUBLISHED, published_at__isnull=True)
            & ~Q(state__in=[*OPEN, State.APPROVED], published_at__isnull=False),
            "a published revision names its publisher, and was approved before",
        ),
        not_after(
            f"{model}_submitted_after_creation",
            "created_at",
            "submitted_at",
            "a revision is not submitted before it is written",
        ),
        not_after(
            f"{model}_approved_after_submission",
            "submitted_at",
            "approved_at",
            "a revision is not approved before it is submitted",
        ),
    ]


def revision_triggers() -> list[pgtrigger.Trigger]:
    """Return the triggers that protect a revision against changes, from any writer."""
    moves = sorted((old.value, new.value) for ways in MOVES.values() for old, new in ways.items())
    allowed = ", ".join(f"('{old}', '{new}')" for old, new in moves)
    return [
        refuse(
            "begins_as_draft",
            pgtrigger.Insert,
            pgtrigger.Condition("NEW.state <> 'draft'"),
            "a revision begins as a draft",
        ),
        refuse(
            "goes_its_way",
            pgtrigger.Update,
            pgtrigger.Condition(f"OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN ({allowed})"),
            "no verb leads from this state to that one",
        ),
        refuse(
            "content_stays",
            pgtrigger.Update,
            ChangeWhile(exclude=MARKS, condition="NOT (OLD.state = 'draft' AND NEW.state = 'draft')"),
            "a revision changes only while it is a draft; open the next one",
        ),
        refuse(
            "marks_stay",
            pgtrigger.Update,
            ChangeWhile(
                *(mark for mark in MARKS if mark not in ("state", *SECOND)),
                condition="OLD.state = NEW.state",
            ),
            "who submitted, approved and published a revision stays as it was",
        ),
        refuse(
            "second_approval_stays",
            pgtrigger.Update,
            ChangeWhile(
                *SECOND,
                condition="NOT (OLD.state = 'approved' AND NEW.state = 'approved'"
                " AND OLD.second_approved_at IS NULL)",
            ),
            "a revision is approved again once, while it is approved",
        ),
        refuse(
            "only_drafts_go",
            pgtrigger.Delete,
            pgtrigger.Condition("OLD.state <> 'draft'"),
            "only a draft can be thrown away",
        ),
    ]
