"""Keeps processes running, as systemd would: a process that ends without a stop command is started again.

One thread does everything, because the processes are tied to the life of that thread. It reads commands from
a FIFO, `control`, one per line (`stop NAME`, `start NAME`, `restart NAME`, `reload`), and writes to
`parts.json` what runs. `controlling` uses both from outside.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from compliance.services import ServiceError, low_priority, parent_death
from compliance.services.embedded import REPOSITORY

POLL_SECONDS = 0.1
AGAIN_SECONDS = 1.0
"""The pause before a part that ended, or did not start, is started again."""

CONTROL = "control"
PARTS = "parts.json"


class Part(Protocol):
    """Something that runs: a `Program`, a `postgres.Cluster` or a `redis.Redis`."""

    log: Path

    def start(self) -> None:
        """Start it. Raises `ServiceError` or `OSError`."""

    def stop(self) -> None:
        """Stop it in order if it runs, and wait until it has ended."""

    def pid(self) -> int | None:
        """Return the process id while it runs."""


class Program:
    """One of our own programs, in its own session, with all processes that it starts."""

    def __init__(
        self,
        arguments: list[str],
        log: Path,
        *,
        environment: Mapping[str, str],
        handles: tuple[int, ...] = (),
        stop_seconds: float = 15,
        goes_last: bool = False,
    ) -> None:
        """Describe the program. `environment` is its whole environment.

        It gets `stop_seconds` to stop; its temporary files are removed with it.

        With `goes_last`, it gets only the processor time that others leave.
        """
        self.log = log
        self._arguments = arguments
        self._environment = dict(environment)
        self._handles = handles
        self._stop_seconds = stop_seconds
        self._goes_last = goes_last
        self._temporary = log.with_suffix(".tmp")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, without waiting until it is ready."""
        self._clean()
        self._temporary.mkdir(mode=0o700)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                # PostgreSQL and Redis would end at the same moment. If asked in order, the program would wait
                # for them.
                parent_death.command(*self._arguments, by="KILL"),
                cwd=REPOSITORY,
                env=self._environment | {"TMPDIR": str(self._temporary)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C is for the supervisor, which stops everything in order.
                start_new_session=True,
                pass_fds=self._handles,
            )
        if self._goes_last:
            low_priority.give_low_priority(self._process.pid)

    def stop(self) -> None:
        """Ask it to end; if it does not, kill it and all processes that it started."""
        if self._process is None:
            return
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self._stop_seconds)
        self._clean()

    def pid(self) -> int | None:
        """Return the process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def _clean(self) -> None:
        """Remove what is left of the last run: processes that outlived it, and its temporary files."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        shutil.rmtree(self._temporary, ignore_errors=True)


class Supervisor:
    """Runs parts, by name, in the order of their dependencies."""

    def __init__(self, folder: Path, address: str, say: Callable[[str], None]) -> None:
        """Keep `control` and `parts.json` in the folder; `address` is the address of the whole service."""
        self._folder = folder
        self._address = address
        self._say = say
        self._parts: dict[str, Part] = {}
        self._wanted: set[str] = set()
        self._again: dict[str, float] = {}
        self._done = 0
        self._written_state = b""
        control = folder / CONTROL
        control.unlink(missing_ok=True)
        os.mkfifo(control, 0o600)
        # Open for writing as well; otherwise it would end when a writer closes it.
        self._control = os.open(control, os.O_RDWR | os.O_NONBLOCK)
        self._heard = b""

    def add(self, name: str, part: Part) -> None:
        """Start a part and keep it running.

        Raises:
            ServiceError: It does not start.

        """
        self._parts[name] = part
        if part.pid() is None:
            part.start()
        self._wanted.add(name)
        self._write_state()

    def run(self) -> None:
        """Keep all parts running. Only an exception ends it, such as that of a signal."""
        while True:
            for name in self._parts:
                self._supervise(name)
            self._write_state()
            if select.select([self._control], [], [], POLL_SECONDS)[0]:
                self._heard += os.read(self._control, 4096)
                *lines, self._heard = self._heard.split(b"\n")
                for line in lines:
                    self._obey(line.decode(errors="replace").split())
                    self._done += 1

    def reload(self) -> None:
        """Restart the web processes with new code, one by one, while others answer."""
        if pid := self._parts["web"].pid():
            self._say("Reloading web")
            os.kill(pid, signal.SIGHUP)

    def stop(self) -> None:
        """Stop all parts, dependent ones first, even if one fails."""
        self._wanted.clear()
        for name, part in reversed(self._parts.items()):
            self._say(f"Stopping {name}")
            try:
                part.stop()
            except (ServiceError, OSError) as error:
                self._say(f"{name} did not stop: {error}")
            self._write_state()
        os.close(self._control)
        for left in (CONTROL, PARTS):
            (self._folder / left).unlink(missing_ok=True)

    def _supervise(self, name: str) -> None:
        part = self._parts[name]
        if name not in self._wanted or part.pid() is not None:
            return
        if name not in self._again:
            self._say(f"{name} has ended and is started again")
            self._again[name] = time.monotonic() + AGAIN_SECONDS
        elif time.monotonic() >= self._again[name]:
            self._start(name)

    def _start(self, name: str) -> None:
        try:
            self._parts[name].start()
        except (ServiceError, OSError) as error:
            self._say(f"{name} does not start: {error}")
            self._again[name] = time.monotonic() + AGAIN_SECONDS
        else:
            self._say(f"{name} is started")
            self._again.pop(name, None)

    def _obey(self, words: list[str]) -> None:
        match words:
            case ["stop", name] if name in self._parts:
                self._wanted.discard(name)
                self._parts[name].stop()
                self._say(f"{name} is stopped")
            case ["start", name] if name in self._parts:
                self._wanted.add(name)
                if self._parts[name].pid() is None:
                    self._start(name)
            case ["restart", name] if name in self._parts:
                self._parts[name].stop()
                self._wanted.add(name)
                self._start(name)
            case ["reload"]:
                self.reload()
            case _:
                self._say(f"Unknown command: {' '.join(words)}")

    def _write_state(self) -> None:
        """Write to `parts.json` what runs, if that has changed."""
        state = {
            "address": self._address,
            "done": self._done,
            "parts": {
                name: {"pid": part.pid(), "wanted": name in self._wanted, "log": str(part.log)}
                for name, part in self._parts.items()
            },
        }
        if (encoded := json.dumps(state).encode()) != self._written_state:
            draft = self._folder / f"{PARTS}.new"
            draft.write_bytes(encoded)
            draft.rename(self._folder / PARTS)
            self._written_state = encoded
