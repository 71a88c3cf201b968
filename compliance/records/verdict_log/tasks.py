"""Jobs of the project's own tables: the verdict log."""

import datetime
import logging

from celery import shared_task
from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection
from django.utils import timezone
from redis import RedisError

from aeo.coverage import asked
from aeo.coverage.actions import keep_asked
from aeo.coverage.asked import Asked
from aeo.coverage.models import AskedFlights
from compliance.records.verdict_log.actions import forget_verdicts
from compliance.records.verdict_log.draining import drain
from compliance.records.verdict_log.shipping import adopt
from compliance.records.verdict_log.stream import stream
from rules import corpus
from rules.corpus import CorpusUnavailable

logger = logging.getLogger(__name__)

DRAINING_SECONDS = 30
"""For so long one job drains; then the next job continues."""

# A trip counts each of its flights, an itinerary by the airline whose rules decide.
COUNT = """
SELECT
    COALESCE(leg->>'airline', leg->>'operating_airline', leg->>'marketing_airline'),
    leg->>'origin', leg->>'destination', count(*)
FROM compliance_verdictrecord
CROSS JOIN LATERAL jsonb_array_elements(
    COALESCE(question->'legs', question->'flights', jsonb_build_array(question->'leg'))
) AS leg
WHERE generated >= %s AND generated < %s
GROUP BY 1, 2, 3
"""


@shared_task(name="compliance.tasks.drain_verdicts")
def drain_verdicts() -> int:
    """Store verdicts from the stream in the table; return how many.

    Any number of these may run at once. While the database or Redis is away it does nothing.
    """
    try:
        adopted = adopt()
        if not settings.REDIS_URL:
            return adopted
        return adopted + drain(stream(settings.REDIS_URL), seconds=DRAINING_SECONDS)
    except (DatabaseFailure, RedisError, OSError) as error:
        # The message can contain an address.
        logger.warning("Verdicts wait to be recorded (%s).", type(error).__name__)
        return 0


@shared_task(name="compliance.tasks.forget_verdicts_of_old")
def forget_verdicts_of_old() -> int:
    """Delete the records of verdicts that are older than `VERDICT_LOG_DAYS`; return how many."""
    return forget_verdicts(before=timezone.now() - datetime.timedelta(days=settings.VERDICT_LOG_DAYS))


@shared_task(name="compliance.tasks.count_asked_flights")
def count_asked_flights() -> None:
    """Count once a day how many flights of each airline, and to or from each place, were asked about.

    It runs every hour, in case an earlier run failed; if the count exists, it costs one query.
    """
    now = timezone.now()
    today = now.astimezone(datetime.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if AskedFlights.objects.filter(day=today.date()).exists():
        return
    try:
        release = corpus.refresh()
    except CorpusUnavailable:
        return
    days = min(asked.DAYS, settings.VERDICT_LOG_DAYS)
    found = asked_flights(since=today - datetime.timedelta(days=days), before=today)
    kept = keep_asked(day=today.date(), days=days, totals=asked.totals(found, release), now=now)
    logger.info("The flights in questions are counted: %s.", kept)


def asked_flights(*, since: datetime.datetime, before: datetime.datetime) -> list[Asked]:
    """Return how many flights of each airline between each two countries were asked about in a time span.

    It reads all rows of the span: seconds if there are millions.
    """
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [since, before])
        return [Asked(*row) for row in cursor.fetchall()]
