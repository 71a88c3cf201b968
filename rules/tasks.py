"""Jobs of the rules: the ledger, what changes would do, planned publishings, the outlook, the watch."""

import contextlib
import datetime
import logging

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone

from catalog.fetching import Fetcher, policy_from_settings
from catalog.jobs.actions import AlreadyRunning
from rules.analysis import report
from rules.impact import actions
from rules.publishing import plans
from rules.releases import ledger
from rules.watch import recording
from rules.watch.rounds import watch_due_pages

logger = logging.getLogger(__name__)

WORKING_SECONDS = 60
"""So long one job measures; then it sends another one, so that other jobs have their turn."""

KEPT_DAYS = 30

ASKED_KEY = "rules:outlook:asked"
"""Stands in the cache while somebody waits for `look_at_rows`."""


WATCHING_SECONDS = 400
"""So long one job begins visits; what is due then is for the next one."""

KEPT_VISITS_DAYS = 180


@shared_task(name="rules.tasks.verify_ledger")
def verify_ledger() -> int:
    """Check the ledger of releases, log each problem, and return how many there are."""
    problems = ledger.verify_ledger()
    for problem in problems:
        logger.critical("The ledger of releases is damaged. %s: %s", problem.where, problem.reason)
    return len(problems)


@shared_task(name="rules.tasks.measure_impact")
def measure_impact(measurement_id: int) -> None:
    """Measure parts of a measurement. Running twice, or at once, or being killed does no harm."""
    if actions.work(measurement_id, seconds=WORKING_SECONDS):
        measure_impact.delay(measurement_id)


@shared_task(name="rules.tasks.take_up_measurements")
def take_up_measurements() -> int:
    """Send for workers where a measurement waits, as its job was lost; return how many are not finished."""
    return actions.take_up_all(now=timezone.now())


@shared_task(name="rules.tasks.forget_measurements")
def forget_measurements() -> int:
    """Delete old measurements. They are of use on their day, and to look at for a while."""
    return actions.forget_before(timezone.now().date() - datetime.timedelta(days=KEPT_DAYS))


@shared_task(name="rules.tasks.look_at_rows")
def look_at_rows() -> None:
    """Analyze the rows and compare them with the current release, for the editors' desk."""
    try:
        report.look_again(timezone.now())
    finally:
        cache.delete(ASKED_KEY)


@shared_task(name="rules.tasks.carry_out_plans")
def carry_out_plans() -> None:
    """Publish what is planned, where its instant has come. Any number of these may run at once."""
    if plan := plans.carry_out_plans(now=timezone.now()):
        logger.info("The %s is over: %s.", plan, plan.state)


@shared_task(name="rules.tasks.watch_sources")
def watch_sources() -> None:
    """Visit the pages that are due, unless another worker is at it already. Being killed does no harm."""
    with Fetcher(policy_from_settings()) as fetcher, contextlib.suppress(AlreadyRunning):
        counts = watch_due_pages(fetcher, seconds=WATCHING_SECONDS)
        logger.info("Watched pages were visited: %s.", counts)


@shared_task(name="rules.tasks.forget_visits")
def forget_visits() -> int:
    """Delete old visits of watched pages, and return how many. Signals keep what they are about."""
    return recording.forget_visits(before=timezone.now() - datetime.timedelta(days=KEPT_VISITS_DAYS))
