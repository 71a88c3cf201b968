"""Jobs of the project's own tables: the verdict log."""

import datetime
import logging

from celery import shared_task
from django.conf import settings
from django.db import Error as DatabaseFailure
from django.utils import timezone
from redis import RedisError

from compliance.actions.verdicts import forget_verdicts
from compliance.verdict_log.draining import drain
from compliance.verdict_log.shipping import adopt
from compliance.verdict_log.stream import stream

logger = logging.getLogger(__name__)

DRAINING_SECONDS = 30
"""So long one job drains; then it is another one's turn."""


@shared_task
def drain_verdicts() -> int:
    """Bring verdicts into the table that are on their way there; return how many.

    Any number of these may run at once. While the database or Redis is away it does nothing.
    """
    try:
        adopted = adopt()
        if not settings.REDIS_URL:
            return adopted
        return adopted + drain(stream(settings.REDIS_URL), seconds=DRAINING_SECONDS)
    except (DatabaseFailure, RedisError, OSError) as error:
        # The message can hold an address.
        logger.warning("Verdicts wait to be recorded (%s).", type(error).__name__)
        return 0


@shared_task
def forget_verdicts_of_old() -> int:
    """Delete the records of verdicts that are older than `VERDICT_LOG_DAYS`; return how many."""
    return forget_verdicts(before=timezone.now() - datetime.timedelta(days=settings.VERDICT_LOG_DAYS))
