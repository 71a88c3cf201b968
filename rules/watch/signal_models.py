"""Signals of the watch: what a page did, for an editor to look at. A signal never changes a rule."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.tables.constraints import both_or_neither, check, not_after, one_of, same
from rules.watch.models import Snapshot, WatchedPage


class SignalKind(models.TextChoices):
    """What a page did, the gravest first."""

    QUOTE_GONE = "quote_gone"  # The words that carry a rule are no longer there.
    TEXT_CHANGED = "text_changed"  # It says something else; the words that carry rules are still there.
    DEAD_LINK = "dead_link"  # It did not answer on three different days.


ABOUT_TEXT = (SignalKind.QUOTE_GONE, SignalKind.TEXT_CHANGED)


class SignalOutcome(models.TextChoices):
    """What became of a signal."""

    DISMISSED = "dismissed"  # Nothing came of it; `reason` says why.
    STILL_TRUE = "still_true"  # An editor read the page, and it still says what rests on it.
    REVISED = "revised"  # Rules that lean on it are being revised.
    CAME_BACK = "came_back"  # The page says again what it said, or answers again: nobody had to do anything.


BY_SOMEBODY = (SignalOutcome.DISMISSED, SignalOutcome.STILL_TRUE, SignalOutcome.REVISED)


class WatchSignal(models.Model):
    """One signal about one page: open until somebody acts on it, or the page comes back.

    `before` is what an editor knows of the page and `after` what it says now; both are null for a dead link.
    A signal is open while it has no `outcome`; further changes of the page move `after` until then, and
    `moved` is the instant of the last one. `quotes` are those that are gone: objects with `rule_id`,
    `source`, `words` and `where`. `detail` says why a link is dead.
    """

    page = models.ForeignKey(WatchedPage, on_delete=models.PROTECT, related_name="signals")
    kind = models.CharField(max_length=20, choices=SignalKind.choices)
    before = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    after = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    quotes = models.JSONField(default=list, blank=True)
    detail = models.TextField(blank=True)
    opened = models.DateTimeField()
    moved = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    outcome = models.CharField(max_length=10, choices=SignalOutcome.choices, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["kind", "opened", "id"]
        default_permissions = ("view", "change")
        constraints = [
            one_of("watch_signal_kind_is_known", "kind", SignalKind.values),
            one_of("watch_signal_outcome_is_known", "outcome", ["", *SignalOutcome.values]),
            models.UniqueConstraint(
                name="watch_signal_one_open_about_a_text",
                fields=["page"],
                condition=Q(outcome="", kind__in=ABOUT_TEXT),
                violation_error_message="has an open signal about its text already",
            ),
            models.UniqueConstraint(
                name="watch_signal_one_open_about_a_link",
                fields=["page"],
                condition=Q(outcome="", kind=SignalKind.DEAD_LINK),
                violation_error_message="has an open signal about its link already",
            ),
            check(
                "watch_signal_about_a_text_shows_it",
                same(Q(kind__in=ABOUT_TEXT), Q(after__isnull=False)),
                "a signal about a text, and no other, has the text",
            ),
            both_or_neither("watch_signal_closing_is_a_pair", "closed_at", "closed_by"),
            check(
                "watch_signal_closed_by_somebody",
                same(Q(closed_at__isnull=False), Q(outcome__in=BY_SOMEBODY)),
                "a signal is closed by somebody, unless it is open or the page came back",
            ),
            check(
                "watch_signal_dismissed_says_why",
                ~Q(outcome="dismissed") | Q(reason__regex=r"\S"),
                "dismissing a signal needs a reason",
            ),
            not_after("watch_signal_moved_after_opening", "opened", "moved", "opened, then moved"),
            not_after("watch_signal_closed_after_opening", "opened", "closed_at", "opened, then closed"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.page}"
