"""The scheduler of the jobs of `make run`, in a process of its own (`compliance.beat`).

Without Redis there is no queue and no worker, so the scheduler runs each job itself. With REDIS_URL, workers
run the jobs and `celery -A compliance beat` schedules them; then this module starts nothing.
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
    """Run the scheduler.

    A job that is stopped midway is rolled back, and the next scheduler runs it again.
    """
    if os.environ.get("REDIS_URL"):
        yield
        return
    # The kernel stops it when this process is killed. It has its own session, because Ctrl-C is for us.
    clock = subprocess.Popen(
        parent_death.command(sys.executable, "-m", "compliance.beat"), cwd=REPOSITORY, start_new_session=True
    )
    low_priority.give_low_priority(clock.pid)
    try:
        yield
    finally:
        clock.terminate()
        try:
            clock.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            clock.kill()
            clock.wait()
