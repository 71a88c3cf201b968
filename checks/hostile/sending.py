"""Sends requests exactly as they are made, on connections that are kept."""

import contextlib
import http.client
import socket
import time
from collections.abc import Mapping
from typing import NamedTuple

from checks.hostile.making import Request

PATIENCE_SECONDS = 60


class Answer(NamedTuple):
    """What came back: status 0 if nothing did. `broken` says why."""

    status: int
    headers: Mapping[str, str]
    seconds: float
    broken: str = ""
    body: bytes = b""


class Connection:
    """A connection of one client, made again whenever the server ends it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._socket: socket.socket | None = None

    def send(self, request: Request, extra: Mapping[str, str] | None = None) -> Answer:
        """Send a request and return its answer. An answer that does not come is tried once more."""
        wire = written(request, extra or {}, self.port)
        began = time.monotonic()
        was_kept = self._socket is not None
        answer = self._ask(request.method, wire, began)
        if answer.broken and was_kept and answer.seconds < 1:
            # The server may end a connection between two requests.
            answer = self._ask(request.method, wire, time.monotonic())
        return answer

    def _ask(self, method: str, wire: bytes, began: float) -> Answer:
        try:
            if self._socket is None:
                self._socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                # A refusal may come before everything is sent.
                self._socket.sendall(wire)
            response = http.client.HTTPResponse(self._socket, method=method)
            response.begin()
            body = response.read()
            headers = {name.lower(): text for name, text in response.getheaders()}
            if response.will_close:
                self.close()
            return Answer(response.status, headers, time.monotonic() - began, body=body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            return Answer(0, {}, time.monotonic() - began, f"{type(error).__name__}: {error}"[:120])

    def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def written(request: Request, extra: Mapping[str, str], port: int) -> bytes:
    """Return a request as bytes."""
    given = {name.lower() for name, _ in request.headers}
    lines = [f"{request.method} {request.target} HTTP/1.1"]
    if "host" not in given:
        lines.append(f"Host: 127.0.0.1:{port}")
    lines += [f"{name}: {_in_bytes(text)}" for name, text in request.headers]
    lines += [f"{name}: {text}" for name, text in extra.items()]
    if request.body or request.method in {"POST", "PUT"}:
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + request.body


def _in_bytes(text: str) -> str:
    """Return a text whose characters are bytes. Text beyond Latin-1 goes as UTF-8."""
    return text if text.isascii() or max(text) <= "\xff" else text.encode().decode("latin-1")
