"""One request at a time to a host, with a pause between two, in the order of arrival.

For this process only: the caller makes sure that one process at a time watches. A host is forgotten when no
one asks it and its pause is over. Called by `fetcher` and `robots`.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from catalog.fetching.answers import FetchFailed
from catalog.fetching.deadline import Deadline

Origin = tuple[str, int]

MOST_HOSTS = 1000
"""Above this number, a host is remembered only until its pause is over."""


class _Host:
    def __init__(self, lock: threading.Lock) -> None:
        self.line: deque[object] = deque()
        self.moved = threading.Condition(lock)
        self.free_at = 0.0


class Turns:
    """The queue of each host."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: dict[Origin, _Host] = {}

    @contextmanager
    def turn(self, origin: Origin, pause: float, deadline: Deadline) -> Iterator[None]:
        """Use the host alone, and let it rest for `pause` seconds after that.

        Raises `FetchFailed`, reason `busy`, if the turn does not come in time.
        """
        mine = object()
        with self._lock:
            host = self._hosts.get(origin)
            if host is None:
                self._forget()
                host = self._hosts[origin] = _Host(self._lock)
            host.line.append(mine)
            try:
                self._wait(host, mine, deadline)
            except BaseException:
                self._leave(host, mine)
                raise
        try:
            yield
        finally:
            with self._lock:
                host.free_at = time.monotonic() + pause
                self._leave(host, mine)

    def _wait(self, host: _Host, mine: object, deadline: Deadline) -> None:
        began_at = time.monotonic()
        until = began_at + deadline.left_to_wait
        try:
            while True:
                now = time.monotonic()
                first = host.line[0] is mine
                if first and now >= host.free_at:
                    return
                if now >= until or (first and host.free_at > until):
                    raise FetchFailed("busy", "Other requests to this host used all the waiting time.")
                host.moved.wait((host.free_at if first else until) - now)
        finally:
            deadline.waited(time.monotonic() - began_at)

    def _leave(self, host: _Host, mine: object) -> None:
        host.line.remove(mine)
        host.moved.notify_all()

    def _forget(self) -> None:
        if len(self._hosts) >= MOST_HOSTS:
            now = time.monotonic()
            self._hosts = {
                origin: host for origin, host in self._hosts.items() if host.line or host.free_at > now
            }
