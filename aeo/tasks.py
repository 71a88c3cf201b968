"""Jobs of the public face: page records and datasets follow releases, and search engines are told."""

import logging

from celery import shared_task
from django.utils import timezone

from aeo import actions, editions, indexnow
from aeo.datasets.actions import keep_datasets as keep
from aeo.indexnow import NotAnnounced
from rules import corpus

logger = logging.getLogger(__name__)


@shared_task
def recompute_pages() -> int:
    """Recompute the page records from the current release, and return how many pages changed.

    Sent after each publishing and once a day, because rules start and end with days.
    """
    now = timezone.now()
    # The release may have been published a moment ago.
    done = actions.recompute_pages(edition=editions.of(corpus.refresh(), now), now=now)
    logger.info("Indexed pages were recomputed: %s.", done)
    if indexnow.is_on():
        announce_pages.delay()
    return done.changed


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


@shared_task
def keep_datasets() -> list[str]:
    """Make the files of releases that have none yet, and return their versions.

    Sent after each publishing and every night, in case nobody took the job then.
    """
    kept = keep()
    logger.info("Datasets were made of these releases: %s.", ", ".join(kept) or "none")
    return kept
