"""Clients that stay connected and do nothing, or send a byte now and then, and one that measures."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing

PAUSE_SECONDS = 5
BETWEEN_SECONDS = 0.04
PATIENCE_SECONDS = 60

QUESTION = json.dumps(
    {"model_id": "anker-a1289", "trip": {"origin": "JP", "destination": "SG", "airline": "SQ"}}
).encode()
MEASURED = {
    "/healthz": ("GET", "/healthz", None),
    "verdicts": ("POST", "/api/verify", QUESTION),
}
_SLOWLY = b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n" + b" " * 1000


class Idle:
    """Connections that have asked once, and ask again at the end."""

    def __init__(self, port: int, count: int) -> None:
        self._connections = [
            http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS) for _ in range(count)
        ]
        for connection in self._connections:
            connection.connect()
            # It never connects again by itself.
            connection.auto_open = 0
        self.began = time.monotonic()
        if self.answered() < count:
            raise RuntimeError("A connection that has just been made is not answered.")

    def answered(self) -> int:
        """Ask on each connection; return how many answers come."""
        asked = 0
        for connection in self._connections:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection.request("GET", "/healthz")
                answer = connection.getresponse()
                answer.read()
                asked += answer.status == 200
        return asked

    def close(self) -> None:
        """End them."""
        for connection in self._connections:
            connection.close()


@contextlib.contextmanager
def slow(port: int, count: int) -> Iterator[None]:
    """Let clients send a byte every five seconds; one that is cut off begins again."""
    done = threading.Event()
    threads = [threading.Thread(target=_send_slowly, args=(port, number, done)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def _send_slowly(port: int, number: int, done: threading.Event) -> None:
    done.wait(PAUSE_SECONDS * (number % 100) / 100)
    while not done.is_set():
        with contextlib.suppress(OSError), _connect(port) as connection:
            for byte in _SLOWLY:
                connection.sendall(bytes([byte]))
                if done.wait(PAUSE_SECONDS):
                    return


def measure(port: int, end: float) -> tuple[dict[str, list[float]], int]:
    """Ask by turns on new connections until a time of the monotonic clock.

    Return the seconds that each kind took, sorted, and how many failed.
    """
    taken: dict[str, list[float]] = {name: [] for name in MEASURED}
    failed = 0
    while time.monotonic() < end:
        for name, (method, path, body) in MEASURED.items():
            began = time.monotonic()
            failed += not _is_answered(port, method, path, body)
            taken[name].append(time.monotonic() - began)
        time.sleep(BETWEEN_SECONDS)
    return {name: sorted(times) for name, times in taken.items()}, failed


def _is_answered(port: int, method: str, path: str, body: bytes | None) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)) as connection:
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


def _connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
