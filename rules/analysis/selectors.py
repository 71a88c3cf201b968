"""The last outlook on the rows, for the editors' desk, and whether it still holds.

`seen` never waits for the job that looks at the rows, and never hides that it is behind. Where jobs run in
process, the job is done before `seen` returns.
"""

import datetime
import logging
from typing import NamedTuple

from celery.exceptions import OperationalError
from django.core.cache import cache
from redis.exceptions import RedisError

from rules.analysis import report as outlook
from rules.analysis.report import Outlook
from rules.analysis.tasks import ASKED_KEY, look_at_rows

logger = logging.getLogger(__name__)

MAX_AGE = datetime.timedelta(minutes=15)
"""After so long the rows are looked at again, whatever their stamp says."""

ASKED_SECONDS = 300
"""For so long nobody else asks for the job. It ends sooner once the job is done."""


class Seen(NamedTuple):
    """The last outlook, None where there is none yet, and whether the rows still are what it saw."""

    outlook: Outlook | None
    holds: bool

    def as_sentence(self, now: datetime.datetime) -> str:
        """Return the time of which the outlook speaks, and whether it still holds."""
        if self.outlook is None:
            return "The rows are being looked at. Open this page again in a moment."
        when = self.outlook.as_of
        said = f"{when:%H:%M} UTC" if when.date() == now.date() else f"{when:%Y-%m-%d %H:%M} UTC"
        if self.holds:
            return f"Looked at {said}; nothing has changed since."
        return f"Looked at {said}. Rows have changed since, and are being looked at again."


def seen(now: datetime.datetime) -> Seen:
    """Return the last outlook, and have the rows looked at again where it no longer holds. One query."""
    present = outlook.stamp(now.date())
    held = outlook.held()
    if held is None or held.stamp != present or now - held.as_of > MAX_AGE:
        _ask()
        held = outlook.held()
    return Seen(held, held is not None and held.stamp == present)


def _ask() -> None:
    """Have the rows looked at, unless somebody has asked for it already."""
    try:
        if cache.add(ASKED_KEY, value=True, timeout=ASKED_SECONDS):
            look_at_rows.apply_async(retry=False)
    except (RedisError, OperationalError) as error:
        logger.warning("Nobody can be asked to look at the rows: %s", error)
