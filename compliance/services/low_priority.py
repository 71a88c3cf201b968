"""Gives jobs only the processor time that web processes leave, since no one waits for jobs."""

import contextlib
import os
from pathlib import Path

NICENESS = 15
"""Of 19: on a busy machine a thirtieth of the time of another process."""


def give_low_priority(pid: int) -> None:
    """Give a process that just began in its own session, and all that it starts, a low priority."""
    with contextlib.suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS)
    # Where Linux groups processes by session, it first divides the processor between the groups.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(NICENESS))
