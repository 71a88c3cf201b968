"""Jobs of the public face: page records, scorecard and datasets follow releases, search engines are told."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from aeo import actions, editions, indexnow, selectors
from aeo.datasets.actions import keep_datasets
from aeo.indexnow import NotAnnounced
from rules import corpus
from rules.corpus import CorpusUnavailable

logger = logging.getLogger(__name__)


def send_for_pages() -> None:
    """Have page records and datasets brought in line by a worker, now.

    Where there is no queue, the clock beside the web server does it within seconds: whoever publishes does
    not wait for pages.
    """
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        catch_up.delay()


@shared_task
def catch_up() -> None:
    """Bring page records, the scorecard and datasets in line with the release, the day and the choice.

    Due every few seconds, in case nobody was there when it was sent for. It asks a few questions of the
    database where nothing is to be done.
    """
    now = timezone.now()
    try:
        edition = editions.of(corpus.refresh(), now)
    except CorpusUnavailable:
        return
    if not selectors.pages_are_in_line(edition):
        done = actions.recompute_pages(edition=edition, now=now)
        logger.info("Indexed pages were recomputed: %s.", done)
        if indexnow.is_on():
            announce_pages.delay()
    if not selectors.scorecard_is_in_line(edition):
        counted = actions.keep_scorecard(edition=edition, now=now)
        logger.info("The scorecard was counted: %s.", counted)
    if kept := keep_datasets():
        logger.info("Datasets were made of these releases: %s.", ", ".join(kept))


@shared_task(autoretry_for=(NotAnnounced,), retry_backoff=60, max_retries=5)
def announce_pages() -> int:
    """Tell search engines which pages changed, and return how many. Twice does no harm."""
    try:
        told = actions.announce_pages()
    except NotAnnounced as error:
        logger.warning("Pages could not be announced: %s.", error)
        raise
    logger.info("Search engines were told of %s pages.", told)
    return told
