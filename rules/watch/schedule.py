"""When a page is visited again. Pure.

Visits are spread by chance, so that pages which came together do not stay together.
"""

import datetime
import random

FIRST_PAUSE = datetime.timedelta(hours=1)
LONGEST_PAUSE = datetime.timedelta(days=1)
"""Between two tries of a page that fails: a dead link is one that fails on different days."""

LONGEST_WAIT = datetime.timedelta(days=7)
"""As long as a server may ask us to stay away."""

DEAD_AFTER_DAYS = 3
"""On so many different days a page must fail before its link counts as dead."""

SPREAD = 0.1


def after_answer(now: datetime.datetime, visit_days: int, chance: random.Random) -> datetime.datetime:
    """Return when to visit a page that answered."""
    return now + _spread(datetime.timedelta(days=visit_days), chance)


def after_failure(
    now: datetime.datetime,
    *,
    tries: int,
    failed_days: int,
    visit_days: int,
    retry_after: datetime.timedelta | None,
    chance: random.Random,
) -> datetime.datetime:
    """Return when to try a page again that failed so often in a row, on so many days: later each time.

    One whose link counts as dead is visited as any other, in case it comes back.
    """
    if failed_days >= DEAD_AFTER_DAYS:
        pause = datetime.timedelta(days=visit_days)
    else:
        pause = min(FIRST_PAUSE * 2 ** min(tries - 1, 10), LONGEST_PAUSE)
    asked = min(retry_after or datetime.timedelta(), LONGEST_WAIT)
    return now + max(_spread(pause, chance), asked)


def _spread(pause: datetime.timedelta, chance: random.Random) -> datetime.timedelta:
    return pause * chance.uniform(1 - SPREAD, 1 + SPREAD)
