"""What people do about the signals of the source watch. Nothing here changes what a rule says.

Each action names the text that its editor has seen, by the fingerprint of the snapshot, and refuses if the
page has changed since. Each writes all or nothing, logs what was done, and raises the errors of
`catalog.errors`.
"""

import datetime
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, OwnWork, ReasonMissing, Unfit, WrongState
from catalog.jobs import actions
from catalog.models import DeadLetter, Source
from catalog.records import POINTER
from catalog.sources.actions import reread_sources
from rules.editing.actions import revise_rules
from rules.watch import JOB
from rules.watch.lost_quotes import lost_quotes, why
from rules.watch.models import SignalKind, SignalOutcome, WatchedPage, WatchSignal
from rules.watch.snapshots import text_of
from rules.watch.text.quotes import occurs_in

LONGEST_SUBJECT = 300
"""How many characters of an address the log keeps."""

NOTHING_SEEN = ""
"""The `seen` value for a dead link."""


@transaction.atomic
def dismiss_signal(*, by: User, signal_id: int, seen: str, reason: str) -> None:
    """Close a signal and change nothing else: from then on, what the page says now is known."""
    if not reason.strip():
        raise ReasonMissing(str(signal_id), "a reason is required")
    signal = _open(signal_id, seen)
    _close(signal, by=by, action=EditorAction.DISMISS, outcome=SignalOutcome.DISMISSED, reason=reason)


@transaction.atomic
def confirm_still_true(
    *, by: User, signal_id: int, seen: str, reason: str = "", quotes: Sequence[str] = ()
) -> list[str]:
    """Say that the page, read today, still says what rests on it: its sources count as read today.

    If the page lost a quote, one person proposes this, with a reason and the new words for each lost quote,
    and another person confirms it. Returns the ids of the sources; none while it is only proposed. Also
    raises `WrongState` if the link is dead, or if no one ever read a source of the page; `Unfit` for words
    that are not on the page, `OwnWork` for the person who proposed it.
    """
    signal = _open(signal_id, seen)
    if signal.after is None:
        raise WrongState(str(signal_id), "is about a dead link, so the page cannot have been read")
    today = timezone.localdate()
    sources = list(_citable(signal.page).values_list("pk", flat=True))
    if not sources:
        raise WrongState(str(signal_id), "is about a page without a source that was read")
    details = None
    if signal.kind == SignalKind.QUOTE_GONE:
        if signal.proposed_by_id is None or signal.proposed_seen != seen:
            _propose(signal, by=by, seen=seen, reason=reason, quotes=quotes)
            return []
        if signal.proposed_by_id == by.pk:
            raise OwnWork(str(signal_id), "you proposed this, so another person must confirm it")
        reason = reason.strip() or signal.proposed_reason
        details = {"quotes": signal.proposed_quotes, "proposed_by": [str(signal.proposed_by)]}
    _close(
        signal,
        by=by,
        action=EditorAction.CONFIRM,
        outcome=SignalOutcome.STILL_TRUE,
        reason=reason,
        details=details,
    )
    # Two people have confirmed a lost quote now, so the page may be read again.
    reread_sources(by=by, read_on=dict.fromkeys(sources, today))
    return sources


def _propose(signal: WatchSignal, *, by: User, seen: str, reason: str, quotes: Sequence[str]) -> None:
    """Note that one person found the lost quotes in other words. A newer text of the page ends that."""
    if not reason.strip():
        raise ReasonMissing(str(signal.pk), "a reason is required, because the page lost a quote")
    words = [one.strip() for one in quotes]
    if len(words) != len(signal.quotes) or not all(words):
        raise Unfit(
            str(signal.pk),
            "give the new words of the page for each lost quote, or revise or withdraw it",
        )
    assert signal.after is not None  # Only a page with a text loses a quote.
    text = text_of(signal.after)
    for one in words:
        if not occurs_in(one, text):
            raise Unfit(str(signal.pk), f"these words are not on the page as it was read: “{one}”")
    now = timezone.now()
    signal.proposed_at, signal.proposed_by, signal.proposed_seen = now, by, seen
    signal.proposed_quotes, signal.proposed_reason = words, reason.strip()
    signal.save(
        update_fields=["proposed_at", "proposed_by", "proposed_seen", "proposed_quotes", "proposed_reason"]
    )
    log(
        by=by,
        at=now,
        action=EditorAction.CONFIRM,
        kind="signal",
        subjects=[(str(signal.pk), None)],
        reason=reason,
        details={"proposed": words, "page": signal.page.url},
    )


@transaction.atomic
def start_revisions(*, by: User, signal_id: int, seen: str, rule_ids: Sequence[str], reason: str) -> None:
    """Open the next revision of rules that rest on a page, each as a copy to edit, and close the signal.

    Also raises `WrongState` for a rule that already has an open revision.
    """
    if not rule_ids:
        raise Unfit(str(signal_id), "has no rule to revise")
    signal = _open(signal_id, seen)
    revise_rules(by=by, rule_ids=rule_ids, reason=reason)
    details = {"rules": sorted(rule_ids)}
    _close(
        signal,
        by=by,
        action=EditorAction.REVISE,
        outcome=SignalOutcome.REVISED,
        reason=reason,
        details=details,
    )


@transaction.atomic
def confirm_unchanged(*, by: User, urls: Sequence[str]) -> dict[str, datetime.date]:
    """Say that pages are as a person read them, because the watch found them unchanged.

    Their sources count as read on the day on which their page last answered with the same text. Refuses with
    `WrongState` a page with an open signal or a lost quote, without a text, or whose last visit failed. Also
    refuses a page with a source that was read before the watch knew this text, or at another address: it is
    unknown whether that text was the same. Returns the sources whose day moved, with that day.
    """
    moved: dict[str, datetime.date] = {}
    lost = lost_quotes(urls)
    for page in _locked_pages(urls):
        if page.newest_id is None or page.newest_id != page.reviewed_id or page.trouble:
            raise WrongState(page.url, "is not known to be unchanged since it was read; read it first")
        if page.signals.filter(outcome="").exists():
            raise WrongState(page.url, "has an open signal")
        if page.url in lost:
            raise WrongState(page.url, why(lost[page.url]))
        assert page.answered is not None  # A page with a text has answered.
        day = page.answered.date()
        for source in _citable(page).filter(read_on__lt=day):
            if not _was_compared(source, page):
                raise WrongState(
                    page.url, f"was not compared with the reading of {source.pk}; read the page once"
                )
            moved[source.pk] = day
    reread_sources(by=by, read_on=moved)
    log(
        by=by,
        at=timezone.now(),
        action=EditorAction.CONFIRM,
        kind="source",
        subjects=[(source_id, None) for source_id in moved],
        details={"by": "the watch found the page unchanged"},
    )
    return moved


@transaction.atomic
def visit_again(*, by: User, urls: Sequence[str]) -> None:
    """Visit pages as soon as the watch runs, also those that it had set aside.

    The watch then looks for all quotes again, so a lost quote whose signal was dismissed gets another one.
    """
    now = timezone.now()
    for page in _locked_pages(urls):
        WatchedPage.objects.filter(pk=page.pk).update(due=now, quotes_digest="")
        actions.revive(JOB, page.url)
    log(
        by=by,
        at=now,
        action=EditorAction.RETRY,
        kind="page",
        subjects=[(url[:LONGEST_SUBJECT], None) for url in urls],
    )


@transaction.atomic
def try_again(*, by: User, letter: DeadLetter) -> None:
    """Take a dead letter off the list, and let the job try it again in its next run.

    A page that is no longer watched only leaves the list.
    """
    watched = WatchedPage.objects.filter(url=letter.subject).exists()
    if letter.name == JOB and watched:
        visit_again(by=by, urls=[letter.subject])
        return
    actions.revive(letter.name, letter.subject)
    log(
        by=by,
        at=timezone.now(),
        action=EditorAction.RETRY,
        kind="dead letter",
        subjects=[(letter.subject[:LONGEST_SUBJECT], None)],
        details={"job": letter.name},
    )


def _open(signal_id: int, seen: str) -> WatchSignal:
    """Return an open signal, locked with its page. Raises `NotRecorded` or `WrongState`."""
    try:
        page_id = WatchSignal.objects.values_list("page_id", flat=True).get(pk=signal_id)
    except WatchSignal.DoesNotExist:
        raise NotRecorded(str(signal_id), "there is no such signal") from None
    # The watch locks a page before its signals. The same order here prevents deadlocks.
    WatchedPage.objects.select_for_update().get(pk=page_id)
    signal = (
        WatchSignal.objects.select_for_update(of=("self",)).select_related("page", "after").get(pk=signal_id)
    )
    if signal.outcome:
        raise WrongState(str(signal_id), f"is already closed: {signal.get_outcome_display()}")
    shown = signal.after.fingerprint if signal.after else NOTHING_SEEN
    if shown != seen:
        raise WrongState(str(signal_id), "the page has changed again since it was shown; look at it again")
    return signal


def _close(
    signal: WatchSignal,
    *,
    by: User,
    action: EditorAction,
    outcome: SignalOutcome,
    reason: str,
    details: dict[str, list[str]] | None = None,
) -> None:
    now = timezone.now()
    signal.outcome, signal.reason = outcome, reason.strip()
    signal.closed_at, signal.closed_by = now, by
    signal.save(update_fields=["outcome", "reason", "closed_at", "closed_by"])
    if signal.after is not None:
        WatchedPage.objects.filter(pk=signal.page_id).update(reviewed=F("newest"))
    log(
        by=by,
        at=now,
        action=action,
        kind="signal",
        subjects=[(str(signal.pk), None)],
        reason=reason,
        details={"kind": signal.kind, "page": signal.page.url, **(details or {})},
    )


def _citable(page: WatchedPage) -> QuerySet[Source]:
    return Source.objects.filter(url=page.url).exclude(basis=POINTER).order_by("pk")


def _was_compared(source: Source, page: WatchedPage) -> bool:
    """Return whether the text that a person read of a source is the text that the watch knows of its page."""
    assert page.newest_since is not None  # A page with a text has had it since some instant.
    return source.read_on >= page.newest_since.date() and source.read_url in (None, source.url)


def _locked_pages(urls: Sequence[str]) -> list[WatchedPage]:
    pages = {
        page.url: page
        for page in WatchedPage.objects.select_for_update(of=("self",)).filter(url__in=urls).order_by("pk")
    }
    for url in urls:
        if url not in pages:
            raise NotRecorded(url, "is not watched")
    return list(pages.values())
