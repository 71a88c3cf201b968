"""Change sets: who wants to change which facts of the catalog, and who decided it."""

from typing import Any, ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q, TextChoices, UniqueConstraint

from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import both_or_neither, check, not_after, one_of, same
from catalog.tables.triggers import refuse


class ChangeSetState(TextChoices):
    """The state of a change set."""

    WAITING = "waiting", "Waiting"  # No row is changed; another person must approve it.
    APPROVED = "approved", "Approved"  # Another person agreed, and all of it was written.
    RETURNED = "returned", "Returned"  # Its author has to correct it; nothing was written.
    DISCARDED = "discarded", "Discarded"  # Nothing was written.
    TAKEN_BACK = "taken_back", "Taken back"  # It was written, and undone before any release contained it.


class ChangeSet(Created):
    """The facts that one saved form or one import would change. It is approved as a whole.

    `authors` are the ids of all who wrote in it: its creator, and the authors of the returned set that it
    replaces. `subject` is the record of a form or the name of an imported file.
    """

    id = models.BigAutoField(primary_key=True)
    subject = models.CharField(max_length=300, editable=False)
    reason = models.TextField(blank=True, editable=False)
    authors = ArrayField(models.IntegerField(), editable=False)
    state = models.CharField(
        max_length=10, choices=ChangeSetState.choices, default=ChangeSetState.WAITING, editable=False
    )
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    decided_by = optional_user()

    class Meta:
        ordering = ["-id"]
        verbose_name = "change set"
        default_permissions = ("view", "delete")
        permissions = [
            ("approve_changeset", "Can approve change set"),
            ("return_changeset", "Can return change set"),
            ("take_back_changeset", "Can take back change set"),
        ]
        constraints = [
            one_of("change_set_state_is_known", "state", ChangeSetState.values),
            check(
                "change_set_creator_is_an_author",
                Q(authors__contains=[F("created_by")]),
                "the person who saved a change set is one of its authors",
            ),
            both_or_neither("change_set_decision_is_a_pair", "decided_at", "decided_by"),
            check(
                "change_set_waits_until_decided",
                same(Q(state=ChangeSetState.WAITING), Q(decided_at__isnull=True)),
                "a change set waits until a person decides it",
            ),
            check(
                "change_set_approver_is_not_author",
                ~Q(state=ChangeSetState.APPROVED) | ~Q(authors__contains=[F("decided_by")]),
                "no one approves their own work",
            ),
            not_after(
                "change_set_decided_after_creation",
                "created_at",
                "decided_at",
                "a change set is not decided before it is saved",
            ),
        ]
        triggers: ClassVar = [
            refuse(
                "begins_waiting",
                pgtrigger.Insert,
                pgtrigger.Condition("NEW.state <> 'waiting'"),
                "a change set begins as waiting",
            ),
            refuse(
                "goes_its_way",
                pgtrigger.Update,
                pgtrigger.Condition(
                    "OLD.state <> 'waiting' AND NOT (OLD.state = 'returned' AND NEW.state = 'discarded')"
                    " AND NOT (OLD.state = 'approved' AND NEW.state = 'taken_back'"
                    " AND OLD.decided_at = NEW.decided_at AND OLD.decided_by_id = NEW.decided_by_id)"
                ),
                "a change set is decided once",
            ),
            refuse(
                "content_stays",
                pgtrigger.Update,
                pgtrigger.AnyChange("subject", "reason", "authors", "created_at", "created_by"),
                "the content of a change set stays; save another one",
            ),
            refuse("stays", pgtrigger.Delete, pgtrigger.Condition("TRUE"), "a change set is not deleted"),
        ]

    def __str__(self) -> str:
        return f"change set {self.pk}: {self.subject}"


class PendingChange(models.Model):
    """One record of a change set: the facts before and after.

    `kind` is the name of the record's table, such as `device`. Of a new record, `before` is null and `after`
    is the whole record; of a deletion, `after` is empty. `waiting` ends with the decision: a record waits in
    one change set at most.
    """

    id = models.BigAutoField(primary_key=True)
    change_set = models.ForeignKey(
        ChangeSet, on_delete=models.PROTECT, related_name="changes", editable=False
    )
    kind = models.CharField(max_length=20, editable=False)
    record_id = models.CharField(max_length=80, editable=False)
    before: Any = models.JSONField(null=True, blank=True, editable=False)
    after: Any = models.JSONField(editable=False)
    waiting = models.BooleanField(default=True, editable=False)

    class Meta:
        ordering = ["id"]
        default_permissions = ("view",)
        indexes = [models.Index(name="changes_of_a_record", fields=["kind", "record_id"])]
        constraints = [
            UniqueConstraint(
                name="pending_change_record_once",
                fields=["change_set", "kind", "record_id"],
                violation_error_message="is there twice in one change set",
            ),
            UniqueConstraint(
                name="pending_change_one_waits",
                fields=["kind", "record_id"],
                condition=Q(waiting=True),
                violation_error_message="has a change that waits for approval already",
            ),
        ]
        triggers: ClassVar = [
            refuse(
                "content_stays",
                pgtrigger.Update,
                pgtrigger.AnyChange("change_set", "kind", "record_id", "before", "after"),
                "the content of a change set stays; save another one",
            ),
            refuse("stays", pgtrigger.Delete, pgtrigger.Condition("TRUE"), "a change set is not deleted"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
