"""Compares the text of a page with the known text: the part of `rules.watch.actions.recording` about texts.

A signal is opened once for what changed since an editor knew the page; while it is open, further changes
update it. If the page says again what it said, the signal closes automatically.
"""

import datetime
from collections.abc import Mapping

import msgspec

from rules.watch.models import (
    ABOUT_TEXT,
    SignalKind,
    SignalOutcome,
    Snapshot,
    VisitOutcome,
    WatchedPage,
    WatchSignal,
)
from rules.watch.page_list import QuoteOfRule, digest_of
from rules.watch.snapshots import body_of, pack, text_of
from rules.watch.text import Unreadable, extract, fingerprint, occurs_in
from rules.watch.visiting import Said

QuotesOf = Mapping[str, tuple[QuoteOfRule, ...]]
"""The quotes that must be on each page, by its address."""


def compare_text(
    page: WatchedPage, said: Said | None, quotes: tuple[QuoteOfRule, ...], now: datetime.datetime
) -> VisitOutcome:
    """Record what a page says, null for the same as last time, and open, update or close its signal.

    The page is locked by the caller, who saves it.
    """
    outcome = _take_in(page, said, now)
    digest = digest_of(quotes)
    if page.newest is None or (outcome == VisitOutcome.UNCHANGED and digest == page.quotes_digest):
        return outcome
    page.quotes_digest = digest
    text = said.text if said else text_of(page.newest)
    gone = [one for one in quotes if not occurs_in(one.quote.words, text)]
    _signal(page, gone, now)
    return outcome


def _take_in(page: WatchedPage, said: Said | None, now: datetime.datetime) -> VisitOutcome:
    if said is None:
        return VisitOutcome.UNCHANGED
    if page.newest is None:
        page.newest = page.reviewed = _kept(said, now)
        page.newest_since = now
        return VisitOutcome.FIRST
    if page.newest.fingerprint == said.fingerprint and page.newest.extractor == said.extractor:
        return VisitOutcome.UNCHANGED
    known = page.newest
    page.newest = _kept(said, now)
    if _reads_like(known, said):
        # Another version of the extractor: the page has not changed.
        if page.reviewed_id == known.pk:
            page.reviewed = page.newest
        return VisitOutcome.UNCHANGED
    page.newest_since = now
    if page.reviewed is not None and _reads_like(page.reviewed, said):
        page.reviewed = page.newest
    return VisitOutcome.CHANGED


def _reads_like(known: Snapshot, said: Said) -> bool:
    """Return whether a stored page says the same when the current extractor reads it."""
    if known.extractor == said.extractor:
        return known.fingerprint == said.fingerprint
    try:
        again = extract(body_of(known), known.media_type, known.charset or None)
    except Unreadable:
        return False
    return fingerprint(again.text) == said.fingerprint


def _kept(said: Said, now: datetime.datetime) -> Snapshot:
    snapshot, _ = Snapshot.objects.get_or_create(
        fingerprint=said.fingerprint,
        extractor=said.extractor,
        defaults={
            "text": pack(said.text),
            "body": pack(said.body),
            "media_type": said.media_type[:100],
            "charset": said.charset[:40],
            "taken": now,
        },
    )
    return snapshot


def _signal(page: WatchedPage, gone: list[QuoteOfRule], now: datetime.datetime) -> None:
    """Open, update or close the signal about the text of a page."""
    signal = WatchSignal.objects.filter(page=page, outcome="", kind__in=ABOUT_TEXT).first()
    if not gone and page.newest_id == page.reviewed_id:
        if signal is not None:
            signal.outcome, signal.moved = SignalOutcome.CAME_BACK, now
            signal.save(update_fields=["outcome", "moved"])
        return
    if signal is None:
        signal = WatchSignal(page=page, before=page.reviewed, opened=now)
    signal.kind = SignalKind.QUOTE_GONE if gone else SignalKind.TEXT_CHANGED
    signal.after, signal.moved = page.newest, now
    signal.quotes = [{"rule_id": one.rule_id, **msgspec.to_builtins(one.quote)} for one in gone]
    signal.save()
