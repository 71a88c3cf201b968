"""Watched pages, their visits, what they said, and the signals about them: only `rules.watch` writes here.

A page is an address that something rests on or leads to. Each different text of a page is kept once,
compressed, with the bytes that it was read from, so that a newer extractor can read them again.

A signal says what a page did, for an editor to review. It never changes a rule.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from catalog.dates import moment_words
from catalog.tables.authorship import optional_user
from catalog.tables.constraints import both_or_neither, check, not_after, one_of, positive, same, spelled

SHA256 = r"^[0-9a-f]{64}$"


class Snapshot(models.Model):
    """One text of a page. `fingerprint` is the SHA-256 of the text in its comparable form.

    `extractor` names the program that took the text from the bytes, and its version. Two versions may read
    different texts from the same bytes; that is not a change of the page. `text` and `body` are compressed
    (zlib).
    """

    fingerprint = models.CharField(max_length=64)
    extractor = models.CharField(max_length=60)
    text = models.BinaryField()
    body = models.BinaryField()
    media_type = models.CharField(max_length=100)
    charset = models.CharField(max_length=40, blank=True)
    taken = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="snapshot_once", fields=["fingerprint", "extractor"]),
            spelled("snapshot_fingerprint_is_a_digest", "fingerprint", SHA256, "64 lower-case hex digits"),
        ]

    def __str__(self) -> str:
        return f"{self.fingerprint[:12]} by {self.extractor}"


class WatchedPage(models.Model):
    """An address that is visited again and again.

    - `host` is its host with its port: it gets one visit at a time.
    - `follows_text` is false if only the link is checked.
    - `due` is the instant of the next visit, null if nothing leads to the page any more or it was set
      aside.
    - `visited` is the last visit, `answered` the last one that the page answered.
    - `newest` is what it said last, `newest_since` since when; `reviewed` is what an editor has seen, or
      what it said when the watch began.
    - `trouble` is a word for why the last visit failed, empty if it did not; `failed_days` are the days on
      which it failed since it last answered, `tries` how often in a row.
    - `quotes_digest` identifies the quotes that were last looked for.
    """

    url = models.CharField(max_length=2000, unique=True)
    host = models.CharField(max_length=262)
    follows_text = models.BooleanField()
    visit_days = models.PositiveSmallIntegerField()
    due = models.DateTimeField(null=True, blank=True)
    visited = models.DateTimeField(null=True, blank=True)
    answered = models.DateTimeField(null=True, blank=True)
    etag = models.CharField(max_length=1000, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    final_url = models.CharField(max_length=2000, blank=True)
    newest = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    newest_since = models.DateTimeField(null=True, blank=True)
    reviewed = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    trouble = models.CharField(max_length=40, blank=True)
    trouble_detail = models.TextField(blank=True)
    tries = models.PositiveIntegerField(default=0)
    failed_days = models.PositiveIntegerField(default=0)
    failed_on = models.DateField(null=True, blank=True)
    quotes_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["url"]
        default_permissions = ("view", "change")
        indexes = [models.Index(name="pages_that_are_due", fields=["due"], condition=Q(due__isnull=False))]
        constraints = [
            positive("watched_page_is_visited_every_so_many_days", "visit_days"),
            both_or_neither("watched_page_newest_is_a_pair", "newest", "newest_since"),
            both_or_neither("watched_page_begins_reviewed", "newest", "reviewed"),
            check(
                "watched_page_has_answered_where_it_has_a_text",
                Q(newest__isnull=True) | Q(answered__isnull=False),
                "a page with a text has answered",
            ),
        ]

    def __str__(self) -> str:
        return self.url


class VisitOutcome(models.TextChoices):
    """The result of a visit."""

    FIRST = "first"  # The watch of its text begins with this visit.
    UNCHANGED = "unchanged"  # Or no change has a meaning.
    CHANGED = "changed"
    ANSWERED = "answered"  # Of a page of which only the link is checked.
    FAILED = "failed"


class Visit(models.Model):
    """One visit of a page. `trouble` is a word for why it failed, `seconds` is how long it took."""

    page = models.ForeignKey(WatchedPage, on_delete=models.CASCADE, related_name="visits")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=VisitOutcome.choices)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    trouble = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    seconds = models.FloatField()
    size = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-id"]
        default_permissions = ("view",)
        indexes = [models.Index(name="visits_of_a_page", fields=["page", "-id"])]
        constraints = [
            one_of("visit_outcome_is_known", "outcome", VisitOutcome.values),
            check(
                "visit_failed_says_why",
                Q(outcome=VisitOutcome.FAILED, trouble__regex=r"\S") | ~Q(outcome=VisitOutcome.FAILED),
                "a visit that failed says why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.page}, {moment_words(self.at)}"


class SignalKind(models.TextChoices):
    """What a page did, the gravest first."""

    QUOTE_GONE = "quote_gone"  # The words that carry a rule are no longer there.
    TEXT_CHANGED = "text_changed"  # It says something else; the words that carry rules are still there.
    DEAD_LINK = "dead_link"  # It did not answer on three different days.


ABOUT_TEXT = (SignalKind.QUOTE_GONE, SignalKind.TEXT_CHANGED)


class SignalOutcome(models.TextChoices):
    """The outcome of a signal."""

    DISMISSED = "dismissed"  # Nothing came of it; `reason` says why.
    STILL_TRUE = "still_true"  # An editor read the page, and it still says what rests on it.
    REVISED = "revised"  # Rules that rest on it are being revised.
    CAME_BACK = "came_back"  # The page says again what it said, or answers again: no person had to act.


BY_PERSON = (SignalOutcome.DISMISSED, SignalOutcome.STILL_TRUE, SignalOutcome.REVISED)


class WatchSignal(models.Model):
    """One signal about one page: open until an editor acts on it, or the page comes back.

    `before` is what an editor knows of the page and `after` what it says now; both are null for a dead link.
    A signal is open while it has no `outcome`. Until then, further changes of the page update `after`, and
    `moved` is the instant of the last one. `quotes` are those that are gone: objects with `rule_id`,
    `source`, `words` and `where`. `detail` says why a link is dead.

    Of a page that lost a quote, one person proposes that it is still true, with the new words, and another
    one confirms it: `proposed_seen` is the fingerprint of the text that the first one read.
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
    proposed_at = models.DateTimeField(null=True, blank=True)
    proposed_by = optional_user()
    proposed_seen = models.CharField(max_length=64, blank=True)
    proposed_quotes = models.JSONField(default=list, blank=True)
    proposed_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["kind", "opened", "id"]
        default_permissions = ("view", "change")
        constraints = [
            one_of("watch_signal_kind_is_known", "kind", SignalKind.values),
            both_or_neither("watch_signal_proposal_is_a_pair", "proposed_at", "proposed_by"),
            check(
                "watch_signal_lost_quote_takes_two_people",
                ~Q(kind=SignalKind.QUOTE_GONE, outcome=SignalOutcome.STILL_TRUE)
                | (Q(proposed_by__isnull=False) & ~Q(proposed_by=F("closed_by"))),
                "what one person proposed, another one confirms",
            ),
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
                same(Q(closed_at__isnull=False), Q(outcome__in=BY_PERSON)),
                "a signal is closed by a person, unless it is open or its page answered again",
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
