"""The figures of the public scorecard: what `rules.scorecard` counts, and sentences as travelers type them.

Called by the job that keeps the figures, and by the page.
"""

import functools
import hashlib
from pathlib import Path

import msgspec

import aeo
from aeo.asking import sentences
from aeo.asking.sentences import Spoken
from aeo.editions import Edition
from rules import scorecard
from rules.scorecard import Scorecard

READ_BY = ("finding", "asking")
"""The folders of `aeo` that read sentences."""


class Figures(Scorecard, frozen=True, kw_only=True):
    """The figures of a release on a day."""

    spoken: Spoken


def measure(edition: Edition) -> Figures:
    """Ask the release of an edition every case, every promise and every sentence. Takes some seconds."""
    counted = scorecard.measure(edition.release, today=edition.today)
    return Figures(**msgspec.structs.asdict(counted), spoken=sentences.count(edition.release))


@functools.cache
def program_digest() -> str:
    """Return the SHA-256 of the files that decide the figures, so that another program counts anew."""
    digest = hashlib.sha256(scorecard.program_digest().encode())
    for name in READ_BY:
        for path in sorted(Path(aeo.__path__[0], name).rglob("*.*")):
            if path.suffix in {".py", ".yaml", ".tsv"}:
                digest.update(path.read_bytes())
    return digest.hexdigest()
