"""The job of answers that are given once: delete the old ones."""

from celery import shared_task
from django.utils import timezone

from compliance.records.idempotency.actions import forget_answers


@shared_task(name="compliance.records.idempotency.tasks.forget_kept_answers")
def forget_kept_answers() -> int:
    """Delete the answers that are older than a day; return how many."""
    return forget_answers(now=timezone.now())
