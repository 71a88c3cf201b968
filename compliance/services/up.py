"""`make up`: a production setup on this machine. Each part is its own process, and is restarted if it ends.

Parts: PostgreSQL and Redis (unless DATABASE_URL and REDIS_URL name others), web processes, the publisher,
Celery workers and beat. Their data is in DATA_DIR, and their logs are in DATA_DIR/up.

Environment: as `make run`, and UP_WORKERS (1), the number of workers. SIGINT and SIGTERM stop everything in
order; SIGHUP restarts the web processes with new code. After a `kill -9` of this process the kernel stops the
others.
"""

import contextlib
import fcntl
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from compliance.services import ServiceError, embedded, ports, private_files
from compliance.services.environments import for_process
from compliance.services.keys import RELEASE_KEY
from compliance.services.postgres import Cluster
from compliance.services.preparing import prepare, say
from compliance.services.redis import Redis
from compliance.services.supervising import Program, Supervisor

READY_SECONDS = 60
# Quiet: no banner between the lines of the log.
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "compliance"]


def main() -> None:
    """Run everything until it is stopped."""
    private_files.begin()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        workers = _count(os.environ.get("UP_WORKERS") or "1")
        with contextlib.ExitStack() as stack:
            listener = stack.enter_context(ports.claim(ports.parse(os.environ.get("PORT") or "8000")))
            folder = embedded.data_dir()
            stack.enter_context(_alone(folder / "up"))
            host, port = listener.getsockname()
            address = f"http://{host}:{port}"
            os.environ.setdefault("SITE_URL", address)
            os.environ["DATA_DIR"] = str(folder)
            supervisor = Supervisor(folder / "up", address, say)
            _run(supervisor, folder, listener.fileno(), workers, stack)
            _wait_for_answers(address)
            say(f"Serving on {address} (Ctrl-C stops it)")
            supervisor.run()
    except ServiceError as error:
        sys.exit(f"make up: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _run(
    supervisor: Supervisor, folder: Path, listener: int, workers: int, stack: contextlib.ExitStack
) -> None:
    """Start the parts one by one; the stack stops them in reverse order."""
    logs = folder / "up"
    cluster = None
    if os.environ.get("DATABASE_URL"):
        say("Using the database of DATABASE_URL")
    else:
        say(f"Starting PostgreSQL in {folder}")
        cluster = Cluster(folder / "postgres", tied_to_us=True)
    stack.enter_context(embedded.join(folder, cluster, publishes=True))
    stack.callback(supervisor.stop)
    stack.callback(_ignore_further_signals)
    if cluster is not None:
        supervisor.add("postgres", cluster)
    if not os.environ.get("REDIS_URL"):
        say("Starting Redis")
        (folder / "redis").mkdir(mode=0o700, exist_ok=True)
        redis = Redis(folder / "redis", keeping=True, tied_to_us=True)
        supervisor.add("redis", redis)
        os.environ["REDIS_URL"] = redis.url
    prepare(adopts=cluster is not None)
    signal.signal(signal.SIGHUP, lambda *_: supervisor.reload())
    say("Starting web, publisher, workers and beat")
    supervisor.add(
        "web",
        Program(
            [sys.executable, "-m", "compliance.services.web", str(listener)],
            logs / "web.log",
            environment=for_process("web", os.environ),
            handles=(listener,),
        ),
    )
    if os.environ.get(RELEASE_KEY):
        supervisor.add(
            "publisher",
            Program(
                [sys.executable, "-m", "compliance.publisher"],
                logs / "publisher.log",
                environment=for_process("publisher", os.environ),
            ),
        )
    for number in range(1, workers + 1):
        # One job at a time per worker: the number of workers sets how many jobs run at once.
        job = ["--concurrency", "1", "--hostname", f"worker-{number}@%h", "--loglevel", "WARNING"]
        supervisor.add(f"worker-{number}", _celery("worker", job, logs / f"worker-{number}.log"))
    clock = ["--schedule", str(folder / "up" / "beat"), "--pidfile=", "--loglevel", "WARNING"]
    supervisor.add("beat", _celery("beat", clock, logs / "beat.log"))


def _celery(kind: Literal["worker", "beat"], arguments: list[str], log: Path) -> Program:
    return Program(
        [*CELERY, kind, *arguments], log, environment=for_process(kind, os.environ), goes_last=True
    )


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Make the folder, and refuse to share it with another `make up`."""
    try:
        private_files.make(folder.parent)
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ServiceError(f"another copy already uses the data in {folder.parent}") from None
            yield
    except OSError as error:
        raise ServiceError(f"DATA_DIR cannot be used: {error}") from error


def _ignore_further_signals() -> None:
    """Ignore signals that would interrupt the stopping."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)


def _wait_for_answers(address: str) -> None:
    """Return when a web process answers, with any status."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=READY_SECONDS):
                return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError as error:
            if time.monotonic() > deadline:
                raise ServiceError(f"web does not answer: {error}") from error
            time.sleep(0.1)


def _count(text: str) -> int:
    """Return the number of workers that a person asked for.

    Raises:
        ServiceError: It is not a whole number from 1 on.

    """
    if not text.isdecimal() or int(text) < 1:
        raise ServiceError(f"UP_WORKERS is {text!r}, but must be a whole number of at least 1")
    return int(text)


if __name__ == "__main__":
    main()
