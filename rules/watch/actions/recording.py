"""What the source watch records: the pages, what each visit found, and the signals that follow.

Each visit is written completely or not at all, so a killed process leaves no half visit. Actions of people
are in `rules.watch.actions.signals`.
"""

import datetime
import random
from collections.abc import Mapping

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from catalog.jobs import actions
from catalog.models import DeadLetter
from rules.watch import BROKEN, JOB
from rules.watch.actions.text_changes import QuotesOf, compare_text
from rules.watch.models import (
    SignalKind,
    SignalOutcome,
    Snapshot,
    Visit,
    VisitOutcome,
    WatchedPage,
    WatchSignal,
)
from rules.watch.page_list import Wanted, digest_of, host_of
from rules.watch.schedule import DEAD_AFTER_DAYS, after_answer, after_failure
from rules.watch.visiting import UNREADABLE, Visited

BY_LEAVE = frozenset({"robots", "busy"})
"""Troubles that say nothing about a page: the site forbids the fetch, or there was no time for it."""

NETWORK = frozenset({"unknown_host", "no_connection", "timed_out", "tls"})
"""Troubles that our own network may have: they count only while some other page answers."""

SET_ASIDE_AFTER = 3
"""How often in a row our own program may fail on a page before the page is set aside."""


@transaction.atomic
def align_pages(*, wanted: Mapping[str, Wanted], quotes: QuotesOf, now: datetime.datetime) -> None:
    """Make the watched pages equal to the list of pages to watch.

    New pages are due, and so are pages whose quotes changed. A page that nothing leads to any more is not
    visited again; what it said is kept.
    """
    pages = {page.url: page for page in WatchedPage.objects.all()}
    set_aside = set(DeadLetter.objects.filter(name=JOB).values_list("subject", flat=True))
    changed = []
    for url, page in pages.items():
        if _is_moved(page, wanted.get(url), digest_of(quotes.get(url, ())), now, url in set_aside):
            changed.append(page)
    WatchedPage.objects.bulk_update(changed, ["follows_text", "visit_days", "due"])
    WatchedPage.objects.bulk_create(
        WatchedPage(
            url=url, host=host_of(url), follows_text=one.follows_text, visit_days=one.visit_days, due=now
        )
        for url, one in wanted.items()
        if url not in pages
    )


@transaction.atomic
def record_visit(
    visited: Visited, *, quotes: QuotesOf, now: datetime.datetime, chance: random.Random
) -> VisitOutcome:
    """Record what a visit found, open or close signals accordingly, and set when the page is due again."""
    # The text of a page is large, and most visits only need its fingerprint.
    page = (
        WatchedPage.objects.select_for_update(of=("self",))
        .select_related("newest", "reviewed")
        .defer("newest__text", "newest__body", "reviewed__text", "reviewed__body")
        .get(pk=visited.page_id)
    )
    outcome = VisitOutcome.FAILED if visited.trouble else VisitOutcome.ANSWERED
    page.visited = now
    if visited.answered and not visited.trouble:
        _answers(page, visited, now)
        if page.follows_text:
            outcome = compare_text(page, visited.said, quotes.get(page.url, ()), now)
        page.due = after_answer(now, page.visit_days, chance)
    elif _fails(page, visited, now):
        page.due = after_failure(
            now,
            tries=page.tries,
            failed_days=page.failed_days,
            visit_days=page.visit_days,
            retry_after=visited.retry_after,
            chance=chance,
        )
    else:
        page.due = after_answer(now, page.visit_days, chance)
    page.save()
    Visit.objects.create(
        page=page,
        at=now,
        outcome=outcome,
        status=visited.status,
        trouble=visited.trouble,
        detail=visited.detail,
        fingerprint=visited.said.fingerprint if visited.said else "",
        seconds=visited.seconds,
        size=visited.size,
    )
    return outcome


@transaction.atomic
def record_breakdown(*, page_id: int, error: Exception, now: datetime.datetime) -> None:
    """Record that our own program failed on a page. After some tries the page is set aside."""
    page = WatchedPage.objects.select_for_update().get(pk=page_id)
    reason = f"{type(error).__name__}: {error}"
    page.tries = page.tries + 1 if page.trouble == BROKEN else 1
    page.visited, page.trouble, page.trouble_detail = now, BROKEN, reason
    page.due = now + datetime.timedelta(hours=1)
    if page.tries >= SET_ASIDE_AFTER:
        page.due = None
        actions.bury(JOB, page.url, reason, now=now)
    page.save()
    Visit.objects.create(
        page=page, at=now, outcome=VisitOutcome.FAILED, trouble=BROKEN, detail=reason, seconds=0
    )


@transaction.atomic
def forget_visits(*, before: datetime.datetime) -> int:
    """Delete old visits, runs and snapshots that nothing leads to; return the number of visits."""
    forgotten, _ = Visit.objects.filter(at__lt=before).delete()
    actions.forget_runs(before)
    of_pages = WatchedPage.objects.filter(Q(newest=OuterRef("pk")) | Q(reviewed=OuterRef("pk")))
    of_signals = WatchSignal.objects.filter(Q(before=OuterRef("pk")) | Q(after=OuterRef("pk")))
    Snapshot.objects.filter(~Exists(of_pages), ~Exists(of_signals), taken__lt=before).delete()
    return forgotten


def _is_moved(
    page: WatchedPage, wanted: Wanted | None, quotes: str, now: datetime.datetime, is_set_aside: bool
) -> bool:
    """Update one page, and return whether anything of it changed."""
    before = (page.follows_text, page.visit_days, page.due)
    if wanted is None:
        page.due = None
    else:
        page.follows_text, page.visit_days = wanted
        if page.due is None and not is_set_aside:
            page.due = now
        elif page.due is not None:
            others = page.newest_id is not None and page.quotes_digest != quotes
            begins = page.follows_text and not before[0]
            latest = now if others or begins else now + 2 * datetime.timedelta(days=page.visit_days)
            page.due = min(page.due, latest)
    return before != (page.follows_text, page.visit_days, page.due)


def _answers(page: WatchedPage, visited: Visited, now: datetime.datetime) -> None:
    page.answered = now
    page.final_url = visited.final_url
    # The server may only say "not modified" about a page whose text we have seen.
    page.etag, page.last_modified = (visited.etag, visited.last_modified) if page.follows_text else ("", "")
    page.trouble = page.trouble_detail = ""
    page.tries = page.failed_days = 0
    page.failed_on = None
    dead = WatchSignal.objects.filter(page=page, kind=SignalKind.DEAD_LINK, outcome="")
    dead.update(outcome=SignalOutcome.CAME_BACK, moved=now)


def _fails(page: WatchedPage, visited: Visited, now: datetime.datetime) -> bool:
    """Record a failure, and return whether it may be temporary: then the page is tried again early."""
    page.trouble, page.trouble_detail = visited.trouble, visited.detail
    page.tries += 1
    if visited.trouble in BY_LEAVE:
        return visited.retry_after is not None
    if visited.trouble in UNREADABLE and page.newest_id is None:
        # It answers, but never with a text: a person has to read it.
        return False
    if visited.trouble in NETWORK and not _others_answer(page, now):
        return True
    if page.failed_on != now.date():
        page.failed_days, page.failed_on = page.failed_days + 1, now.date()
    if page.failed_days >= DEAD_AFTER_DAYS:
        WatchSignal.objects.get_or_create(
            page=page,
            kind=SignalKind.DEAD_LINK,
            outcome="",
            defaults={"detail": visited.detail, "opened": now, "moved": now},
        )
    return True


def _others_answer(page: WatchedPage, now: datetime.datetime) -> bool:
    """Return whether another page has answered within a day, which shows that our own network works."""
    lately = now - datetime.timedelta(days=1)
    return WatchedPage.objects.exclude(pk=page.pk).filter(answered__gt=lately).exists()
