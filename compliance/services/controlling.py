"""Starts a `make up`, lists its parts, and stops, starts and kills them from outside.

For tests, `make chaos` and measurements. Parts are `postgres`, `redis`, `web`, `publisher`, `worker-1`…
and `beat`.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from compliance.services import ServiceError, parent_death
from compliance.services.embedded import REPOSITORY
from compliance.services.supervising import CONTROL, PARTS

POLL_SECONDS = 0.02


class Production:
    """A running `make up`, observed through its folder."""

    def __init__(self, data_dir: Path, supervisor: int) -> None:
        """Describe the `make up` with the data in `data_dir`; `supervisor` is its process id."""
        self.data_dir = data_dir
        self.supervisor = supervisor
        self._folder = data_dir / "up"

    @property
    def address(self) -> str:
        """The address at which it serves, such as http://127.0.0.1:8000."""
        return str(self._state()["address"])

    def names(self) -> list[str]:
        """Return the names of the parts."""
        return list(self._state()["parts"])

    def pid(self, name: str) -> int | None:
        """Return the process id of a part while it runs."""
        pid: int | None = self._state()["parts"][name]["pid"]
        return pid

    def pids(self, name: str) -> list[int]:
        """Return the process ids of a part and of all processes that it started, parents first."""
        pid = self.pid(name)
        return [] if pid is None else [pid, *descendants(pid)]

    def log(self, name: str) -> Path:
        """Return the log file of a part."""
        return Path(self._state()["parts"][name]["log"])

    def stop(self, name: str) -> None:
        """Stop a part in order and return when it has stopped; it stays stopped until `start`."""
        self.send_command("stop", name)

    def start(self, name: str) -> None:
        """Start a part that was stopped."""
        self.send_command("start", name)

    def restart(self, name: str) -> None:
        """Stop a part and start it again."""
        self.send_command("restart", name)

    def reload(self) -> None:
        """Restart the web processes one by one, while others answer. This returns before they are done."""
        self.send_command("reload")

    def kill(self, name: str) -> int:
        """Kill a part and all processes that it started, without warning, and return when it runs again."""
        pids = self.pids(name)
        # Parents first: they could start children again.
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: self.pid(name) not in (None, pids[0]), f"{name} is not started again")
        return pids[0]

    def send_command(self, *words: str, seconds: float = 120) -> None:
        """Send the supervisor a command and wait until it is carried out."""
        done = self._state()["done"]
        handle = os.open(self._folder / CONTROL, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(handle, f"{' '.join(words)}\n".encode())
        finally:
            os.close(handle)
        wait_until(lambda: self._state()["done"] > done, f"`{' '.join(words)}` is not carried out", seconds)

    def _state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads((self._folder / PARTS).read_bytes())
        return state


@contextlib.contextmanager
def production(
    data_dir: Path, environment: Mapping[str, str], *, say: Callable[[str], None] = lambda line: None
) -> Iterator[Production]:
    """Run `make up` with the data in a folder, and stop it at the end.

    `environment` is its complete environment; PORT 0 means a free port. `say` receives what the supervisor
    prints until it serves; later output is in `up/said.log` of the folder.

    Raises:
        ServiceError: It does not start; the message has its output.

    """
    (data_dir / "up").mkdir(parents=True, exist_ok=True)
    said = data_dir / "up" / "said.log"
    with said.open("wb") as log:
        process = subprocess.Popen(
            parent_death.command(sys.executable, "-m", "compliance.services.up"),
            cwd=REPOSITORY,
            env={"PORT": "0", **environment, "DATA_DIR": str(data_dir)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _wait_for(process, said, say)
        yield Production(data_dir, process.pid)
    finally:
        process.terminate()
        process.wait()


def _wait_for(process: "subprocess.Popen[bytes]", said: Path, say: Callable[[str], None]) -> None:
    heard = 0
    while True:
        ended = process.poll() is not None
        lines = said.read_text(errors="replace").splitlines()
        for line in lines[heard:]:
            say(line)
        heard = len(lines)
        if any(re.match("Serving on ", line) for line in lines):
            return
        if ended:
            raise ServiceError("\n  ".join(["make up ended early:", *lines[-10:]]))
        time.sleep(POLL_SECONDS)


def descendants(pid: int) -> list[int]:
    """Return the process ids of all descendants of a process, parents first."""
    children: list[str] = []
    # Each thread has children of its own.
    for started in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            children += started.read_text().split()
    return [found for child in children for found in (int(child), *descendants(int(child)))]


def wait_until(condition: Callable[[], bool], complaint: str, seconds: float = 60) -> float:
    """Wait until the condition holds and return how many seconds that took.

    Raises:
        ServiceError: It does not hold in time; the message is the complaint.

    """
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > seconds:
            raise ServiceError(f"{complaint} after {seconds:g} seconds")
        time.sleep(POLL_SECONDS)
    return time.monotonic() - begin
