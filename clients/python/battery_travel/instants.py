"""The clocks of this machine, read together.

`expires_at` is compared with the wall clock, but anyone can set that clock. No one can set the other one, so
it always shows how much time has passed.
"""

import datetime
import time
from collections.abc import Callable
from typing import NamedTuple


class Instant(NamedTuple):
    """One moment: the time of day with its zone, and the seconds of a monotonic clock."""

    wall: datetime.datetime
    monotonic: float


Clock = Callable[[], Instant]


def system_clock() -> Instant:
    """Return the present moment."""
    return Instant(datetime.datetime.now(datetime.UTC), _uptime())


def _uptime() -> float:
    """Return seconds that also count while the machine sleeps, if the system has them (Linux)."""
    boot_time: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)
