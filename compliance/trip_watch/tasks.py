"""Jobs of watched trips: judge the trips again, and delete watches that are over."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.trip_watch import actions
from rules import corpus
from rules.corpus import CorpusUnavailable

logger = logging.getLogger(__name__)

WORKING_SECONDS = 60
"""How long one job judges; then the next job continues."""

SECONDS_WITHOUT_A_QUEUE = 5
"""The same without a queue, when one process does all jobs: other jobs wait no longer than this."""

MOST_HELPERS = 4
"""How many jobs are sent in addition to the first one."""


@shared_task(name="compliance.trip_watch.tasks.catch_up")
def catch_up() -> None:
    """Judge the watched trips that the current release has not judged yet on this day.

    It sends two queries to the database if nothing is due. Any number of these may run at once.
    """
    try:
        release = corpus.refresh()
    except CorpusUnavailable:
        return
    shared = actions.share_watches(release=release, now=timezone.now())
    if shared is None:
        return
    if shared.wants_workers and not settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(MOST_HELPERS):
            judge_watches.delay(shared.work_id)
    _judge(shared.work_id)


@shared_task(name="compliance.trip_watch.tasks.judge_watches")
def judge_watches(work_id: int) -> None:
    """Judge some of the watches. Running twice, or at once, or being killed does no harm."""
    _judge(work_id)


@shared_task(name="compliance.trip_watch.tasks.forget_watches")
def forget_watches() -> int:
    """Delete the watches that are over; return how many."""
    return actions.forget_watches(now=timezone.now())


def _judge(work_id: int) -> None:
    seconds = SECONDS_WITHOUT_A_QUEUE if settings.CELERY_TASK_ALWAYS_EAGER else WORKING_SECONDS
    changed = actions.judge_watches(work_id, seconds=seconds)
    if changed is not None:
        logger.info("Watched trips were judged again; the verdicts of %s changed.", changed)
