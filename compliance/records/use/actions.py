"""The actions of the counts: store those of the days that ended, and delete the old ones."""

import datetime
from collections.abc import Sequence

from django.db import connection, transaction

from compliance.records.use.counting import Route, Unanswered
from compliance.records.use.models import DailyUse, MostAsked

COUNT = """
INSERT INTO compliance_dailyuse (day, channel, verdict, answers)
SELECT (generated AT TIME ZONE 'UTC')::date, channel, verdict, count(*)
FROM compliance_verdictrecord
WHERE generated >= %s AND generated < %s
GROUP BY 1, 2, 3
"""


@transaction.atomic
def count_days(*, since: datetime.datetime, before: datetime.datetime) -> int:
    """Count the verdicts of each day from one midnight (UTC) to another again; return how many rows."""
    DailyUse.objects.filter(day__gte=since.date(), day__lt=before.date()).delete()
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [since, before])
        return cursor.rowcount


@transaction.atomic
def keep_most_asked(
    *,
    day: datetime.date,
    days: int,
    routes: Sequence[Route],
    unanswered: Sequence[Unanswered],
    now: datetime.datetime,
) -> MostAsked:
    """Store what was asked about most in the days before a day. Replaces the previous count."""
    MostAsked.objects.exclude(day=day).delete()
    kept, _ = MostAsked.objects.update_or_create(
        day=day,
        defaults={
            "days": days,
            "finished": now,
            "routes": [list(one) for one in routes],
            "unanswered": [list(one) for one in unanswered],
        },
    )
    return kept


def forget_days(*, before: datetime.date) -> int:
    """Delete the counts of the days before a day, and return how many rows."""
    deleted, _ = DailyUse.objects.filter(day__lt=before).delete()
    return deleted
