"""One request at a time to a host, with a pause between two, and first come, first served.

Of this process: that one process at a time watches is seen to by whoever runs it. Hosts that nobody asks and
whose pause is over are forgotten. Called by `fetcher` and `robots`.
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
"""More are remembered only as long as their pauses last."""


class _Host:
    def __init__(self, lock: threading.Lock) -> None:
        self.line: deque[object] = deque()
        self.moved = threading.Condition(lock)
        self.free_at = 0.0


class Turns:
    """Whose turn it is, for each host."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: dict[Origin, _Host] = {}

    @contextmanager
    def turn(self, origin: Origin, pause: float, deadline: Deadline) -> Iterator[None]:
        """Have the host to oneself, and leave it alone for `pause` seconds thereafter.

        Raises `FetchFailed`, reason `busy`, where the turn does not come while one may wait.
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
                    raise FetchFailed(
                        "busy", "Other requests to this host took all the time there was to wait."
                    )
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
