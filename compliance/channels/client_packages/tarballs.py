"""A tarball for npm from the folder of a package, as its `package.json` describes it.

Like `npm pack`: `package.json`, the README and the folders of `files`, below `package/`.
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
    return f"{described['name']}-{described['version']}.tgz", gzip.compress(_tar(files), 9, mtime=0)


def _tar(files: list[Packed]) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in files:
            entry = tarfile.TarInfo(f"package/{file.path}")
            entry.size, entry.mode, entry.mtime = len(file.content), MODE, int(MADE_AT.timestamp())
            archive.addfile(entry, io.BytesIO(file.content))
    return written.getvalue()
