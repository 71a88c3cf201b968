"""Jobs of the recalls: one round of a feed of official notices."""

import logging

from celery import shared_task
from django.utils import timezone

from catalog.jobs.actions import AlreadyRunning
from recalls.feeds.notices import FEED_NAMES, BadAnswer, Feed, Unreachable
from recalls.feeds.syncing import Suspicious, sync

logger = logging.getLogger(__name__)


@shared_task(name="recalls.tasks.sync_feed")
def sync_feed(feed: Feed) -> None:
    """Read a feed. Running it twice, in parallel, or killing it does no harm; a failure is due tomorrow."""
    try:
        sync(feed, clock=timezone.now)
    except AlreadyRunning:
        logger.info("The feed of %s is already being read.", FEED_NAMES[feed])
    except (Unreachable, BadAnswer, Suspicious) as error:
        logger.error("The feed of %s was not read: %s", FEED_NAMES[feed], error)
