"""The clocks of this machine, read together.

The wall clock says what `expires_at` is compared with, but anybody can set it. The other one cannot be set,
so it tells how much time has passed in any case.
"""

import datetime
import time
from collections.abc import Callable
from typing import NamedTuple


class Instant(NamedTuple):
    """One moment: the time of day with its zone, and the seconds of a clock that only goes forward."""

    wall: datetime.datetime
    monotonic: float


Clock = Callable[[], Instant]


def system_clock() -> Instant:
    """Return the present moment."""
    return Instant(datetime.datetime.now(datetime.UTC), _uptime())


def _uptime() -> float:
    """Return seconds that go on while the machine sleeps, where the system counts them (Linux)."""
    boot_time: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)
