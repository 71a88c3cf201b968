"""The jobs of the analysis: analyze the rows, for the desk, and note which second approvals are owed."""

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from rules.analysis import report
from rules.analysis.second_approvals import note_second_approvals

ASKED_KEY = "rules:outlook:asked"
"""The key in the cache while an editor waits for `analyze_rows`."""


@shared_task(name="rules.tasks.look_at_rows")
def analyze_rows() -> None:
    """Analyze the rows and compare them with the current release, for the editors' desk."""
    try:
        report.refresh(timezone.now())
    finally:
        cache.delete(ASKED_KEY)


@shared_task(name="rules.tasks.note_owed_approvals")
def note_owed_approvals() -> int:
    """Note which revisions need a second approval; return how many were approved once."""
    return note_second_approvals(timezone.now())
