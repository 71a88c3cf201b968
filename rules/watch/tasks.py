"""Periodic jobs of the source watch: visit pages, delete old visits."""

import contextlib
import datetime
import logging

from celery import shared_task
from django.utils import timezone

from catalog.fetching import Fetcher, policy_from_settings
from catalog.jobs.actions import AlreadyRunning
from rules.watch.actions import recording
from rules.watch.rounds import watch_due_pages

logger = logging.getLogger(__name__)

WATCHING_SECONDS = 400
"""For how long one job starts visits; what is still due then is left to the next job."""

KEPT_VISITS_DAYS = 180


@shared_task(name="rules.tasks.watch_sources")
def watch_sources() -> None:
    """Visit the pages that are due, unless another worker already does. Killing it does no harm."""
    with Fetcher(policy_from_settings()) as fetcher, contextlib.suppress(AlreadyRunning):
        counts = watch_due_pages(fetcher, seconds=WATCHING_SECONDS)
        logger.info("Watched pages were visited: %s.", counts)


@shared_task(name="rules.tasks.forget_visits")
def forget_visits() -> int:
    """Delete old visits of watched pages, and return how many. Signals keep their texts."""
    return recording.forget_visits(before=timezone.now() - datetime.timedelta(days=KEPT_VISITS_DAYS))
