"""Gunicorn's worker with threads, for slow clients: no client occupies a thread for long.

A thread that reads a request waits for its client. Gunicorn itself would wait forever, so that as many silent
connections as there are threads would block the service. Here a client counts as disconnected when it sends
nothing for `SILENCE_SECONDS`, needs more than `REQUEST_SECONDS` for one request, or does not read its answer.
A proxy in front reads whole requests before it passes them on, and keeps many such clients away. Called by
`web`.
"""

import errno
import socket
import struct
import time
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

SILENCE_SECONDS = 10
REQUEST_SECONDS = 60


class Worker(ThreadWorker):
    """Reads and writes on sockets with time limits."""

    def handle(self, conn: Any) -> Any:
        """Answer one request of a connection."""
        if not isinstance(conn.sock, _Socket):
            conn.sock = _Socket(conn.sock)
        conn.sock.request_ends = time.monotonic() + REQUEST_SECONDS
        return super().handle(conn)


class _Socket(socket.socket):
    """The connection of a client, with time limits, in place of the socket that it is made of."""

    def __init__(self, taken: socket.socket) -> None:
        super().__init__(taken.family, taken.type, taken.proto, fileno=taken.detach())
        # The kernel's own limits cost nothing while a client keeps them: the socket stays a blocking one.
        limit = struct.pack("ll", SILENCE_SECONDS, 0)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        self.request_ends = 0.0
        self._hung_up = False

    def recv(self, *arguments: Any) -> bytes:
        """Return what the client sent; nothing, as at the end of a connection, if it is late.

        After that it stays at its end: later bytes are no request, but the rest of one that was given up.
        """
        if self._hung_up or time.monotonic() > self.request_ends:
            self._hung_up = True
            return b""
        try:
            return super().recv(*arguments)
        except (BlockingIOError, TimeoutError):
            self._hung_up = True
            return b""

    def sendall(self, *arguments: Any) -> None:
        """Send an answer. For the log, a client that does not read it has disconnected."""
        try:
            super().sendall(*arguments)
        except BlockingIOError as error:
            raise BrokenPipeError(errno.EPIPE, "the client does not read its answer") from error
