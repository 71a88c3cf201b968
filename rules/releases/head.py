"""The last release that was published, in a file next to the key that signs releases.

The ledger is a chain, so a release in the middle cannot be removed. But its end can be cut off, and every
signature that is left is right. So publishers note the last place in `RELEASE_HEAD_FILE` after each release,
and no process that has the file uses a ledger that ends earlier.
"""

import json
import logging
import os
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

logger = logging.getLogger(__name__)


class Head(NamedTuple):
    """The place of a release in the ledger, and its digest."""

    sequence: int
    sha256: str


class HeadUnreadable(Exception):
    """The file is there, but cannot be read, so no one knows what was published last."""


def noted() -> Head | None:
    """Return the last release that was noted; None if there is no file. Raises `HeadUnreadable`."""
    path: Path = settings.RELEASE_HEAD_FILE
    try:
        found = json.loads(path.read_bytes())
        return Head(int(found["sequence"]), str(found["sha256"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HeadUnreadable(f"{path} cannot be read: {error}") from error


def note(head: Head) -> None:
    """Note the last release, whatever was noted before. Raises `OSError`."""
    path: Path = settings.RELEASE_HEAD_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    # It has another name until it is complete, so that a killed process leaves no half file.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with draft.open("w") as file:
        json.dump(head._asdict(), file)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)


def note_published(head: Head) -> None:
    """Note a release that is in the ledger for good. If that fails, the release is published nevertheless."""
    try:
        before = noted()
        if before is None or before.sequence < head.sequence:
            note(head)
    except (OSError, HeadUnreadable) as error:
        logger.critical("The last release cannot be noted: %s", error)


def is_behind(last: Head | None, known: Head | None) -> bool:
    """Return whether a ledger that ends with `last` lacks the release that is known."""
    if known is None:
        return False
    return (
        last is None or last.sequence < known.sequence or (last.sequence == known.sequence and last != known)
    )
