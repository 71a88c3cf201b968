"""Celery workers for tests: real ones, of one process each, on the test's own database and Redis."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

from django.db import connection

from compliance.celery import app
from compliance.services.embedded import REPOSITORY
from tests.support.processes import wait_until
from tests.support.roles import url_of

PATIENCE_SECONDS = 60


class Worker:
    """One worker with one process, like a worker on a separate machine."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = f"{name}@localhost"
        # The name of its connections in the database.
        database_url = url_of("worker", application_name=name)
        self._application = name
        with log.open("a") as errors:
            self._process = subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig", "KILL"),
                    *(sys.executable, "-m", "celery", "--app=compliance", "worker", "--pool=solo"),
                    *(
                        "--loglevel=WARNING",
                        f"--hostname={self.name}",
                        "--without-mingle",
                        "--without-gossip",
                    ),
                ],
                cwd=REPOSITORY,
                env=os.environ | {"DATABASE_URL": database_url},
                stderr=errors,
                start_new_session=True,
            )

    def kill_at_work(self, table: str) -> None:
        """Kill it (`kill -9`) while it locks a row of a table."""
        deadline = monotonic() + PATIENCE_SECONDS
        try:
            # It locks a row only for moments, so this loop checks all the time.
            while not self._stopped_at(table):
                assert monotonic() < deadline, f"{self.name} was never seen at work"
                sleep(0.002)
        finally:
            # The connection of the thread that runs this.
            connection.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _stopped_at(self, table: str) -> bool:
        """Stop it, and return whether it has such a lock; otherwise it continues."""
        os.kill(self._process.pid, signal.SIGSTOP)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s "
                "AND state = 'idle in transaction' AND query LIKE %s",
                [self._application, f'%"{table}"%FOR UPDATE%'],
            )
            holds = bool(cursor.fetchone()[0])
        if not holds:
            os.kill(self._process.pid, signal.SIGCONT)
        return holds

    def stop(self) -> None:
        """Let it finish its current work, and stop it."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(60)


@contextlib.contextmanager
def workers(count: int, log: Path) -> Iterator[list[Worker]]:
    """Start workers, wait until each of them answers, and stop them."""
    started = [Worker(f"worker-{number}", log) for number in range(count)]
    try:
        names = {worker.name for worker in started}
        wait_until(lambda: names <= {name for reply in app.control.ping(timeout=0.5) for name in reply}, 120)
        yield started
    finally:
        for worker in started:
            worker.stop()
