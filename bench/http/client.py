"""A load generator: a few open connections, each with one request under way at any time.

`python -m bench.http.client` reads a plan from standard input as JSON: `port`, `kinds`, `rounds`, `seconds`
and the process ids of the server's `workers`. A kind has a `name`, the `requests` to send in turn, each a
whole HTTP message, and the `status` of all answers. It prints the cost of a request of each kind in each
round: the seconds, all connections together, which is the inverse of the throughput, and the processor
seconds of the workers. It connects only to the loopback address, and ends with an error at the first answer
with another status.
"""

import contextlib
import itertools
import json
import math
import os
import re
import selectors
import socket
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from compliance.services.ports import LOOPBACK

CONNECTIONS = 16
"""Twice the threads of the server, so no thread ever waits for the next request."""

PATIENCE_SECONDS = 10
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


class Kind(NamedTuple):
    """Requests of one kind: the messages to send in turn, and the status of every answer."""

    name: str
    requests: list[str]
    status: int = 200


class Turn(NamedTuple):
    """The cost of a request in one turn: seconds of the clock, and processor seconds of the workers."""

    clock: float
    processor: float


def load(
    port: int, kinds: Sequence[Kind], rounds: int, seconds: float, workers: Sequence[str] = ()
) -> dict[str, list[Turn]]:
    """Send the requests of each kind for some seconds in each round, after one round that does not count.

    The kinds take turns on the same connections, in a rotating order.
    """
    measured: dict[str, list[Turn]] = {kind.name: [] for kind in kinds}
    for turn in range(rounds + 1):
        first = turn % len(kinds)
        with _connections(port) as connections:
            for kind in [*kinds[first:], *kinds[:first]]:
                messages = itertools.cycle([message.encode() for message in kind.requests])
                before, began = processor_seconds(workers), time.perf_counter()
                answered = _answered(connections, messages, kind.status, seconds)
                took, spent = time.perf_counter() - began, processor_seconds(workers) - before
                measured[kind.name].append(Turn(took / answered, spent / answered))
    return {name: turns[1:] for name, turns in measured.items()}


def send_all(port: int, messages: Iterable[bytes], status: int = 200) -> int:
    """Send each message once, over all connections together, and return how many were answered."""
    with _connections(port) as connections:
        return _answered(connections, iter(messages), status, math.inf)


@contextlib.contextmanager
def _connections(port: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_connection((LOOPBACK, port), PATIENCE_SECONDS))
            for _ in range(CONNECTIONS)
        ]


def processor_seconds(pids: Sequence[str]) -> float:
    """Return the processor seconds that some processes have used."""
    ticks = 0
    for pid in pids:
        # After the name, which may contain anything: user and system time are fields 14 and 15 of all.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _answered(
    connections: list[socket.socket], messages: Iterator[bytes], status: int, seconds: float
) -> int:
    """Keep the server busy for some seconds, and return the number of answers."""
    answered = 0
    with selectors.DefaultSelector() as waiting:
        for connection in connections:
            waiting.register(connection, selectors.EVENT_READ)
        started = time.perf_counter()
        busy = {connection for connection in connections if _sent(connection, messages)}
        while busy:
            ready = waiting.select(PATIENCE_SECONDS)
            if not ready:
                raise RuntimeError("the server has not answered for some time")
            for key, _ in ready:
                answering = key.fileobj
                assert isinstance(answering, socket.socket)
                _receive(answering, status)
                answered += 1
                if time.perf_counter() - started >= seconds or not _sent(answering, messages):
                    busy.discard(answering)
        return answered


def _sent(connection: socket.socket, messages: Iterator[bytes]) -> bool:
    """Send the next message, if there is one."""
    message = next(messages, None)
    if message is not None:
        connection.sendall(message)
    return message is not None


def _receive(connection: socket.socket, status: int) -> None:
    """Read one answer to its end."""
    answer = connection.recv(65536)
    while (end := answer.find(b"\r\n\r\n")) < 0:
        answer += _more(connection)
    if not answer.startswith(b"HTTP/1.1 %d " % status):
        raise RuntimeError(f"not answered with {status}: {answer[:1000]!r}")
    if status == 304:
        return
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


def main() -> None:
    """Carry out the plan."""
    plan = json.load(sys.stdin)
    kinds = [Kind(**kind) for kind in plan["kinds"]]
    print(json.dumps(load(plan["port"], kinds, plan["rounds"], plan["seconds"], plan["workers"])))


if __name__ == "__main__":
    main()
