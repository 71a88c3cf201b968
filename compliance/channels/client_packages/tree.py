"""What the makers of packages share: the files of a folder, and the fixed values that archives record."""

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

MADE_AT: Final = datetime.datetime(1985, 10, 26, 8, 15, tzinfo=datetime.UTC)
"""The time of every file in every package: when a file was written must not change a package. npm uses it."""

MODE: Final = 0o644
"""The rights of every file in every package."""


class Packed(NamedTuple):
    """A file of a package: its path there, and its content."""

    path: str
    content: bytes


def files_below(folder: Path, *patterns: str) -> Iterator[Path]:
    """Yield the files of a folder that match a pattern, in an order that no file system decides."""
    found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    yield from sorted(found, key=lambda path: path.relative_to(folder).as_posix())
