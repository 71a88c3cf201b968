"""Helpers of tests that start other processes."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from compliance.services import embedded

# Starts `python ARGUMENTS` with more VARIABLES: the `start` fixture.
Start = Callable[..., "subprocess.Popen[str]"]


@contextmanager
def starting(environment: Mapping[str, str]) -> Iterator[Start]:
    """Start `python ARGUMENTS` with more variables; processes that still run at the end are killed."""
    processes: list[subprocess.Popen[str]] = []

    def start_python(*arguments: str, **variables: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=embedded.REPOSITORY,
            env={**environment, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start_python
    for process in processes:
        with process:
            process.kill()


def variables_of(pid: int) -> dict[str, str]:
    """Return the environment that a process was started with; nothing if it has ended meanwhile."""
    try:
        pairs = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Return when the condition holds; fail if it does not within some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still not true after {seconds} seconds"
        time.sleep(0.05)
