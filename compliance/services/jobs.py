"""The jobs beside `make run`: their clock, in a process of its own (`compliance.beat`).

Without Redis there is no queue and no worker, so the clock runs each job itself. Where REDIS_URL is set,
workers run them, and `celery -A compliance beat` is their clock; then this starts nothing.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

from compliance.services import low_priority, parent_death
from compliance.services.embedded import REPOSITORY

STOP_SECONDS = 10


@contextlib.contextmanager
def running() -> Iterator[None]:
    """Run the clock. What a job is at when it is stopped is rolled back, and taken up by the next one."""
    if os.environ.get("REDIS_URL"):
        yield
        return
    # The kernel stops it where this process is killed. In a session of its own: Ctrl-C is for us.
    clock = subprocess.Popen(
        parent_death.command(sys.executable, "-m", "compliance.beat"), cwd=REPOSITORY, start_new_session=True
    )
    low_priority.let_go_last(clock.pid)
    try:
        yield
    finally:
        clock.terminate()
        try:
            clock.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            clock.kill()
            clock.wait()
