"""The job that follows releases: it defines the order in which pages, figures and datasets are updated."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from aeo import editions
from aeo.datasets.actions import keep_datasets
from aeo.discovery import tasks as pages
from aeo.scorecard.actions import keep_scorecard
from aeo.scorecard.selectors import scorecard_is_in_line
from rules import corpus
from rules.corpus import CorpusUnavailable
from rules.policy_history.actions import keep_policy_history

logger = logging.getLogger(__name__)


def send_for_pages() -> None:
    """Have a worker update page records and datasets now.

    If there is no queue, the schedule of the web server does it within seconds. An editor who publishes does
    not wait for pages.
    """
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        catch_up.delay()


@shared_task(name="aeo.tasks.catch_up")
def catch_up() -> None:
    """Update everything that depends on the release, the day and the choice.

    That is: the history of policies, page records, the scorecard and datasets.

    It runs every few seconds, in case no worker ran when it was sent for. If there is nothing to do, it asks
    the database a few questions.
    """
    now = timezone.now()
    try:
        edition = editions.of(corpus.refresh(), now)
    except CorpusUnavailable:
        return
    # First, because the pages of airlines show it.
    if worked_out := keep_policy_history(now=now):
        logger.info("The history of policies goes on with these releases: %s.", ", ".join(worked_out))
    pages.follow(edition, now)
    if not scorecard_is_in_line(edition):
        counted = keep_scorecard(edition=edition, now=now)
        logger.info("The scorecard was counted: %s.", counted)
    if kept := keep_datasets():
        logger.info("Datasets were made of these releases: %s.", ", ".join(kept))
