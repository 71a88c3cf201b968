"""Files of lines on this machine's disk, each in one pair of hands at a time.

Whoever holds a file has locked it, and the kernel unlocks it when that process ends, however it ends. So
files of the dead can be told from those of the living, and the next process takes them up (`orphans`).
Called by `spool` and `shipping`.
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
    """A file that this process holds. `name` tells it from every other one, on whichever machine."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self.name = path.stem
        self._handle = handle
        _open.add(handle)

    def append(self, line: bytes) -> int:
        """Write a line in one piece, and return how many bytes of it were written. Raises `OSError`."""
        return os.write(self._handle, line)

    def read(self) -> bytes:
        """Return all that was written. Raises `OSError`."""
        size = os.fstat(self._handle).st_size
        return os.pread(self._handle, size, 0)

    def is_there(self) -> bool:
        """Tell whether the file still has a name: nobody took it away."""
        return os.fstat(self._handle).st_nlink > 0

    def remove(self) -> None:
        """Delete the file, whose entries the table holds."""
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        self.leave()

    def leave(self) -> None:
        """Give the file up; it stays for whoever takes it up next."""
        _open.discard(self._handle)
        os.close(self._handle)


def begin(folder: Path) -> Segment:
    """Begin a file. Raises `OSError`."""
    while True:
        path = folder / f"{uuid.uuid4().hex}{SUFFIX}"
        segment = Segment(path, os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600))
        # Somebody may have taken it for a dead one's before it was locked.
        if _lock(segment):
            return segment


def orphans(folder: Path) -> Iterator[Segment]:
    """Take up the files that nobody holds, one by one."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            segment = Segment(path, os.open(path, os.O_RDWR))
        # Gone meanwhile, or of another account.
        except OSError:
            continue
        if _lock(segment):
            yield segment


def sizes(folder: Path) -> tuple[int, float]:
    """Return how many bytes wait in a folder, whoever holds them, and since how many seconds the oldest."""
    total, oldest = 0, 0.0
    now = time.time()
    # A folder that is not there yet, or cannot be read, holds nothing that could be sent.
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for file in found:
            with contextlib.suppress(FileNotFoundError):
                if file.name.endswith(SUFFIX) and (status := file.stat()).st_size:
                    total += status.st_size
                    # The clock may have been set back since.
                    oldest = max(oldest, now - status.st_mtime)
    return total, oldest


def _lock(segment: Segment) -> bool:
    """Lock a file that was just opened, or let go of it: it is somebody's, or has been removed."""
    try:
        fcntl.flock(segment._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        segment.leave()
        return False
    if segment.is_there():
        return True
    segment.leave()
    return False


def _let_go_in_child() -> None:
    """After a fork: the files are the parent's."""
    for handle in _open:
        os.close(handle)
    _open.clear()


os.register_at_fork(after_in_child=_let_go_in_child)
