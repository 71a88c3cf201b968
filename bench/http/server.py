"""The web server of `make run`, with settings for measuring: `python -m bench.http.server`.

DJANGO_SETTINGS_MODULE names these settings. Its first line of output gives its address.
"""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from compliance.services import ports, web
from compliance.services.embedded import REPOSITORY


class Server(NamedTuple):
    """A running web server: its address, and the parent process of its workers."""

    port: int
    pid: int

    def workers(self) -> list[str]:
        """Return the process ids of the workers."""
        return Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()


@contextlib.contextmanager
def running(**environment: str) -> Iterator[Server]:
    """Run the server until the block ends. It also ends with this process, for any reason."""
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "bench.http.server"],
        cwd=REPOSITORY,
        env=os.environ | environment,
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


if __name__ == "__main__":
    # The kernel gives a free port for 0.
    with ports.claim(0) as listener:
        web.serve(listener)
