"""POST /api/verify against views that do nothing, over the web server of `make run` with its settings.

The load comes from one process on the same machine. It takes its part of the processor from all three alike,
which draws the quotients toward one; the figures of `bench.in_process` have nothing of that.
"""

import contextlib
import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench import memory
from bench.client import PATIENCE_SECONDS
from bench.report import Line, ratio, value
from bench.requests import COMPARED, PATHS, VERIFY, answer_file, bodies, of_middle_length
from compliance.services.embedded import REPOSITORY
from compliance.services.ports import LOOPBACK
from rules.engine.document import Content

ROUNDS, SECONDS = 15, 1.0


class Server(NamedTuple):
    """A running web server: where it answers, and the process that its workers belong to."""

    port: int
    pid: int

    def workers(self) -> list[str]:
        """Return the process ids of the workers."""
        return Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()


def measure(content: Content) -> Iterator[Line]:
    """Compare throughputs, then look at the memory of the workers that answered."""
    asked = bodies(content)
    with answer_file() as file, _running() as server:
        file.write_bytes(of_middle_length([_ask(server.port, body) for body in asked]))
        seconds = _load(server.port, asked)
        workers = [memory.of_process(pid) for pid in server.workers()]
    for name, path in COMPARED.items():
        # The quotient of throughputs is the quotient of times upside down.
        yield ratio(
            name,
            seconds[path],
            seconds[VERIFY],
            verify_per_second=round(1 / min(seconds[VERIFY])),
            compared_per_second=round(1 / min(seconds[path])),
        )
    proportional = [worker["pss"] for worker in workers]
    yield value("worker_memory_mb", [worker["rss"] for worker in workers], "MiB", pss=proportional)


@contextlib.contextmanager
def _running() -> Iterator[Server]:
    """Run the server for as long as the block lasts. It ends with this process, however this process ends."""
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "bench.server"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        first_line = process.stdout.readline()
        port = re.search(r":(\d+)", first_line)
        if port is None:
            raise RuntimeError(f"the server did not start; it said: {first_line!r}")
        yield Server(int(port[1]), process.pid)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def _ask(port: int, body: bytes) -> bytes:
    """Return the answer to one request, asked alone."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE_SECONDS)
    with contextlib.closing(connection):
        connection.request("POST", VERIFY, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = response.read()
    if response.status != 200:
        raise RuntimeError(f"{VERIFY} was answered with {response.status}: {answer[:1000]!r}")
    return answer


def _load(port: int, asked: list[bytes]) -> dict[str, list[float]]:
    """Return the seconds that a request took, by address, in each round."""
    plan = {
        "port": port,
        "paths": PATHS,
        "bodies": [body.decode() for body in asked],
        "rounds": ROUNDS,
        "seconds": SECONDS,
    }
    answer = subprocess.run(
        [sys.executable, "-m", "bench.client"],
        cwd=REPOSITORY,
        input=json.dumps(plan),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=2 * (ROUNDS + 1) * len(PATHS) * SECONDS + PATIENCE_SECONDS,
    ).stdout
    seconds: dict[str, list[float]] = json.loads(answer)
    return seconds
