"""The spool: entries of this process that are not confirmed yet, in its own files.

There is one `write` for each line. After that the kernel has the line: a killed process loses none, a machine
that loses its power may lose the last seconds. Files are ended at `SEGMENT_BYTES`, and when the shipper takes
them. Called by `recording`, from any thread, and by `shipping`.
"""

import os
import threading
from pathlib import Path

from django.conf import settings

from compliance.records.verdict_log import segments
from compliance.records.verdict_log.segments import Segment

SEGMENT_BYTES = 256 * 1024

LINE_BYTES = 4096
"""No line is longer, whatever was asked."""


class NotWritten(Exception):
    """A line could not be written: the spool is full, or the disk refuses."""


class Spool:
    """The files of this process, in a folder that all processes of this machine share."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self.folder = folder
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._writing: Segment | None = None
        self._written = 0
        self._ended: list[Segment] = []
        self._room = 0
        self._refused = False
        self.measure()

    def append(self, line: bytes) -> None:
        """Write a line. Raises `NotWritten`; a part of the line may be written then."""
        with self._lock:
            if self._room < len(line):
                raise NotWritten("the spool is full")
            self._refused = True
            try:
                if self._writing is None:
                    self._writing, self._written = self._begin(), 0
                written = self._writing.append(line)
            except OSError as error:
                raise NotWritten(error.strerror or "the disk refuses to write") from error
            self._room -= written
            self._written += written
            if self._written >= SEGMENT_BYTES:
                self._end()
            if written < len(line):
                raise NotWritten("the disk is full")
            self._refused = False

    def take(self) -> list[Segment]:
        """End the file that is being written, and return all ended files: the caller owns them now."""
        with self._lock:
            if self._writing is not None:
                self._end()
            ended, self._ended = self._ended, []
            return ended

    def measure(self) -> None:
        """Measure the room that is left, with the files of all processes."""
        self._room = self._max_bytes - segments.sizes(self.folder)[0]

    @property
    def is_full(self) -> bool:
        """Say whether there may be no room for another line, or the disk refused the last one."""
        return self._refused or self._room < LINE_BYTES

    def _begin(self) -> Segment:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return segments.begin(self.folder)

    def _end(self) -> None:
        """The caller has the lock."""
        if self._writing is not None:
            self._ended.append(self._writing)
        self._writing = None


_spool: Spool | None = None
_making = threading.Lock()


def spool() -> Spool:
    """Return the spool of this process."""
    global _spool
    if _spool is None:
        with _making:
            _spool = _spool or Spool(settings.VERDICT_SPOOL_DIR, settings.VERDICT_SPOOL_MAX_BYTES)
    return _spool


def _reset_in_child() -> None:
    """After a fork: the parent keeps its files."""
    global _spool, _making
    _spool, _making = None, threading.Lock()


os.register_at_fork(after_in_child=_reset_in_child)
