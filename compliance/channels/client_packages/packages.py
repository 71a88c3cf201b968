"""Every file that is offered: the packages, tests for clients in other languages, and programs to read."""

import functools
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings

from compliance.channels.client_packages.tarballs import programs, tarball
from compliance.channels.client_packages.wheels import wheel

CLIENTS: Final = Path(settings.BASE_DIR) / "clients"

WHEEL, TARBALL, JSON = "application/zip", "application/gzip", "application/json"


class Offered(NamedTuple):
    """A file to download. `about` is what it is for."""

    name: str
    about: str
    media_type: str
    content: bytes
    sha256: str


@functools.cache
def offered() -> Mapping[str, Offered]:
    """Return all files by their names. They are made once: they change only with the program."""
    files = [
        _made(*wheel(CLIENTS / "python"), WHEEL, "The client for Python 3.11 and newer, sync and async."),
        _made(
            *tarball(CLIENTS / "js"), TARBALL, "The client for Node 20, Deno, Bun and browsers, with types."
        ),
        _made(*wheel(CLIENTS / "kit"), WHEEL, "The contract kit: plays every failure for your own program."),
        _made(
            *wheel(CLIENTS / "reference"), WHEEL, "The reference program: finds verdicts by a release alone."
        ),
        _made(
            "vectors.json",
            (CLIENTS / "vectors.json").read_bytes(),
            JSON,
            "Test cases for a client in another language.",
        ),
        _made(
            *programs(CLIENTS / "integrations"),
            TARBALL,
            "The programs of the page about integrations: other tools that use this service.",
        ),
    ]
    return {file.name: file for file in files}


@functools.cache
def sums() -> str:
    """Return the hashes of all files, as `sha256sum --check` reads them."""
    return "".join(f"{file.sha256}  {file.name}\n" for file in offered().values())


def _made(name: str, content: bytes, media_type: str, about: str) -> Offered:
    return Offered(name, about, media_type, content, hashlib.sha256(content).hexdigest())
