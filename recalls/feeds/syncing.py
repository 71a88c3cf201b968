"""One round of a feed: fetch, read, check, take in.

Called by `recalls.tasks` and by `manage.py feeds`. Only one round of a feed runs at a time. Everything is
fetched and read before anything is written, so an answer that is broken or not trusted changes nothing. Then
each notice is taken in by its own transaction, and the marks of the feed are updated last. A round that is
killed loses nothing and repeats nothing: the next one reads the same rows again.
"""

import datetime
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction

from catalog.devices.duplicates import Named
from catalog.errors import Refused
from catalog.fetching import Fetcher, policy_from_settings
from catalog.jobs.actions import Progress, bury, revive, running
from catalog.models import DeadLetter, Device
from recalls.feeds import accc, actions, cpsc, health_canada, safety_gate
from recalls.feeds.guard import suspicion
from recalls.feeds.matching import Catalog
from recalls.feeds.models import LIVE, FeedNotice, FeedState, FeedVersion
from recalls.feeds.notices import ANNOUNCED_TWICE, Ask, Feed, Known, Notice, Reading
from recalls.feeds.requests import Asker

READERS: dict[Feed, Callable[[Ask, str, Known], Reading]] = {
    "cpsc": cpsc.read,
    "safety_gate": safety_gate.read,
    "health_canada": health_canada.read,
    "accc": accc.read,
}

Clock = Callable[[], datetime.datetime]


class Suspicious(Exception):
    """An answer that is not trusted. Nothing was changed; an editor may accept the next one."""


def job_of(feed: Feed) -> str:
    """Return the name of the rounds of a feed, and of its dead letters."""
    return f"feed {feed}"


def sync(feed: Feed, *, clock: Clock, ask: Ask | None = None) -> dict[str, int]:
    """Read a feed, and return how many notices had which outcome.

    Raises `AlreadyRunning`, `Unreachable`, `BadAnswer` or `Suspicious`; nothing was changed then.
    """
    with running(job_of(feed), clock=clock) as progress:
        if ask is not None:
            return _round(feed, ask, progress, clock)
        with Fetcher(policy_from_settings()) as fetcher:
            return _round(feed, Asker(fetcher), progress, clock)


def _round(feed: Feed, ask: Ask, progress: Progress, clock: Clock) -> dict[str, int]:
    state = FeedState.objects.filter(pk=feed).first() or FeedState(feed=feed)
    before = {row.native_id: row for row in FeedNotice.objects.filter(feed=feed).defer("told", "candidates")}
    known = Known(
        today=clock().date(), marks=state.marks, ids=before.keys(), raw_of=lambda key: _raw_of(feed, key)
    )
    reading = READERS[feed](ask, settings.FEED_ADDRESSES[feed], known)
    progress.beat()
    expected = set() if reading.unchanged else _expected(feed, reading)
    came = {notice.native_id: notice for notice in reading.notices}
    if state.accepted_at is None:
        doubt = suspicion(
            rows=reading.rows,
            rows_before=state.rows,
            expected=expected,
            came=came,
            corrected=sum(_is_corrected(notice, before.get(notice.native_id)) for notice in reading.notices),
        )
        if doubt is not None:
            actions.suspect(feed, doubt, now=clock())
            raise Suspicious(f"{doubt} Nothing was changed. An editor can accept the next answer.")
    _take_in(feed, reading, progress, clock)
    with transaction.atomic():
        missing = actions.mark_missing(feed, expected - came.keys(), now=clock())
        actions.finish(feed, reading)
        progress.count(*["missing"] * missing, *_skipped(reading))
    return progress.counts


def _take_in(feed: Feed, reading: Reading, progress: Progress, clock: Clock) -> None:
    """Take in all notices, and compare those that still wait with the catalog again."""
    job = job_of(feed)
    catalog = _catalog()
    progress.expect(len(reading.notices) + len(reading.bad))
    buried = set(DeadLetter.objects.filter(name=job).values_list("subject", flat=True))
    for bad in reading.bad:
        with transaction.atomic():
            bury(job, bad.subject, bad.reason, now=clock())
            progress.count("set aside")
    placed = []
    for notice in reading.notices:
        try:
            with transaction.atomic():
                outcome = actions.take_in(notice, catalog=catalog, now=clock())
                if notice.native_id in buried:
                    revive(job, notice.native_id)
                progress.count(outcome)
            if outcome in {"new", "corrected"}:
                placed.append(notice.native_id)
        except (Refused, DatabaseError) as error:
            # A notice that the tables refuse does not stop the others.
            with transaction.atomic():
                bury(job, notice.native_id, f"This notice cannot be stored: {error}", now=clock())
                progress.count("set aside")
    waiting = FeedNotice.objects.filter(feed=feed, state__in=LIVE).exclude(native_id__in=placed)
    for notice_id in list(waiting.order_by("pk").values_list("pk", flat=True)):
        actions.match_again(notice_id, catalog=catalog, now=clock())


def _catalog() -> Catalog:
    columns = ("model_id", "brand__name", "model_name", "model_number", "aliases", "capacity_mah")
    rows = Device.objects.order_by("model_id").values_list(*columns)
    return Catalog(
        Named(model_id, brand, name, number, tuple(aliases), capacity)
        for model_id, brand, name, number, aliases, capacity in rows
    )


def _expected(feed: Feed, reading: Reading) -> set[str]:
    """Return the notices that should have come again, except those that are already missing."""
    rows = FeedNotice.objects.filter(feed=feed, missing_since__isnull=True)
    if reading.expected_days:
        rows = rows.filter(updated_on__in=reading.expected_days)
    elif reading.expected_since is not None:
        rows = rows.filter(updated_on__gte=reading.expected_since)
    else:
        return set()
    return set(rows.values_list("native_id", flat=True))


def _is_corrected(notice: Notice, before: FeedNotice | None) -> bool:
    if before is None or before.raw_sha256 == notice.raw_sha256:
        return False
    return not (notice.feed in ANNOUNCED_TWICE and notice.updated_on < before.updated_on)


def _raw_of(feed: Feed, native_id: str) -> dict[str, Any] | None:
    versions = FeedVersion.objects.filter(notice__feed=feed, notice__native_id=native_id)
    version = versions.order_by("-number").first()
    return None if version is None else version.raw


def _skipped(reading: Reading) -> list[str]:
    words = ["not modified"] if reading.unchanged else []
    return [*words, *(word for word, times in sorted(reading.skipped.items()) for _ in range(times))]
