"""The spool: what this process wrote down and nobody has confirmed yet, in files of its own.

One `write` for each line. The kernel has it then: a process that is killed loses none, a machine that loses
its power may lose the last seconds. Files are ended at `SEGMENT_BYTES`, and when the shipper takes them.
Called by `recording`, from any thread, and by `shipping`.
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
    """A line could not be written down: the spool is as large as it may get, or the disk refuses."""


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
        """Write a line down. Raises `NotWritten`; a part of it may be there then."""
        with self._lock:
            if self._room < len(line):
                raise NotWritten("the spool is full")
            self._refused = True
            try:
                if self._writing is None:
                    self._writing, self._written = self._begin(), 0
                written = self._writing.append(line)
            except OSError as error:
                raise NotWritten(error.strerror or "the disk refuses") from error
            self._room -= written
            self._written += written
            if self._written >= SEGMENT_BYTES:
                self._end()
            if written < len(line):
                raise NotWritten("the disk is full")
            self._refused = False

    def take(self) -> list[Segment]:
        """End the file that is written to, and return all that are ended: they are the caller's now."""
        with self._lock:
            if self._writing is not None:
                self._end()
            ended, self._ended = self._ended, []
            return ended

    def measure(self) -> None:
        """See how much room there is, with what all processes have written."""
        self._room = self._max_bytes - segments.sizes(self.folder)[0]

    @property
    def is_full(self) -> bool:
        """Tell whether another line may find no room, or the disk refused the last one."""
        return self._refused or self._room < LINE_BYTES

    def _begin(self) -> Segment:
        self.folder.mkdir(parents=True, exist_ok=True)
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


def _begin_anew_in_child() -> None:
    """After a fork: the parent's files stay the parent's."""
    global _spool, _making
    _spool, _making = None, threading.Lock()


os.register_at_fork(after_in_child=_begin_anew_in_child)
