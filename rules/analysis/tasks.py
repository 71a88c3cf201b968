"""The job that analyzes the rows. Sent by `rules.analysis.selectors`."""

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from rules.analysis import report

ASKED_KEY = "rules:outlook:asked"
"""The key in the cache while an editor waits for `analyze_rows`."""


@shared_task(name="rules.tasks.look_at_rows")
def analyze_rows() -> None:
    """Analyze the rows and compare them with the current release, for the editors' desk."""
    try:
        report.refresh(timezone.now())
    finally:
        cache.delete(ASKED_KEY)
