"""Periodic jobs of the measurements: continue waiting ones, delete old ones."""

import datetime

from celery import shared_task
from django.utils import timezone

from rules.impact.actions import measuring

KEPT_DAYS = 30


@shared_task(name="rules.tasks.take_up_measurements")
def take_up_measurements() -> int:
    """Start workers if a measurement waits because its job was lost; return how many are not finished."""
    return measuring.take_up_all(now=timezone.now())


@shared_task(name="rules.tasks.forget_measurements")
def forget_measurements() -> int:
    """Delete old measurements. They are useful on their day, and can be viewed for a while."""
    return measuring.forget_before(timezone.now().date() - datetime.timedelta(days=KEPT_DAYS))
