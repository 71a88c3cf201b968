"""Exporting and checking as one does it: by the command."""

import gzip
import io
import tarfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command

from catalog.signing_keys import signing_key

NAME = "audit-2026-11-20-2026-11-21.tar.gz"
FOLDER = NAME.removesuffix(".tar.gz")
Files = dict[str, bytes]


def export(folder: Path, **changes: Any) -> Path:
    """Export two days, and return the archive."""
    archive = folder / NAME
    asked = {
        "--from": "2026-11-20",
        "--to": "2026-11-21",
        "--out": str(archive),
        "--by": "auditor",
        "--reason": "The authority asked, case 4711.",
        **changes,
    }
    call_command("audit", "export", *(f"{name}={value}" for name, value in asked.items()), stdout=StringIO())
    return archive


OUR_KEY = signing_key("dGVzdHMgYWxvbmU6IDAxMjM0NTY3ODkgQUJDREVGR0g").public
"""The key of the tests."""


def checked(archive: Path, *options: str) -> str:
    """Check an archive, by default for our key, and return the text. Raises `CommandError` with problems."""
    out, options = StringIO(), options or (f"--kid={OUR_KEY.kid}",)
    call_command("audit", "check", str(archive), *options, stdout=out)
    return out.getvalue()


def files_of(archive: Path) -> Files:
    """Return what is in an archive, by the names inside its folder."""
    with tarfile.open(archive, "r:gz") as tar:
        return {
            member.name.partition("/")[2]: (tar.extractfile(member) or io.BytesIO()).read() for member in tar
        }


def altered(archive: Path, change: Callable[[Files], None], name: str = NAME) -> Path:
    """Return a copy of an archive beside it, in which some files are others."""
    files = files_of(archive)
    change(files)
    copy = archive.parent / "altered" / name
    copy.parent.mkdir(exist_ok=True)
    with gzip.open(copy, "wb") as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for path, content in files.items():
            member = tarfile.TarInfo(f"{FOLDER}/{path}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return copy
