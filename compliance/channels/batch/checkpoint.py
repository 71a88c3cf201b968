"""The progress of a run, stored in files next to its output, so that an interrupted run can continue.

There are two files: `OUT.run` describes the run (the sidecar), `OUT.part` has one line for each answered row.
The lines themselves show the progress, so there is no second record that could differ: after a `kill -9` an
incomplete line is cut off, and the run continues with the row after the last complete one. Neither file ever
contains a serial. A lock on the sidecar, which the kernel releases with the process, prevents two runs from
writing one output.
"""

import fcntl
import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from compliance.channels.batch.rows import BadFile


class Run(msgspec.Struct, kw_only=True):
    """The identity of a run: the same input, release, instant and columns make the same output."""

    run_id: str
    input_sha256: str
    release_sha256: str
    ruleset_version: str
    now: str
    kind: str
    keep: tuple[str, ...]
    itineraries: bool = False
    is_whole: bool = False


class _Answered(msgspec.Struct):
    """The result in one line: a verdict, or the code of an error."""

    verdict: str | None = None
    code: str | None = None


class Notebook:
    """The two files of a run. Always close it."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.part = out.with_name(f"{out.name}.part")
        self._sidecar = out.with_name(f"{out.name}.run")
        self.rows = 0
        self.counts: Counter[str] = Counter()
        self._lines: IO[bytes] | None = None
        self._lock = _locked(self._sidecar)

    def read(self) -> Run | None:
        """Return the run that was started here, if there is one. Raises `BadFile`."""
        try:
            text = self._sidecar.read_bytes()
            return msgspec.json.decode(text, type=Run) if text else None
        except msgspec.DecodeError:
            raise BadFile(f"{self._sidecar} cannot be read. Start again with `--restart`.") from None

    def begin(self, run: Run) -> None:
        """Start without rows."""
        self._lines = self.part.open("wb")
        self.write(run)

    def go_on(self, run: Run, *, answer_at: int) -> None:
        """Continue after the last complete line. An answer begins at the column `answer_at` of a line."""
        self._lines = self.part.open("r+b")
        whole = 0
        for line in self._lines:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            self.note(line, run.kind, answer_at)
        self._lines.seek(whole)
        self._lines.truncate()

    def append(self, lines: Sequence[bytes], kind: str, answer_at: int) -> None:
        """Write the lines of some rows."""
        file = self._file()
        file.write(b"".join(lines))
        file.flush()
        for line in lines:
            self.note(line, kind, answer_at)

    def note(self, line: bytes, kind: str, answer_at: int) -> None:
        """Count a row and the result in its line."""
        self.rows += 1
        if kind == "jsonl":
            answered = msgspec.json.decode(line, type=_Answered)
            self.counts[answered.verdict or answered.code or ""] += 1
        else:
            cells: list[Any] = msgspec.json.decode(line)
            self.counts[cells[answer_at] or cells[-2]] += 1

    def write(self, run: Run) -> None:
        """Write the description of the run. Only the owner of the lock writes, so it is written in place."""
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, msgspec.json.encode(run), 0)
        os.fsync(self._lock)

    def sync(self) -> None:
        """Force all lines onto the disk."""
        file = self._file()
        os.fsync(file.fileno())
        file.close()

    def forget(self) -> None:
        """Remove both files."""
        for path in (self.part, self._sidecar):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the files. A run that never began leaves no files."""
        if self._lines is not None:
            self._lines.close()
        with suppress(FileNotFoundError):
            if self._sidecar.stat().st_size == 0:
                self._sidecar.unlink()
        os.close(self._lock)

    def _file(self) -> IO[bytes]:
        if self._lines is None:
            raise ValueError("start or continue a run before it writes lines")
        return self._lines


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _locked(path: Path) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadFile(f"{path} is in use: another run is writing this output.") from None
    return handle
