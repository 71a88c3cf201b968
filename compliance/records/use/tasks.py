"""The job that counts what the service is used for."""

import datetime
import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.records.use import counting
from compliance.records.use.actions import count_days, forget_days, keep_most_asked
from compliance.records.use.models import MostAsked

logger = logging.getLogger(__name__)

LATE = datetime.timedelta(days=3)
"""The last days are counted again: verdicts can reach the log late."""


@shared_task(name="compliance.records.use.tasks.count_use")
def count_use() -> None:
    """Count once a day what was asked on the days that have ended.

    It runs every hour, in case an earlier run failed; if the count exists, it costs one query. The first run
    reads the whole log.
    """
    now = timezone.now()
    today = now.astimezone(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    last = MostAsked.objects.first()
    if last is not None and last.day >= today.date():
        return
    oldest = today - datetime.timedelta(days=settings.VERDICT_LOG_DAYS)
    since = oldest if last is None else max(oldest, _midnight(last.day) - LATE)
    days = min(counting.DAYS, settings.VERDICT_LOG_DAYS)
    span = {"since": today - datetime.timedelta(days=days), "before": today}
    forget_days(before=oldest.date())
    counted = count_days(since=since, before=today)
    # The last step: it says that the day is done.
    kept = keep_most_asked(
        day=today.date(),
        days=days,
        routes=counting.routes(**span),
        unanswered=counting.unanswered(**span),
        now=now,
    )
    logger.info("The use of %s is counted: %d rows.", kept, counted)


def _midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC)
