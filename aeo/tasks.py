"""Jobs of the public face: bringing page records in line with the current release."""

import logging

from celery import shared_task
from django.utils import timezone

from aeo import actions, editions
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
    return done.changed
