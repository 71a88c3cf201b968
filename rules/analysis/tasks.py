"""The jobs of the analysis: analyze the rows, for the desk, and note which second approvals are owed."""

import logging
from typing import Any

from celery import shared_task
from celery.exceptions import OperationalError
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError

from rules.analysis import report
from rules.analysis.second_approvals import note_second_approvals

logger = logging.getLogger(__name__)

ASKED_KEY = "rules:outlook:asked"
"""The key in the cache while an editor waits for `analyze_rows`."""

NOTING_KEY = "rules:second-approvals:asked"
"""The key in the cache from an approval until `note_owed_approvals` begins."""

NOTING_SECONDS = 60
"""After this time the schedule runs the job anyway."""


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
    # Before anything is read: what is approved from now on asks again.
    cache.delete(NOTING_KEY)
    return note_second_approvals(timezone.now())


def note_soon(**sent: Any) -> None:
    """Have what is approved in this transaction measured as soon as it is committed.

    Without workers the schedule measures it within seconds, in the process that has the right to note it.
    """
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        transaction.on_commit(_ask_to_note)


def _ask_to_note() -> None:
    try:
        if cache.add(NOTING_KEY, value=True, timeout=NOTING_SECONDS):
            note_owed_approvals.apply_async(retry=False)
    except (RedisError, OperationalError) as error:
        logger.warning("No job can note owed approvals now: %s", error)
