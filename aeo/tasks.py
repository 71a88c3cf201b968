"""Jobs of the public face: bringing page records and datasets in line with the current release."""

import logging

from celery import shared_task
from django.utils import timezone

from aeo import actions, editions
from aeo.datasets.actions import keep_datasets as keep
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


@shared_task
def keep_datasets() -> list[str]:
    """Make the files of releases that have none yet, and return their versions.

    Sent after each publishing and every night, in case nobody took the job then.
    """
    kept = keep()
    logger.info("Datasets were made of these releases: %s.", ", ".join(kept) or "none")
    return kept
