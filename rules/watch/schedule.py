"""When a page is visited again. Pure.

Visits are spread at random, so that pages added together are not always visited together.
"""

import datetime
import random

FIRST_PAUSE = datetime.timedelta(hours=1)
LONGEST_PAUSE = datetime.timedelta(days=1)
"""Between two tries of a failing page: a dead link is one that fails on different days."""

LONGEST_WAIT = datetime.timedelta(days=7)
"""The longest time for which a server may ask us to stay away."""

DEAD_AFTER_DAYS = 3
"""On how many different days a page must fail before its link counts as dead."""

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
    """Return when to try a page again that failed `tries` times in a row, on some days: later each time.

    A page whose link counts as dead is visited like any other, in case it comes back.
    """
    if failed_days >= DEAD_AFTER_DAYS:
        pause = datetime.timedelta(days=visit_days)
    else:
        pause = min(FIRST_PAUSE * 2 ** min(tries - 1, 10), LONGEST_PAUSE)
    asked = min(retry_after or datetime.timedelta(), LONGEST_WAIT)
    return now + max(_spread(pause, chance), asked)


def _spread(pause: datetime.timedelta, chance: random.Random) -> datetime.timedelta:
    return pause * chance.uniform(1 - SPREAD, 1 + SPREAD)
