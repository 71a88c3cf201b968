"""Readers of many pages, a few of which are read most: `python -m bench.scale.readers PORT FILE SEED COUNT`.

FILE has one path a line, the most read one first. How often a path is read falls with its place (Zipf's law
with the exponent 1). It sends COUNT requests over some connections, each as soon as the answer before it is
complete, and prints the seconds that it took. Only the loopback address is used.
"""

import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bench.http.client import send_all
from compliance.services.embedded import REPOSITORY
from compliance.services.ports import LOOPBACK

START_SECONDS, LOOK_SECONDS = 600, 0.2

REQUEST = "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n"


def first_page(port: int, path: str) -> bytes:
    """Read a page as soon as the processes have started: before, they do not answer, or with 503."""
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"http://{LOOPBACK}:{port}{path}", timeout=START_SECONDS) as answer:
                body: bytes = answer.read()
                return body
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(LOOK_SECONDS)


def read(port: int, file: Path, *, seed: int, count: int) -> float:
    """Let another process read so many pages, and return the seconds that it took."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.scale.readers", str(port), str(file), str(seed), str(count)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        check=True,
    )
    return float(done.stdout)


def drawn(paths: list[str], seed: int, count: int) -> Iterator[str]:
    """Yield so many paths; the chance of each is the inverse of its place, from 1."""
    draw = random.Random(seed)
    for _ in range(count):
        yield paths[int((len(paths) + 1) ** draw.random()) - 1]


def main() -> None:
    """Read, and print the seconds."""
    port, file, seed, count = sys.argv[1:]
    paths = Path(file).read_text().splitlines()
    messages = (REQUEST.format(path=path).encode() for path in drawn(paths, int(seed), int(count)))
    began = time.perf_counter()
    send_all(int(port), messages)
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main()
