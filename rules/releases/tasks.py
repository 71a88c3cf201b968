"""The periodic job that checks the ledger of releases."""

import logging

from celery import shared_task

from rules.releases import ledger

logger = logging.getLogger(__name__)


@shared_task(name="rules.tasks.verify_ledger")
def verify_ledger() -> int:
    """Check the ledger of releases, log each problem, and return how many there are."""
    problems = ledger.verify_ledger()
    for problem in problems:
        logger.critical("The ledger of releases is damaged. %s: %s", problem.where, problem.reason)
    return len(problems)
