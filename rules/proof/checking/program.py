"""The programs behind a proof, as a digest: a changed program proves every set again."""

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

from rules.proof.checking.reference import PACKAGE, PROGRAM

REPOSITORY = Path(__file__).resolve().parents[3]

COMPARED = (
    "catalog/cadence.py",
    "catalog/energy.py",
    "catalog/records.py",
    "recalls/languages",
    "recalls/records.py",
    "recalls/serials.py",
    "rules/engine",
    "rules/proof/checking",
)
"""What decides a verdict, and what compares. The reference program is added."""


@functools.cache
def program_digest() -> str:
    """Return the SHA-256 of the engine, of the reference program and of what compares them."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(f"{path.relative_to(REPOSITORY)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _files() -> Iterator[Path]:
    for place in (*(REPOSITORY / name for name in COMPARED), PROGRAM / PACKAGE):
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]
