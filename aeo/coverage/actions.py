"""The action on demand: stores the count of a day. Called by the job that counts the verdict log."""

import datetime

from django.db import transaction

from aeo.coverage.asked import Totals
from aeo.coverage.models import AskedFlights


@transaction.atomic
def keep_asked(*, day: datetime.date, days: int, totals: Totals, now: datetime.datetime) -> AskedFlights:
    """Store how many flights were asked about in the days before a day. Replaces the previous count."""
    AskedFlights.objects.exclude(day=day).delete()
    kept, _ = AskedFlights.objects.update_or_create(
        day=day,
        defaults={
            "days": days,
            "finished": now,
            "flights": totals.flights,
            "airlines": dict(totals.airlines),
            "places": dict(totals.places),
        },
    )
    return kept
