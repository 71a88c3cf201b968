"""Gunicorn, inside this process, on a socket that is already open. SIGHUP restarts its workers.

`python -m compliance.services.web HANDLE` serves on a listening socket that it inherited.
"""

import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from operator import attrgetter
from typing import Any

from gunicorn import util
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from compliance.limits import shared
from compliance.operations import logs
from compliance.services import parent_death, web_worker
from compliance.services.incoming import LINE_BYTES
from compliance.services.outgoing import Outgoing

# The folder where workers write the counts of /metrics. prometheus_client reads the variable at import.
METRICS_DIR = "PROMETHEUS_MULTIPROC_DIR"

LOAD_SECONDS = 120
"""How long new workers may load before the old ones end anyway."""
LOOK_SECONDS = 0.05
STOPS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGQUIT})


def serve(listener: socket.socket) -> None:
    """Take over the socket, serve until SIGINT or SIGTERM, raise SystemExit. For main threads only."""
    _allow_handles()
    os.environ[METRICS_DIR] = tempfile.mkdtemp(prefix="compliance-metrics-")
    shared.begin()
    _Server(listener).run()


def _allow_handles() -> None:
    """Let each worker have a handle for every connection and as many others: systemd begins with 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * web_worker.CONNECTIONS
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


class _Log(Logger):
    """Gunicorn's log, without any content of a request."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        wanted = os.environ.get("LOG_FORMAT") or logs.format_for(
            os.environ.get("ALLOWED_HOSTS", "").split(",")
        )
        for handler in self.error_log.handlers:
            handler.addFilter(logs.Private())
            handler.setFormatter(logs.JsonLines() if wanted == "json" else logs.TextLines())


class _Arbiter(Arbiter):
    """Starts and ends workers. After SIGHUP the old ones end only when the new ones have loaded."""

    is_stopped = False

    def signal(self, sig: int, frame: Any) -> None:
        """Note a signal; gunicorn handles it when it is its turn."""
        self.is_stopped = self.is_stopped or sig in STOPS
        super().signal(sig, frame)

    def manage_workers(self) -> None:
        """Start missing workers, and end those that are too many, the oldest first.

        A stop is not delayed, and a worker that never loads delays this for `LOAD_SECONDS` at most.
        """
        deadline = time.monotonic() + LOAD_SECONDS
        while (
            len(self.WORKERS) > self.num_workers
            and not self._have_loaded()
            and not self.is_stopped
            and time.monotonic() < deadline
        ):
            self.reap_workers()
            time.sleep(LOOK_SECONDS)
        super().manage_workers()

    def _have_loaded(self) -> bool:
        """Whether all workers that stay can answer."""
        newest = sorted(self.WORKERS.values(), key=attrgetter("age"))[-self.num_workers :]
        return all(os.fstat(worker.tmp.fileno()).st_size for worker in newest)


class _Server(BaseApplication):
    """`gunicorn compliance.wsgi`, configured here."""

    def __init__(self, listener: socket.socket) -> None:
        host, port = listener.getsockname()
        self._address = f"http://{host}:{port}"
        # Gunicorn closes the socket itself. A Python object that still owned it would close it twice.
        self._handle = listener.detach()
        super().__init__()

    def run(self) -> None:
        _Arbiter(self).run()

    def load_config(self) -> None:
        settings = {
            "bind": f"fd://{self._handle}",
            "worker_class": web_worker.Worker,
            "workers": os.environ.get("WEB_WORKERS", "2"),
            "threads": os.environ.get("WEB_THREADS", "4"),
            "worker_connections": web_worker.CONNECTIONS,
            "keepalive": web_worker.IDLE_SECONDS,
            # Limits: bytes of the first line, bytes of a header, number of headers.
            "limit_request_line": LINE_BYTES,
            "limit_request_field_size": 8190,
            "limit_request_fields": 100,
            # Files leave as other answers do, through the worker's loop.
            "sendfile": False,
            # No client's headers change a request: the service's own setting says which proxies are trusted
            # (TRUSTED_PROXIES), and gunicorn does not know it.
            "forwarded_allow_ips": "",
            "secure_scheme_headers": {},
            "forwarder_headers": "",
            "logger_class": _Log,
            "loglevel": "warning",
            "graceful_timeout": 10,
            # It would open a socket in the home folder.
            "control_socket_disable": True,
            "when_ready": self._say_ready,
            "post_fork": _die_with_parent,
            "post_worker_init": _say_loaded,
            "child_exit": _forget_worker,
            "on_exit": _remove_metrics,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        # Workers call this after they are forked, so no database pool is shared between them.
        from compliance.wsgi import application, begin

        begin()

        # Gunicorn answers unreadable requests with an HTML page, and has no setting for that.
        def write_error(client: Outgoing, status: int, *_: str) -> None:
            from compliance.middleware.server_refusals import refusal

            client.sendall(refusal(status, is_page=client.incoming.reads_pages))

        util.write_error = write_error
        return application

    def _say_ready(self, _arbiter: Any) -> None:
        print(f"Serving on {self._address} (Ctrl-C stops it)", flush=True)


def _say_loaded(worker: Any) -> None:
    """Tell the arbiter that a worker can answer: the file that they share is no longer empty."""
    os.write(worker.tmp.fileno(), b"1")


def _forget_worker(_arbiter: Any, worker: Any) -> None:
    """Stop reporting a worker that ended; its counts stay."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def _remove_metrics(_arbiter: Any) -> None:
    """Remove the workers' counts. Only the supervisor calls this, when all workers have ended."""
    shutil.rmtree(os.environ[METRICS_DIR], ignore_errors=True)


def _die_with_parent(_arbiter: Any, _worker: Any) -> None:
    """Let the kernel end a worker with its parent: after a `kill -9` it would keep the port for a second."""
    parent_death.tie()


if __name__ == "__main__":
    # `make up` keeps the socket open itself, so no client is refused while this process restarts.
    serve(socket.socket(fileno=int(sys.argv[1])))
