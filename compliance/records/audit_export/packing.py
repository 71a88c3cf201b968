"""Packs a folder of files into one signed archive. No Django.

The same files give the same bytes on every machine. Files are read piece by piece: none has to fit into
memory.
"""

import gzip
import hashlib
import tarfile
from collections.abc import Iterator
from pathlib import Path

from catalog.signing_keys import SigningKey
from compliance.records.audit_export.layout import SIGNATURE, SUMS

COMPRESSION = 6


def files_in(folder: Path) -> Iterator[str]:
    """Return the names of all files below a folder, in the same order everywhere."""
    return iter(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()))


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sign_folder(folder: Path, key: SigningKey) -> None:
    """Write the checksums of all files in a folder, and the signature of the checksums."""
    sums = "".join(f"{sha256_of(folder / name)}  {name}\n" for name in files_in(folder)).encode()
    (folder / SUMS).write_bytes(sums)
    # A receipt signs `HEADER.PAYLOAD` in base64url, which has no spaces: neither signature is valid for the
    # other.
    (folder / SIGNATURE).write_bytes(key.private.sign(sums))


def pack(folder: Path, archive: Path, *, seconds: int) -> None:
    """Pack a folder. `seconds` is the time of all files, since 1970. Only the owner can read the archive."""
    archive.touch(mode=0o600)
    with (
        archive.open("wb") as file,
        gzip.GzipFile(
            filename="", mode="wb", fileobj=file, compresslevel=COMPRESSION, mtime=seconds
        ) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in files_in(folder):
            member = tarfile.TarInfo(f"{folder.name}/{name}")
            member.size, member.mtime, member.mode = (folder / name).stat().st_size, seconds, 0o644
            with (folder / name).open("rb") as content:
                tar.addfile(member, content)
