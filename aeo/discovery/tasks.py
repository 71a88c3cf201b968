"""The jobs of page records: update them, in parts for several workers, and announce changes.

Called by `aeo.tasks`, which defines the order of the work after a release, and by the screen of choices.
"""

import datetime
import logging

from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from aeo import editions
from aeo.discovery import actions, indexnow
from aeo.discovery.indexnow import NotAnnounced
from aeo.editions import Edition
from aeo.page_records.models import Recomputation
from aeo.page_records.selectors import pages_are_in_line
from rules import corpus
from rules.corpus import CorpusUnavailable

logger = logging.getLogger(__name__)

MOST_HELPERS = 4
"""How many jobs are sent in addition to the one that starts a recomputation."""


def send_for_records() -> None:
    """Have a worker update page records now. If there is no queue, the schedule does it."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        keep_pages.delay()


@shared_task(name="aeo.tasks.keep_pages")
def keep_pages() -> None:
    """Update page records for the release, the day and the choice. Running twice does no harm."""
    now = timezone.now()
    try:
        edition = editions.of(corpus.refresh(), now)
    except CorpusUnavailable:
        return
    follow(edition, now)


def follow(edition: Edition, now: datetime.datetime) -> None:
    """Update page records for an edition, if needed, and have the changes announced."""
    if not pages_are_in_line(edition):
        _announce(share_pages(edition=edition, now=now))


def share_pages(*, edition: Edition, now: datetime.datetime) -> Recomputation | None:
    """Recompute in parts: each free worker takes some of them, and this process takes the others.

    Returns what was done. Returns None if other processes work on the last parts: the process that finishes
    the last part stores the records. If a worker dies, nothing is lost: the next call takes up its part
    again.
    """
    work, due = actions.begin_sharing(edition=edition, now=now)
    if due:
        transaction.on_commit(lambda: send_for_parts(work.pk), robust=True)
    return actions.work_on_pages(work.pk)


def send_for_parts(work_id: int) -> None:
    """Have other free workers take parts of a recomputation."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(MOST_HELPERS):
            work_on_pages.delay(work_id)


@shared_task(name="aeo.tasks.work_on_pages")
def work_on_pages(work_id: int) -> None:
    """Work on parts of a recomputation. Repeated runs, parallel runs and kills do no harm."""
    _announce(actions.work_on_pages(work_id))


def _announce(done: Recomputation | None) -> None:
    """Log that a recomputation has finished, and have its changes announced."""
    if done is not None:
        logger.info("Indexed pages were recomputed: %s.", done)
        if indexnow.is_on():
            announce_pages.delay()


@shared_task(name="aeo.tasks.announce_pages", autoretry_for=(NotAnnounced,), retry_backoff=60, max_retries=5)
def announce_pages() -> int:
    """Tell search engines which pages changed, and return how many. Running twice does no harm."""
    try:
        announced = actions.announce_pages()
    except NotAnnounced as error:
        logger.warning("Pages could not be announced: %s.", error)
        raise
    logger.info("Search engines were told of %s pages.", announced)
    return announced
