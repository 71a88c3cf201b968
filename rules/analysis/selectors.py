"""The last report on the rows, for the editors' desk, and whether it is still valid.

`seen` never waits for the job that analyzes the rows, and never hides that its result is old. If jobs run in
process, the job is done before `seen` returns.
"""

import datetime
import logging
from typing import NamedTuple

from celery.exceptions import OperationalError
from django.core.cache import cache
from redis.exceptions import RedisError

from catalog.dates import moment_words
from rules.analysis import report
from rules.analysis.report import DraftReport
from rules.analysis.tasks import ASKED_KEY, analyze_rows

logger = logging.getLogger(__name__)

MAX_AGE = datetime.timedelta(minutes=15)
"""After this time the rows are analyzed again, whatever their stamp says."""

ASKED_SECONDS = 300
"""How long no second job is requested. This ends sooner once the job is done."""


class Seen(NamedTuple):
    """The last report, None if there is none yet, and whether the rows are still the same."""

    report: DraftReport | None
    holds: bool

    def as_sentence(self, now: datetime.datetime) -> str:
        """Return the time of the report, and whether it is still valid."""
        if self.report is None:
            return "The rows are being analyzed. Open this page again in a moment."
        when = self.report.as_of
        said = f"{when:%H:%M} UTC" if when.date() == now.date() else moment_words(when)
        if self.holds:
            return f"Analyzed at {said}. Nothing has changed since."
        return f"Analyzed at {said}. Rows have changed since; a new analysis is running."


def seen(now: datetime.datetime) -> Seen:
    """Return the last report, and request a new analysis if it is no longer valid. One query."""
    present = report.stamp(now.date())
    cached = report.cached()
    if cached is None or cached.stamp != present or now - cached.as_of > MAX_AGE:
        _ask()
        cached = report.cached()
    return Seen(cached, cached is not None and cached.stamp == present)


def _ask() -> None:
    """Request an analysis of the rows, unless one is already requested."""
    try:
        if cache.add(ASKED_KEY, value=True, timeout=ASKED_SECONDS):
            analyze_rows.apply_async(retry=False)
    except (RedisError, OperationalError) as error:
        logger.warning("No job can analyze the rows: %s", error)
