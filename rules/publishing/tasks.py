"""The periodic job that carries out planned publishings."""

import logging

from celery import shared_task
from django.utils import timezone

from rules.publishing.actions import plans

logger = logging.getLogger(__name__)


@shared_task(name="rules.tasks.carry_out_plans")
def carry_out_plans() -> None:
    """Publish what is planned, if its scheduled time has come. Any number of these may run at once."""
    if plan := plans.carry_out_plans(now=timezone.now()):
        logger.info("The %s has ended: %s.", plan, plan.state)
