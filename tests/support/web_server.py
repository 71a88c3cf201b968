"""Helpers of tests with a real web server: one with the starter corpus, and plain HTTP requests to it."""

import http.client
import json
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compliance.services.ports import LOOPBACK
from tests.support.processes import Start

VERIFY = "/api/verify"
VALID = {"model_id": "anker-a1289", "trip": {"origin": "JP", "destination": "SG", "airline": "SQ"}}


@dataclass(frozen=True)
class Heard:
    """An answer as it came over the network, its headers by lower-case name."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Server:
    """A running web server, and a way to end it and read what it logged."""

    port: int
    stop: Callable[[], str]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Heard:
        """Send a request on a connection of its own. Headers are named with underscores."""
        content = None if body is None else json.dumps(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(LOOPBACK, self.port, timeout=60)) as connection:
            connection.request(method, path, content, kind | sent)
            response = connection.getresponse()
            heard = {name.lower(): value for name, value in response.getheaders()}
            return Heard(response.status, heard, response.read())

    def verify(self, **headers: str) -> Heard:
        """Ask for a verdict."""
        return self.ask("POST", VERIFY, VALID, **headers)


def serve_starter(
    start: Start, folder: Path, module: str = "tests.support.starter_server", **variables: str
) -> Server:
    """Start the web server, of one process, with the starter corpus and no database.

    Its temporary files go to a folder. `module` is one like `starter_server`.
    """
    process = start(
        "-m",
        module,
        DJANGO_SETTINGS_MODULE="compliance.settings",
        DATABASE_URL="postgresql://127.0.0.1:1/none",
        SECRET_KEY="only-for-tests",
        VERDICT_KEY="only-for-tests",
        CORPUS_POLL_SECONDS="0",
        TMPDIR=str(folder),
        # No one reads its log before it ends, and a full pipe would stop it.
        **{"LOG_LEVEL": "WARNING", "WEB_WORKERS": "1", **variables},
    )
    assert process.stdout is not None
    first_line = process.stdout.readline()
    port = re.search(r":(\d+)", first_line)
    if port is None:
        raise AssertionError(f"it did not start: {first_line!r}, {process.communicate()[1]}")

    def stop() -> str:
        process.terminate()
        return process.communicate(timeout=60)[1]

    return Server(int(port[1]), stop)
