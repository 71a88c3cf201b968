"""Files of lines on this machine's disk, each owned by one process at a time.

The owner of a file has locked it, and the kernel unlocks it when that process ends, in any way. So a file
without a lock belongs to an ended process, and the next process takes it over (`orphans`). Called by `spool`
and `shipping`.
"""

import contextlib
import fcntl
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".jsonl"

_open: set[int] = set()
"""The handles of this process. A forked child has them too, and would keep the locks of a dead parent."""


class Segment:
    """A file that this process has locked. `name` is unique over all machines."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self.name = path.stem
        self._handle = handle
        _open.add(handle)

    def append(self, line: bytes) -> int:
        """Write a line at once, and return how many bytes of it were written. Raises `OSError`."""
        return os.write(self._handle, line)

    def read(self) -> bytes:
        """Return all that was written. Raises `OSError`."""
        size = os.fstat(self._handle).st_size
        return os.pread(self._handle, size, 0)

    def is_there(self) -> bool:
        """Say whether the file still has a name, so no other process removed it."""
        return os.fstat(self._handle).st_nlink > 0

    def remove(self) -> None:
        """Delete the file; the table has its entries."""
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        self.leave()

    def leave(self) -> None:
        """Release the file; the next process takes it over."""
        _open.discard(self._handle)
        os.close(self._handle)


def begin(folder: Path) -> Segment:
    """Begin a file. Raises `OSError`."""
    while True:
        path = folder / f"{uuid.uuid4().hex}{SUFFIX}"
        segment = Segment(path, os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600))
        # Another process may have taken it as abandoned before it was locked.
        if _lock(segment):
            return segment


def orphans(folder: Path) -> Iterator[Segment]:
    """Lock and return the files that no process has locked, one by one."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            segment = Segment(path, os.open(path, os.O_RDWR))
        # Deleted meanwhile, or of another account.
        except OSError:
            continue
        if _lock(segment):
            yield segment


def sizes(folder: Path) -> tuple[int, float]:
    """Return the bytes of all files that wait in a folder, and the age in seconds of the oldest."""
    total, oldest = 0, 0.0
    now = time.time()
    # A folder that does not exist yet, or cannot be read, has nothing to send.
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for file in found:
            with contextlib.suppress(FileNotFoundError):
                if file.name.endswith(SUFFIX) and (status := file.stat()).st_size:
                    total += status.st_size
                    # The clock may have been set back since.
                    oldest = max(oldest, now - status.st_mtime)
    return total, oldest


def _lock(segment: Segment) -> bool:
    """Lock a file that was just opened, or close it if another process has locked or removed it."""
    try:
        fcntl.flock(segment._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        segment.leave()
        return False
    if segment.is_there():
        return True
    segment.leave()
    return False


def _release_in_child() -> None:
    """After a fork: the files belong to the parent."""
    for handle in _open:
        os.close(handle)
    _open.clear()


os.register_at_fork(after_in_child=_release_in_child)
