"""A load generator: a few connections that stay open, each with one request under way at any time.

`python -m bench.client` reads a plan from standard input as JSON: `port`, `paths`, `bodies`, `rounds` and
`seconds`. It prints, for each path, the seconds that a request took in each round, all connections together:
the inverse of the throughput. It only ever connects to the loopback address, and ends with an error at the
first answer that is not 200.
"""

import contextlib
import itertools
import json
import re
import socket
import sys
import time
from collections.abc import Iterator

from compliance.services.ports import LOOPBACK

CONNECTIONS = 16
"""Twice the threads of the server, so that none of them ever waits for the next request."""

PATIENCE_SECONDS = 10
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


def load(
    port: int, paths: list[str], bodies: list[str], rounds: int, seconds: float
) -> dict[str, list[float]]:
    """Send the bodies to each path for some seconds in each round, after one round that does not count.

    The paths take turns on the same connections, and the order rotates.
    """
    measured: dict[str, list[float]] = {path: [] for path in paths}
    for turn in range(rounds + 1):
        first = turn % len(paths)
        with contextlib.ExitStack() as stack:
            connections = [
                stack.enter_context(socket.create_connection((LOOPBACK, port), PATIENCE_SECONDS))
                for _ in range(CONNECTIONS)
            ]
            for path in paths[first:] + paths[:first]:
                requests = itertools.cycle([_request(port, path, body) for body in bodies])
                measured[path].append(_seconds_a_request(connections, requests, seconds))
    return {path: turns[1:] for path, turns in measured.items()}


def _request(port: int, path: str, body: str) -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body.encode())}\r\n\r\n{body}"
    ).encode()


def _seconds_a_request(connections: list[socket.socket], requests: Iterator[bytes], seconds: float) -> float:
    """Keep the server busy for some seconds, and return how many of them went by for each answer."""
    answered, started = 0, time.perf_counter()
    for connection in connections:
        connection.sendall(next(requests))
    while time.perf_counter() - started < seconds:
        for connection in connections:
            _receive(connection)
            connection.sendall(next(requests))
        answered += len(connections)
    for connection in connections:
        _receive(connection)
    answered += len(connections)
    return (time.perf_counter() - started) / answered


def _receive(connection: socket.socket) -> None:
    """Read one answer to its end."""
    answer = connection.recv(65536)
    while (end := answer.find(b"\r\n\r\n")) < 0:
        answer += _more(connection)
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(f"not answered with 200: {answer[:1000]!r}")
    length = LENGTH.search(answer, 0, end + 2)
    if length is None:
        raise RuntimeError(f"an answer of unknown length: {answer[:1000]!r}")
    missing = end + 4 + int(length[1]) - len(answer)
    while missing > 0:
        missing -= len(_more(connection))


def _more(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise RuntimeError("the server closed a connection before its answer was complete")
    return data


if __name__ == "__main__":
    print(json.dumps(load(**json.load(sys.stdin))))
