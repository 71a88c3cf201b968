"""The reference program, as a process of its own: it gets the text of a release, and answers JSON lines.

Nothing of it is imported here. It runs with Python's standard library alone, in an empty environment, from
`clients/reference` of this repository.
"""

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAM = Path(__file__).resolve().parents[3] / "clients" / "reference"

PACKAGE = "battery_travel_reference"

MOST_SECONDS = 900
"""A program that runs longer is stopped: no part of a proof takes as long."""


class ReferenceFailed(RuntimeError):
    """The reference program could not read the release or a line, or it was stopped."""


class Reference:
    """The reference program with one release. A context: the process ends with it."""

    def __init__(self, document: bytes, *, seconds: float = MOST_SECONDS) -> None:
        self._document, self._seconds = document, seconds

    def __enter__(self) -> Self:
        self._file = tempfile.NamedTemporaryFile(suffix=".json")
        self._file.write(self._document)
        self._file.flush()
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, "-E", "-s", "-S", "-B", "-X", "utf8", "-m", PACKAGE, self._file.name, "judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={},
            cwd=PROGRAM,
        )
        self._watch = threading.Timer(self._seconds, self._process.kill)
        self._watch.daemon = True
        self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.cancel()
        self._process.kill()
        self._process.communicate()
        self._file.close()
        self._errors.close()

    def ask(self, **body: Any) -> Any:
        """Send one line and return its answer. Raises `ReferenceFailed`."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(body, separators=(",", ":")).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError as failure:
            raise ReferenceFailed(self._why()) from failure
        if not line:
            raise ReferenceFailed(self._why())
        return json.loads(line)

    def _why(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()
        return said.splitlines()[-1] if said else f"it ended with status {self._process.returncode}"
