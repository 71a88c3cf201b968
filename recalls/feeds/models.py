"""What the feeds of official notices have said. Only `recalls.feeds.actions` writes here.

No verdict reads these tables: a notice counts once an editor has made a recall from it, and another person
has approved that.
"""

from typing import ClassVar

import msgspec
import pgtrigger
from django.db import models
from django.db.models import Q

from catalog.tables.authorship import optional_user
from catalog.tables.constraints import both_or_neither, check, not_after, one_of, same, words
from catalog.tables.triggers import refuse
from recalls.feeds.notices import FEED_NAMES, Feed, Notice


class NoticeState(models.TextChoices):
    """The state of a notice."""

    NEW = "new"  # It names no model of the catalog exactly; an editor reviews it.
    NEEDS_REVIEW = "needs_review"  # What it names may be recorded already; an editor decides.
    DRAFTED = "drafted"  # Recalls were drafted from it.
    RECORDED = "recorded"  # Its recalls were recorded before it came.
    IRRELEVANT = "irrelevant"  # An editor has set it aside.


LIVE = (NoticeState.NEW, NoticeState.NEEDS_REVIEW)
"""The states of a notice that waits for an editor."""

FEED_CHOICES = list(FEED_NAMES.items())


class FeedNotice(models.Model):
    """The newest state of a notice in its feed, by the key of the feed. Its versions are what it said before.

    `told` is all that was read from it, as `recalls.feeds.notices.Notice` has it, except the original row.
    `candidates` are the models that it may be about, with the reason for each. `missing_since` is the instant
    at which it did not come although it should have; that takes nothing back.
    """

    feed = models.CharField(max_length=20, choices=FEED_CHOICES)
    native_id = models.CharField(max_length=200)
    number = models.CharField(max_length=200)
    title = models.TextField()
    url = models.CharField(max_length=2000, blank=True)
    announced_on = models.DateField()
    updated_on = models.DateField()
    told = models.JSONField()
    candidates = models.JSONField(default=list, blank=True)
    raw_sha256 = models.CharField(max_length=64)
    first_seen = models.DateTimeField()
    missing_since = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=NoticeState.choices, default=NoticeState.NEW)
    dismissed_at = models.DateTimeField(null=True, blank=True)
    dismissed_by = optional_user()
    reason = models.TextField(blank=True)

    class Meta:
        verbose_name = "notice"
        ordering: ClassVar = ["-updated_on", "feed", "native_id"]
        default_permissions = ("view", "change")
        indexes: ClassVar = [models.Index(name="notices_by_state", fields=["state", "-updated_on"])]
        constraints: ClassVar = [
            models.UniqueConstraint(name="feed_notice_once", fields=["feed", "native_id"]),
            one_of("feed_notice_feed_is_known", "feed", words(Feed)),
            one_of("feed_notice_state_is_known", "state", NoticeState.values),
            both_or_neither("feed_notice_dismissal_is_a_pair", "dismissed_at", "dismissed_by"),
            check(
                "feed_notice_irrelevant_says_why",
                same(Q(state=NoticeState.IRRELEVANT), Q(dismissed_at__isnull=False))
                & (~Q(state=NoticeState.IRRELEVANT) | Q(reason__regex=r"\S")),
                "a notice is irrelevant exactly when a person decided so, with a reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{FEED_NAMES[self.feed]} {self.number}"  # type: ignore[index]

    def to_notice(self) -> Notice:
        """Return the notice as it was read, without the original row, which its versions keep."""
        return msgspec.convert({**self.told, "raw": {}}, Notice)


class FeedVersion(models.Model):
    """One wording of a notice, as it came. Versions are numbered from 1 and never change."""

    notice = models.ForeignKey(FeedNotice, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    raw = models.JSONField()
    raw_sha256 = models.CharField(max_length=64)
    seen = models.DateTimeField()

    class Meta:
        verbose_name = "version of a notice"
        verbose_name_plural = "versions of notices"
        ordering: ClassVar = ["notice", "number"]
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(name="feed_version_once", fields=["notice", "number"]),
            check("feed_versions_count_from_one", Q(number__gte=1), "versions count from 1"),
        ]
        triggers: ClassVar = [
            refuse(
                "stays_as_it_came",
                pgtrigger.Update,
                pgtrigger.Condition("OLD.* IS DISTINCT FROM NEW.*"),
                "what a feed said stays as it came",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.notice}, version {self.number}"


class FeedRecall(models.Model):
    """A recall that a notice is about, by name and not by key, because its revisions share one id.

    `drafted` if it was drafted from the notice, else it was recorded before. It stays when the draft is
    discarded, so that it is not drafted again by mistake.
    """

    notice = models.ForeignKey(FeedNotice, on_delete=models.CASCADE, related_name="recalls")
    recall_id = models.CharField(max_length=80)
    model_id = models.CharField(max_length=80)
    drafted = models.BooleanField()

    class Meta:
        verbose_name = "recall of a notice"
        verbose_name_plural = "recalls of notices"
        ordering: ClassVar = ["notice", "recall_id"]
        default_permissions = ("view",)
        indexes: ClassVar = [models.Index(name="notices_of_a_recall", fields=["recall_id"])]
        constraints: ClassVar = [
            models.UniqueConstraint(name="feed_recall_once", fields=["notice", "recall_id"])
        ]

    def __str__(self) -> str:
        return f"{self.notice} is {self.recall_id}"


class ReviewKind(models.TextChoices):
    """What happened to a notice on which an editor's work rests."""

    CORRECTED = "corrected"
    GONE = "gone"


class FeedReview(models.Model):
    """A question to editors: a notice on which their work rests was corrected, or is gone.

    A notice has at most one open review; later corrections update `after`. `recalls` are the revisions at the
    time it was opened, each with its id, number and state.
    """

    notice = models.ForeignKey(FeedNotice, on_delete=models.CASCADE, related_name="reviews")
    kind = models.CharField(max_length=10, choices=ReviewKind.choices)
    before = models.ForeignKey(FeedVersion, on_delete=models.CASCADE, related_name="+")
    after = models.ForeignKey(FeedVersion, on_delete=models.CASCADE, related_name="+")
    recalls = models.JSONField(default=list, blank=True)
    opened = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = optional_user()
    remark = models.TextField(blank=True)

    class Meta:
        verbose_name = "review of a notice"
        verbose_name_plural = "reviews of notices"
        ordering: ClassVar = ["id"]
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="feed_review_one_open", fields=["notice"], condition=Q(closed_at__isnull=True)
            ),
            one_of("feed_review_kind_is_known", "kind", ReviewKind.values),
            both_or_neither("feed_review_end_is_a_pair", "closed_at", "closed_by"),
            not_after(
                "feed_review_closed_after_opening",
                "opened",
                "closed_at",
                "a review is not closed before it is opened",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.notice}, {self.kind}"


class FeedState(models.Model):
    """How far a feed has been read: its marks, and the size of its last answer if that is whole.

    `suspicion` says why the last answer was not trusted. An editor may accept the next one in advance, once.
    """

    feed = models.CharField(primary_key=True, max_length=20, choices=FEED_CHOICES)
    marks = models.JSONField(default=dict, blank=True)
    rows = models.PositiveIntegerField(null=True, blank=True)
    suspicion = models.TextField(blank=True)
    suspected = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = optional_user()
    reason = models.TextField(blank=True)

    class Meta:
        verbose_name = "feed"
        ordering: ClassVar = ["feed"]
        default_permissions = ("view", "change")
        constraints: ClassVar = [
            one_of("feed_state_feed_is_known", "feed", words(Feed)),
            both_or_neither("feed_state_acceptance_is_a_pair", "accepted_at", "accepted_by"),
            check(
                "feed_state_suspicion_has_its_instant",
                same(Q(suspicion=""), Q(suspected__isnull=True)),
                "a suspicion has its time",
            ),
            check(
                "feed_state_accepts_a_suspicion",
                Q(accepted_at__isnull=True) | (Q(suspected__isnull=False) & Q(reason__regex=r"\S")),
                "only what is suspected is accepted, and with a reason",
            ),
        ]

    def __str__(self) -> str:
        return FEED_NAMES[self.feed]  # type: ignore[index]
