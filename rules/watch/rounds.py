"""A round of the watch: it visits every page that is due, and records what it finds.

Visits run in threads that touch no table. Their outcomes are written here, one after the other, each in its
own transaction. So a round can be killed at any instant: what is written is done, everything else is still
due. Called by the periodic job and by `manage.py watch run`.
"""

import datetime
import logging
import random
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from catalog.fetching import Fetcher
from catalog.jobs.actions import LockLost, running
from rules.watch import BROKEN, JOB
from rules.watch.actions.recording import align_pages, record_breakdown, record_visit
from rules.watch.host_queue import in_turns
from rules.watch.models import WatchedPage
from rules.watch.page_list import quotes_by_page, wanted_pages
from rules.watch.visiting import Asked, visit

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime.datetime]

VISITS_AT_ONCE = 8
"""Few, because each has a whole page in memory."""

OURS = (LockLost, OperationalError, InterfaceError)
"""Failures of our own services, not of a page: the round ends, and the next one goes on."""


def watch_due_pages(
    fetcher: Fetcher,
    *,
    seconds: float,
    clock: Clock = timezone.now,
    chance: random.Random | None = None,
) -> dict[str, int]:
    """Visit what is due, starting no visit after `seconds`; return how many visits had which outcome.

    Raises `AlreadyRunning`, `LockLost`, or what the database raises.
    """
    chance = chance or random.Random()
    with running(JOB, clock=clock) as progress:
        quotes = quotes_by_page()
        align_pages(wanted=wanted_pages(), quotes=quotes, now=clock())
        due = _due(clock())
        progress.expect(len(due))

        for asked, future in in_turns(
            due,
            lambda asked: visit(fetcher, asked, clock),
            at_once=VISITS_AT_ONCE,
            pause_seconds=fetcher.policy.host_pause_seconds,
            seconds=seconds,
        ):
            try:
                visited = future.result()
                with transaction.atomic():
                    outcome = record_visit(visited, quotes=quotes, now=clock(), chance=chance)
                    progress.count(outcome.value, *filter(None, [visited.trouble]))
            except OURS:
                raise
            except Exception as error:
                logger.exception("The watch failed at a page of %s.", asked.host)
                with transaction.atomic():
                    record_breakdown(page_id=asked.page_id, error=error, now=clock())
                    progress.count(BROKEN)
        return progress.counts


def _due(now: datetime.datetime) -> list[Asked]:
    pages = WatchedPage.objects.filter(due__lte=now).order_by("due", "pk")
    return [
        Asked(
            page_id=page.pk,
            url=page.url,
            host=page.host,
            follows_text=page.follows_text,
            etag=page.etag,
            last_modified=page.last_modified,
        )
        for page in pages
    ]
