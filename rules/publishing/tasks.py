"""The periodic job that checks what was published."""

import logging

from celery import shared_task

from rules.publishing import verifying

logger = logging.getLogger(__name__)


@shared_task(name="rules.tasks.verify_ledger")
def verify_ledger() -> int:
    """Check all that was published, log each problem, and return how many there are."""
    problems = verifying.verify_all()
    for problem in problems:
        logger.critical("The ledger of releases is damaged. %s: %s", problem.where, problem.reason)
    return len(problems)
