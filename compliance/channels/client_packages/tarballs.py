"""Tarballs: for npm from the folder of a package, by its `package.json`, and of a folder of programs.

The first is like that of `npm pack`: `package.json`, the README and the folders of `files`, below `package/`.
"""

import gzip
import io
import json
import tarfile
from pathlib import Path

from compliance.channels.client_packages.tree import MADE_AT, MODE, Packed, files_below


def tarball(folder: Path) -> tuple[str, bytes]:
    """Return the file name and the bytes of the tarball of a folder with a `package.json`."""
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    patterns = (f"{name}/**/[!.]*" for name in described["files"])
    files = [
        Packed(path.relative_to(folder).as_posix(), path.read_bytes())
        for path in files_below(folder, "package.json", "README.md", *patterns)
    ]
    return f"{described['name']}-{described['version']}.tgz", _compressed(files, "package")


def programs(folder: Path) -> tuple[str, bytes]:
    """Return the file name and the bytes of the tarball of all files of a folder, below its name."""
    files = [Packed(path.name, path.read_bytes()) for path in files_below(folder, "[!.]*")]
    return f"{folder.name}.tgz", _compressed(files, folder.name)


def _compressed(files: list[Packed], root: str) -> bytes:
    return gzip.compress(_tar(files, root), 9, mtime=0)


def _tar(files: list[Packed], root: str) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in files:
            entry = tarfile.TarInfo(f"{root}/{file.path}")
            entry.size, entry.mode, entry.mtime = len(file.content), MODE, int(MADE_AT.timestamp())
            archive.addfile(entry, io.BytesIO(file.content))
    return written.getvalue()
