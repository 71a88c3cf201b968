"""Jobs of webhooks: tell of new releases, send the waiting deliveries, and delete those that are over."""

import logging

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from catalog.fetching import Sender, policy_from_settings
from compliance.partners.webhooks import actions
from compliance.partners.webhooks.delivery import deliver_due
from rules import corpus
from rules.corpus import CorpusUnavailable

logger = logging.getLogger(__name__)

WORKING_SECONDS = 60
"""For so long one job starts tries; then the next job continues."""

SECONDS_WITHOUT_A_QUEUE = 5
"""Without a queue one process does all jobs.

The mails wait no longer than this, plus the try that was begun.
"""


@shared_task(name="compliance.webhooks.tasks.deliver")
def deliver() -> int:
    """Send due deliveries, and return how many were accepted. Any number of these may run at once."""
    actions.take_up_letters(now=timezone.now())
    seconds = SECONDS_WITHOUT_A_QUEUE if settings.CELERY_TASK_ALWAYS_EAGER else WORKING_SECONDS
    taken = deliver_due(Sender(policy_from_settings()), seconds=seconds)
    if taken:
        logger.info("Webhooks took %s deliveries.", taken)
    return taken


@shared_task(name="compliance.webhooks.tasks.announce")
def announce() -> int:
    """Record the deliveries about the current release; return how many. Any number of these may run."""
    try:
        release = corpus.refresh()
    except CorpusUnavailable:
        return 0
    return actions.announce_release(release=release, now=timezone.now())


@shared_task(name="compliance.webhooks.tasks.forget_deliveries")
def forget_deliveries() -> int:
    """Delete deliveries that ended a while ago; return how many."""
    return actions.forget_deliveries(now=timezone.now())
