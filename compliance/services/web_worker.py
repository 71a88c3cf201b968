"""Gunicorn's worker with threads, for slow and idle clients: no client occupies a thread while it is slow.

One loop reads from all connections. It gives a request to a thread when all of it is there (`incoming`), and
it sends what a client does not take at once (`outgoing`). So a thread works only on what it can answer.

A connection ends when its client sends nothing for `IDLE_SECONDS` between requests or `SILENCE_SECONDS`
within one, needs more than `REQUEST_SECONDS` for one, or does not read its answer. If there are too many, the
one that has waited longest ends. Called by `web`.
"""

import contextlib
import errno
import selectors
import socket
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from operator import attrgetter
from typing import Any

from gunicorn import util
from gunicorn.http.parser import RequestParser
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker

from compliance.services.incoming import Incoming
from compliance.services.outgoing import Outgoing

IDLE_SECONDS = 80
"""Longer than clients and proxies use a connection again: 75 seconds at most."""
SILENCE_SECONDS = 10
REQUEST_SECONDS = 60
SLOWEST_BYTES = 1024
"""In a second: a client that reads a long answer more slowly is not waited for."""
LINGER_SECONDS = 2
"""How long an ended connection stays: a client may still be sending, and must be able to read its answer."""

CONNECTIONS = 1000
"""The limit of each process."""
WAITING_BYTES = 128 * 1024 * 1024
"""The limit of all large requests that have not been read, and of all answers that have not left."""
SMALL_BYTES = 64 * 1024
"""A request of this size is always taken."""

LOOK_SECONDS = 0.5
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(TConn):
    """A client's connection. Either the loop has it or one thread has it."""

    def __init__(self, cfg: Any, client: socket.socket, address: Any, server: Any) -> None:
        client.setblocking(False)
        self.socket = client
        self.incoming = Incoming()
        # For gunicorn, the answer replaces the socket.
        super().__init__(cfg, Outgoing(client, SILENCE_SECONDS, self.incoming), address, server)
        self.data_ready = True
        self.goes_on = True
        """Whether another request may come after the answer."""
        self.since = 0.0
        """When something came or left last."""
        self.deadline = 0.0
        """When the loop ends it."""
        self.last_deadline = 0.0
        """When the loop ends it, even if something comes or leaves."""

    def init(self) -> None:
        """Let gunicorn read one request."""
        self.parser = RequestParser(self.cfg, self.incoming, self.client)

    def wait(self, seconds: float, at_most: float | None = None) -> None:
        """Give the client time from now on; `at_most` sets also the last deadline."""
        self.since = time.monotonic()
        if at_most is not None:
            self.last_deadline = self.since + at_most
        self.deadline = min(self.since + seconds, self.last_deadline)


class Worker(ThreadWorker):
    """Reads whole requests and sends answers in one loop; threads do the rest."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._open: set[Connection] = set()
        self._watched: set[Connection] = set()
        """Those that the loop waits for."""
        self._look_at = 0.0

    def accept(self, listener: Any) -> None:
        """Take a connection, and its request, if it is there already."""
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in {errno.EAGAIN, errno.ECONNABORTED}:
                return
            raise
        self.nr_conns += 1
        if self.nr_conns >= self.worker_connections and self._watched:
            self._end(min(self._watched, key=attrgetter("since")))
        conn = Connection(self.cfg, client, address, listener.getsockname())
        self._open.add(conn)
        conn.wait(IDLE_SECONDS, at_most=IDLE_SECONDS)
        self._read(conn)

    def handle(self, conn: Connection) -> bool:
        """Answer a request that is there, in a thread; return whether the connection goes on."""
        goes_on = super().handle(conn)
        conn.incoming.put_back(conn.parser.unreader.take_buffered())
        return bool(goes_on) and not conn.incoming.ran_dry

    def finish_request(self, conn: Connection, future: Any) -> None:
        """Send what is left of an answer."""
        conn.goes_on = not future.cancelled() and future.exception() is None and future.result()
        conn.wait(SILENCE_SECONDS, at_most=REQUEST_SECONDS + conn.sock.left / SLOWEST_BYTES)
        self._write(conn)
        if conn.sock.left:
            self._make_room()

    def murder_keepalived(self, force: bool = False) -> None:
        """End the connections whose time is over, or all."""
        now = time.monotonic()
        if now < self._look_at and not force:
            return
        self._look_at = now + LOOK_SECONDS
        for conn in [one for one in self._watched if force or one.deadline <= now]:
            self._end(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """Give idle connections less time, because this process stops."""
        for conn in self._watched:
            if not conn.incoming and not conn.sock.left:
                conn.deadline = min(conn.deadline, deadline)

    def _read(self, conn: Connection, _socket: Any = None) -> None:
        """Take what a client has sent."""
        try:
            data = conn.socket.recv(SMALL_BYTES)
        except BlockingIOError:
            self._watch(conn, selectors.EVENT_READ, self._read)
            return
        except OSError:
            data = b""
        if not data:
            self._end(conn)
            return
        if not conn.incoming:
            conn.wait(SILENCE_SECONDS, at_most=REQUEST_SECONDS)
        else:
            conn.wait(SILENCE_SECONDS)
        conn.incoming.add(data)
        self._look(conn)

    def _look(self, conn: Connection) -> None:
        """Give a request to a thread if all of it is there."""
        found = conn.incoming.found()
        if found == "whole":
            self._forget(conn)
            self.enqueue_req(conn)
        elif found is not None:
            self._refuse(conn, found)
        elif len(conn.incoming) > SMALL_BYTES and self._has_no_room():
            self._refuse(conn, HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            if conn.incoming.waits_for_a_word():
                with contextlib.suppress(OSError):
                    conn.sock.sendall(CONTINUE)
            self._watch(conn, selectors.EVENT_READ, self._read)

    def _make_room(self) -> None:
        """End the connections that have taken nothing for longest, while too much waits to leave."""
        slow = sorted((conn for conn in self._watched if conn.sock.left), key=attrgetter("since"))
        waiting = sum(conn.sock.left for conn in slow)
        for conn in slow:
            if waiting <= WAITING_BYTES:
                return
            waiting -= conn.sock.left
            self._end(conn)

    def _has_no_room(self) -> bool:
        sizes = (len(conn.incoming) for conn in self._open)
        return sum(size for size in sizes if size > SMALL_BYTES) > WAITING_BYTES

    def _refuse(self, conn: Connection, status: int) -> None:
        """Refuse a request of which no more is read."""
        conn.goes_on = False
        with contextlib.suppress(OSError):
            util.write_error(conn.sock, status, "", "")
        self._write(conn)

    def _write(self, conn: Connection, _socket: Any = None) -> None:
        """Send an answer as far as the client takes it. After that comes the next request."""
        before = conn.sock.left
        try:
            has_left = conn.sock.push()
        except OSError:
            self._end(conn)
            return
        if not has_left:
            if conn.sock.left < before:
                conn.wait(SILENCE_SECONDS)
            self._watch(conn, selectors.EVENT_WRITE, self._write)
        elif not conn.goes_on:
            self._linger(conn)
        else:
            self._go_on(conn)

    def _go_on(self, conn: Connection) -> None:
        """Wait for the next request, unless the client has sent it already."""
        if conn.incoming:
            conn.wait(SILENCE_SECONDS, at_most=REQUEST_SECONDS)
            self._look(conn)
        else:
            seconds = IDLE_SECONDS if self.alive else STOP_KEEPALIVE_LINGER
            conn.wait(seconds, at_most=seconds)
            self._watch(conn, selectors.EVENT_READ, self._read)

    def _linger(self, conn: Connection) -> None:
        """Say that no more comes, and let the client read what has left (RFC 9112, section 9.6)."""
        try:
            conn.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self._end(conn)
            return
        conn.wait(LINGER_SECONDS, at_most=LINGER_SECONDS)
        self._watch(conn, selectors.EVENT_READ, self._drop)

    def _drop(self, conn: Connection, _socket: Any = None) -> None:
        """Drop what comes after the last request."""
        try:
            if conn.socket.recv(SMALL_BYTES):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._end(conn)

    def _watch(self, conn: Connection, event: int, then: Callable[..., None]) -> None:
        """Call a method when the client can be read from, or written to."""
        if conn in self._watched:
            self.poller.modify(conn.socket, event, partial(then, conn))
        else:
            self._watched.add(conn)
            self.poller.register(conn.socket, event, partial(then, conn))

    def _forget(self, conn: Connection) -> None:
        if conn in self._watched:
            self._watched.discard(conn)
            self.poller.unregister(conn.socket)

    def _end(self, conn: Connection) -> None:
        self._forget(conn)
        self._open.discard(conn)
        self.nr_conns -= 1
        util.close(conn.socket)
