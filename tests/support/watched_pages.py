"""Watched pages with their texts, and signals about them, as the watch would write them."""

import datetime
import hashlib
from typing import Any

from django.utils import timezone

from catalog.models import DeadLetter, Run, RunOutcome
from rules.models import SignalKind, Snapshot, Visit, VisitOutcome, WatchedPage, WatchSignal
from rules.watch.snapshots import pack

URL = "https://northwing.example/batteries"
"""The page of `tests.support.factories.a_source`."""

TWO = "Power banks are allowed in the cabin.\nEach passenger may carry two power banks.\nUp to 160 Wh."
ONE = "Power banks are allowed in the cabin.\nEach passenger may carry one power bank.\nUp to 160 Wh."


def a_snapshot(text: str) -> Snapshot:
    """Return the text of a page, kept once for each text."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    found, _ = Snapshot.objects.get_or_create(
        fingerprint=digest,
        extractor="tests 1",
        defaults={
            "text": pack(text),
            "body": pack(f"<p>{text}</p>"),
            "media_type": "text/html",
            "taken": timezone.now(),
        },
    )
    return found


def a_page(url: str = URL, *, says: str = TWO, known: str = TWO, **changes: Any) -> WatchedPage:
    """Return a page that was visited today and has the text `says`; `known` is the one that an editor saw."""
    now = timezone.now()
    fields: dict[str, Any] = {
        "host": "northwing.example:443",
        "follows_text": True,
        "visit_days": 7,
        "due": now + datetime.timedelta(days=7),
        "visited": now,
        "answered": now,
        "newest": a_snapshot(says),
        "newest_since": now,
        "reviewed": a_snapshot(known),
    }
    page = WatchedPage.objects.create(url=url, **fields | changes)
    a_visit(page)
    return page


def a_silent_page(url: str = URL, **changes: Any) -> WatchedPage:
    """Return a page that did not answer today, but has answered before."""
    trouble: dict[str, Any] = {
        "trouble": "http_status",
        "trouble_detail": "It answered 404.",
        "tries": 3,
        "failed_days": 3,
    }
    return a_page(url, **trouble | changes)


def a_visit(page: WatchedPage, **changes: Any) -> Visit:
    """Return a visit of a page."""
    fields = {"at": timezone.now(), "outcome": VisitOutcome.UNCHANGED, "status": 200, "seconds": 0.4}
    return Visit.objects.create(page=page, **fields | changes)


def a_signal(page: WatchedPage, kind: SignalKind = SignalKind.TEXT_CHANGED, **changes: Any) -> WatchSignal:
    """Return an open signal about a page that has changed, or does not answer."""
    now = timezone.now()
    texts = {"before": page.reviewed, "after": page.newest} if kind != SignalKind.DEAD_LINK else {}
    return WatchSignal.objects.create(page=page, kind=kind, **texts | {"opened": now, "moved": now} | changes)


def a_quote(rule_id: str, words: str, **changes: str) -> dict[str, str]:
    """Return words that are gone from a page, as a signal names them."""
    return {"rule_id": rule_id, "source": "northwing-page", "words": words, "where": "", **changes}


def a_letter(subject: str = URL, **changes: Any) -> DeadLetter:
    """Return an item that the source watch gave up on."""
    now = timezone.now()
    fields = {"name": "source watch", "reason": "It answered 404.", "first_tried": now, "last_tried": now}
    return DeadLetter.objects.create(subject=subject, **fields | changes)


def a_run(**changes: Any) -> Run:
    """Return a completed run of the source watch."""
    now = timezone.now()
    fields: dict[str, Any] = {
        "name": "source watch",
        "started": now - datetime.timedelta(minutes=5),
        "seen": now,
        "ended": now,
        "outcome": RunOutcome.DONE,
        "total": 3,
        "counts": {"changed": 1, "unchanged": 2},
    }
    return Run.objects.create(**fields | changes)
