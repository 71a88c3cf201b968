"""The figures of the public scorecard: those of `rules.scorecard`, and sentences as travelers type them.

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
from rules.case_editing.selectors import cases_in_force
from rules.cases import Case, CaseError, load_cases
from rules.scorecard import figures
from rules.scorecard.figures import Scorecard

READ_BY = Path(aeo.__path__[0], "asking")
"""The folder that reads sentences."""


class Figures(Scorecard, frozen=True, kw_only=True):
    """The figures of a release on a day."""

    spoken: Spoken


def measure(edition: Edition) -> Figures:
    """Ask the release of an edition every case, every promise and every sentence. Takes some seconds."""
    counted = figures.measure(edition.release, today=edition.today, cases=_cases())
    return Figures(**msgspec.structs.asdict(counted), spoken=sentences.count(edition.release))


def _cases() -> tuple[Case, ...]:
    """Return the cases in force; those that come with the program while there are none."""
    try:
        return cases_in_force()
    except CaseError:
        return load_cases()


@functools.cache
def program_digest() -> str:
    """Return the SHA-256 of the files that decide the figures, so that a changed program counts again."""
    digest = hashlib.sha256(figures.program_digest().encode())
    for path in sorted(READ_BY.rglob("*.*")):
        if path.suffix in {".py", ".yaml", ".tsv"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()
