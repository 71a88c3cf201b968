"""The tables of comments and assignments. Only `compliance.teamwork.conversation.actions` writes here."""

from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from catalog.tables.authorship import Created, optional_user
from catalog.tables.constraints import both_or_neither, check, same
from catalog.tables.triggers import refuse

MOST_OF_A_COMMENT = 2_000
"""The characters that a comment may have."""


class Comment(Created):
    """What a person said about a topic. `mentions` are the accounts that it names.

    The words stay as they were written. They are empty once it is removed.
    """

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=20, editable=False)
    subject = models.CharField(max_length=300, editable=False)
    text = models.TextField(editable=False)
    mentions = ArrayField(models.IntegerField(), default=list, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    removed_by = optional_user()

    class Meta:
        ordering = ["id"]
        default_permissions = ("add", "delete")
        indexes = [models.Index(name="comments_of_a_topic", fields=["kind", "subject", "id"])]
        constraints = [
            both_or_neither("comment_removal_is_a_pair", "removed_at", "removed_by"),
            check(
                "comment_says_something_until_it_is_removed",
                same(Q(text__regex=r"\S"), Q(removed_at__isnull=True)),
                "a comment has words, unless it was removed",
            ),
            check(
                "comment_is_bounded",
                Q(LessThanOrEqual(Length("text"), MOST_OF_A_COMMENT)),
                f"a comment has at most {MOST_OF_A_COMMENT:,} characters",
            ),
        ]
        triggers: ClassVar = [
            refuse(
                "content_stays",
                pgtrigger.Update,
                pgtrigger.AnyChange("kind", "subject", "mentions", "created_at", "created_by"),
                "a comment stays as it was written",
            ),
            refuse(
                "words_stay",
                pgtrigger.Update,
                pgtrigger.Condition(
                    "OLD.removed_at IS NOT NULL OR (NEW.text <> OLD.text AND NEW.text <> '')"
                ),
                "a comment stays as it was written, or is removed once",
            ),
            refuse("stays", pgtrigger.Delete, pgtrigger.Condition("TRUE"), "a comment leaves a trace"),
        ]

    def __str__(self) -> str:
        return f"comment {self.pk} on {self.kind} {self.subject}"


class Assignment(Created):
    """Who does what is to be done about a topic, and until when. A topic has one at most.

    `name` is what the topic was called when it was assigned. With `ends_with_work` it was open then, and the
    assignment ends once it is not.
    """

    kind = models.CharField(max_length=20, editable=False)
    subject = models.CharField(max_length=300, editable=False)
    name = models.CharField(max_length=300, editable=False)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )
    due = models.DateField(null=True, blank=True, editable=False)
    ends_with_work = models.BooleanField(editable=False)

    class Meta:
        ordering = ["due", "id"]
        default_permissions = ("add",)
        indexes = [models.Index(name="assignments_of_a_person", fields=["assignee", "due"])]
        constraints = [
            models.UniqueConstraint(name="assignment_one_for_a_topic", fields=["kind", "subject"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} for {self.assignee_id}"
