"""What runs next to the web processes of `make run`: the clock of the jobs, and the publisher.

Without Redis there is no queue and no worker, so the clock (`compliance.beat`) runs each job itself. With
REDIS_URL, workers run the jobs and `celery -A compliance beat` schedules them; then no clock is started.
One that ends by itself is started again.
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

from compliance.services import low_priority, parent_death
from compliance.services.embedded import REPOSITORY
from compliance.services.environments import Kind, for_process
from compliance.services.keys import RELEASE_KEY
from compliance.services.preparing import say

STOP_SECONDS = 10
AGAIN_SECONDS = 2.0
"""The pause before a program that ended is started again."""


@contextlib.contextmanager
def running() -> Iterator[None]:
    """Run clock and publisher. Without RELEASE_KEY nothing can be published, and no publisher runs.

    What is stopped midway is rolled back, and the next process does it again.
    """
    with contextlib.ExitStack() as stack:
        if os.environ.get(RELEASE_KEY):
            stack.enter_context(_kept("compliance.publisher", "publisher"))
        if not os.environ.get("REDIS_URL"):
            # It runs the jobs itself.
            stack.enter_context(_kept("compliance.beat", "worker", goes_last=True))
        yield


@contextlib.contextmanager
def _kept(module: str, kind: Kind, *, goes_last: bool = False) -> Iterator[None]:
    program = _Program(module, for_process(kind, os.environ), goes_last=goes_last)
    program.start()
    try:
        yield
    finally:
        program.stop()


class _Program(threading.Thread):
    """Runs a program until it is stopped. The kernel counts this thread as the parent of its process."""

    def __init__(self, module: str, environment: dict[str, str], *, goes_last: bool) -> None:
        super().__init__(name=module, daemon=True)
        self._module = module
        self._environment = environment
        self._goes_last = goes_last
        self._starter = os.getpid()
        self._stopping = threading.Event()
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Start the process, again and again."""
        while process := self._begin():
            status = process.wait()
            if not self._stopping.is_set():
                say(f"{self._module} has ended with status {status} and is started again")
            self._stopping.wait(AGAIN_SECONDS)

    def stop(self) -> None:
        """End the process, and do not start another one."""
        if os.getpid() != self._starter:
            # A web process that ends is a copy of the one that started this.
            return
        with self._turn:
            self._stopping.set()
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _begin(self) -> "subprocess.Popen[bytes] | None":
        """Start the process; None if it is to stop."""
        with self._turn:
            if self._stopping.is_set():
                return None
            self._process = subprocess.Popen(
                # The kernel stops it when this process is killed.
                parent_death.command(sys.executable, "-m", self._module),
                cwd=REPOSITORY,
                env=self._environment,
                # Ctrl-C is for us.
                start_new_session=True,
            )
        if self._goes_last:
            low_priority.give_low_priority(self._process.pid)
        return self._process
