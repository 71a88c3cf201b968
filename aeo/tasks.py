"""Jobs of the public face: what is kept of releases follows them, and search engines are told."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from aeo import editions
from aeo.datasets.actions import keep_datasets
from aeo.discovery import actions, indexnow, selectors
from aeo.discovery.indexnow import NotAnnounced
from aeo.models import Recomputation
from rules import corpus
from rules.corpus import CorpusUnavailable
from rules.policy_history.actions import keep_policy_history

logger = logging.getLogger(__name__)

MOST_HELPERS = 4
"""So many jobs are sent beside the one that begins a recomputation."""


def send_for_pages() -> None:
    """Have page records and datasets brought in line by a worker, now.

    Where there is no queue, the clock beside the web server does it within seconds: whoever publishes does
    not wait for pages.
    """
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        catch_up.delay()


@shared_task(name="aeo.tasks.catch_up")
def catch_up() -> None:
    """Bring what follows from releases in line with the release, the day and the choice.

    That is the history of policies, page records, the scorecard and datasets.

    Due every few seconds, in case nobody was there when it was sent for. It asks a few questions of the
    database where nothing is to be done.
    """
    now = timezone.now()
    try:
        edition = editions.of(corpus.refresh(), now)
    except CorpusUnavailable:
        return
    # First: the pages of airlines tell of it.
    if worked_out := keep_policy_history(now=now):
        logger.info("The history of policies goes on with these releases: %s.", ", ".join(worked_out))
    if not selectors.pages_are_in_line(edition):
        _tell(actions.share_pages(edition=edition, now=now))
    if not selectors.scorecard_is_in_line(edition):
        counted = actions.keep_scorecard(edition=edition, now=now)
        logger.info("The scorecard was counted: %s.", counted)
    if kept := keep_datasets():
        logger.info("Datasets were made of these releases: %s.", ", ".join(kept))


def send_for_parts(work_id: int) -> None:
    """Have other workers, as many as are free, take parts of a recomputation."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(MOST_HELPERS):
            work_on_pages.delay(work_id)


@shared_task(name="aeo.tasks.work_on_pages")
def work_on_pages(work_id: int) -> None:
    """Work on parts of a recomputation. Running twice, or at once, or being killed does no harm."""
    _tell(actions.work_on_pages(work_id))


def _tell(done: Recomputation | None) -> None:
    """Log that a recomputation came to its end, and have it announced."""
    if done is not None:
        logger.info("Indexed pages were recomputed: %s.", done)
        if indexnow.is_on():
            announce_pages.delay()


@shared_task(name="aeo.tasks.announce_pages", autoretry_for=(NotAnnounced,), retry_backoff=60, max_retries=5)
def announce_pages() -> int:
    """Tell search engines which pages changed, and return how many. Twice does no harm."""
    try:
        told = actions.announce_pages()
    except NotAnnounced as error:
        logger.warning("Pages could not be announced: %s.", error)
        raise
    logger.info("Search engines were told of %s pages.", told)
    return told
