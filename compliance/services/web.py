"""Gunicorn, inside this process, on a socket that is already open. SIGHUP restarts its workers.

`python -m compliance.services.web HANDLE` serves on a listening socket that it inherited.
"""

import os
import shutil
import socket
import sys
import tempfile
from typing import Any

from gunicorn import util
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from compliance.operations import logs
from compliance.services import parent_death
from compliance.services.web_worker import Worker

# The folder where workers write the counts of /metrics. prometheus_client reads the variable at import.
METRICS_DIR = "PROMETHEUS_MULTIPROC_DIR"


def serve(listener: socket.socket) -> None:
    """Take over the socket, serve until SIGINT or SIGTERM, raise SystemExit. For main threads only."""
    os.environ[METRICS_DIR] = tempfile.mkdtemp(prefix="compliance-metrics-")
    _Server(listener).run()


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


class _Server(BaseApplication):
    """`gunicorn compliance.wsgi`, configured here."""

    def __init__(self, listener: socket.socket) -> None:
        host, port = listener.getsockname()
        self._address = f"http://{host}:{port}"
        # Gunicorn closes the socket itself. A Python object that still owned it would close it twice.
        self._handle = listener.detach()
        super().__init__()

    def load_config(self) -> None:
        settings = {
            "bind": f"fd://{self._handle}",
            "worker_class": Worker,
            "workers": os.environ.get("WEB_WORKERS", "2"),
            "threads": os.environ.get("WEB_THREADS", "4"),
            # Limits: bytes of the first line, bytes of a header, number of headers.
            "limit_request_line": 4094,
            "limit_request_field_size": 8190,
            "limit_request_fields": 100,
            # The kernel would keep sending to a client that does not read its file, whatever the worker says.
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
        def write_error(client: socket.socket, status: int, *_: str) -> None:
            from compliance.middleware.server_refusals import refusal

            util.write_nonblock(client, refusal(status))

        util.write_error = write_error
        return application

    def _say_ready(self, _arbiter: Any) -> None:
        print(f"Serving on {self._address} (Ctrl-C stops it)", flush=True)


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
