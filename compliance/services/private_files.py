"""Files of the service are for its own account: folders 0700, files 0600.

They hold keys, passwords, answers on their way to the log, and what Redis keeps.
"""

import os
import stat
from pathlib import Path

OURS = ("gate.lock", "members.lock", "redis", "release-head", "release-key", "secrets", "spool", "up")
"""What the service itself puts into DATA_DIR. PostgreSQL looks after its own folder."""

FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def begin() -> None:
    """Let all files that this process and its children make from now on be private."""
    os.umask(FOR_OTHERS)


def make(folder: Path) -> None:
    """Make a folder, or take its rights from others where it exists, and from what the service put into it.

    A folder that is shared on purpose, such as /tmp, or that belongs to somebody else, is left as it is.

    Raises `OSError`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not folder.stat().st_mode & stat.S_ISVTX:
        _close(folder)
    for name in OURS:
        _close(folder / name)
        for path in (folder / name).rglob("*"):
            _close(path)


def write(path: Path, text: str) -> None:
    """Write a whole private file. Raises `OSError`.

    It has another name until it is complete, so a killed process leaves no half file.
    """
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.rename(path)


def _close(path: Path) -> None:
    try:
        found = path.lstat()
        if not stat.S_ISLNK(found.st_mode) and found.st_mode & FOR_OTHERS and found.st_uid == os.geteuid():
            path.chmod(stat.S_IMODE(found.st_mode) & ~FOR_OTHERS)
    except FileNotFoundError:
        # Another process has just removed it, or it is not there yet.
        return
