"""Reads the settings again and again, each time in a process that has read none of our modules before.

To start Python and to load the packages that the settings import takes most of the time of such a reading. So
one process, `python -m tests.support.fresh_settings`, loads these packages and none of our modules, and forks
for each reading. What it forks has the given environment alone, imports the settings, and ends.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[2]
PACKAGES = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.serialization",
    "csp.constants",
    "django.templatetags.static",
    "django.urls",
    "environs",
    "redis.backoff",
    "redis.retry",
)
"""What the settings import of others."""

OURS = {"aeo", "catalog", "compliance", "recalls", "rules"}


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    output: str
    errors: str


class Reader:
    """Has the settings read with an environment and more variables."""

    def __init__(self, process: "subprocess.Popen[str]", environment: dict[str, str]) -> None:
        self._process, self._environment = process, environment

    def run(self, expression: str, **variables: str) -> Ended:
        """Let a process of its own print, as JSON, the value of an expression about `s`, the settings."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([self._environment | variables, expression]) + "\n")
        self._process.stdin.flush()
        return Ended(*json.loads(self._process.stdout.readline()))

    def value(self, expression: str, **variables: str) -> object:
        """Return that value."""
        ended = self.run(expression, **variables)
        assert ended.code == 0, ended.errors
        return json.loads(ended.output)

    def complaint(self, **variables: str) -> str:
        """Return what is said where the settings cannot be read."""
        ended = self.run("0", **variables)
        assert ended.code != 0
        return ended.errors


@contextlib.contextmanager
def reading(environment: dict[str, str]) -> Iterator[Reader]:
    """Start the process that forks; it ends with the context."""
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        cwd=REPOSITORY,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Reader(process, environment)


def show(environment: dict[str, str], expression: str) -> None:
    """Print the value of an expression."""
    os.environ.clear()
    os.environ.update(environment)
    from compliance import settings

    print(json.dumps(eval(expression, {"s": settings})))


def main() -> None:
    """Answer each line of standard input with a line about the process that was forked for it."""
    for name in PACKAGES:
        importlib.import_module(name)
    assert OURS.isdisjoint(name.partition(".")[0] for name in sys.modules)
    for line in sys.stdin:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            forked = os.fork()
            if not forked:
                os.dup2(output.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                show(*json.loads(line))
                return
            code = os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1])
            written = [os.pread(file.fileno(), 1_000_000, 0).decode() for file in (output, errors)]
        print(json.dumps([code, *written]), flush=True)


if __name__ == "__main__":
    main()
