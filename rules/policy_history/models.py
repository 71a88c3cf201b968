"""The dated history of policies: what each release changed, computed once and kept.

Only `rules.policy_history.actions` writes here. Releases never change, and so the difference of two never
changes; the database refuses to change or delete a row.
"""

from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Q

from catalog.tables.constraints import check, one_of, same, words
from catalog.tables.triggers import refuse
from rules.policy_history.comparison import PolicyChangeWord, PolicySubject
from rules.releases.models import Release


def _stays(sentence: str) -> Any:
    return refuse("history_stays", pgtrigger.Update | pgtrigger.Delete, pgtrigger.Condition("TRUE"), sentence)


class PolicyHistory(models.Model):
    """A release whose changes of policies have been computed.

    `compared_with` is the release before it that could be read; none for the first, which is the beginning
    and not a change. `back_to` is the earliest release with the same content, if there is one: then this
    release went back to it. A release that the program could not read has no known changes.
    """

    release = models.OneToOneField(
        Release, on_delete=models.PROTECT, related_name="policy_history", editable=False
    )
    sequence = models.PositiveIntegerField(unique=True, editable=False)
    compared_with = models.ForeignKey(
        Release, on_delete=models.PROTECT, related_name="+", null=True, editable=False
    )
    back_to = models.ForeignKey(
        Release, on_delete=models.PROTECT, related_name="+", null=True, editable=False
    )
    is_readable = models.BooleanField(editable=False)
    worked_out = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["-sequence"]
        verbose_name_plural = "policy histories"
        default_permissions = ("view",)
        triggers = [_stays("what a release changed stays as it is")]

    def __str__(self) -> str:
        """Return the place of the release in the ledger."""
        return f"changes of release {self.sequence}"


class PolicyEntry(models.Model):
    """A rule, or the record of an airline's policy, that a release added, changed or removed.

    `date` is the day (UTC) of the release. `airline` is empty for a rule of an authority. `starts` is the
    first day of the rule's new version, if it has one. `before` and `after` are the whole record; `fields`
    are those that differ, if the record is in both.
    """

    history = models.ForeignKey(
        PolicyHistory, on_delete=models.PROTECT, related_name="entries", editable=False
    )
    sequence = models.PositiveIntegerField(editable=False)
    position = models.PositiveIntegerField(editable=False)
    date = models.DateField(editable=False)
    subject = models.CharField(max_length=10, editable=False)
    change = models.CharField(max_length=10, editable=False)
    record_id = models.CharField(max_length=200, editable=False)
    airline = models.CharField(max_length=2, blank=True, editable=False)
    jurisdiction = models.CharField(max_length=4, editable=False)
    starts = models.DateField(null=True, editable=False)
    fields = models.JSONField(editable=False)
    before = models.JSONField(null=True, editable=False)
    after = models.JSONField(null=True, editable=False)
    citations = models.JSONField(editable=False)

    class Meta:
        ordering = ["-sequence", "position"]
        verbose_name_plural = "policy entries"
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["-sequence", "position"], name="policy_entry_newest"),
            models.Index(fields=["airline", "-sequence", "position"], name="policy_entry_airline"),
            models.Index(fields=["jurisdiction", "-sequence", "position"], name="policy_entry_place"),
        ]
        constraints = [
            models.UniqueConstraint(name="policy_entry_once", fields=["history", "subject", "record_id"]),
            one_of("policy_entry_subject_is_known", "subject", words(PolicySubject)),
            one_of("policy_entry_change_is_known", "change", words(PolicyChangeWord)),
            check(
                "policy_entry_added_had_nothing_before",
                same(Q(before__isnull=True), Q(change="added")),
                "what was added says nothing of before, and everything else does",
            ),
            check(
                "policy_entry_removed_has_nothing_after",
                same(Q(after__isnull=True), Q(change="removed")),
                "what was removed says nothing of after, and everything else does",
            ),
        ]
        triggers = [_stays("what a release changed stays as it is")]

    def __str__(self) -> str:
        """Return which record it is and how it changed."""
        return f"{self.subject} {self.record_id} {self.change} by release {self.sequence}"
