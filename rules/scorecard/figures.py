"""How well a release answers: it is tested with the shipped verdict cases and the promises.

A case that is allowed although it expects anything else is counted separately: that failure could cause a
fire in a cabin. Every figure comes from questions that were really asked. Reads the files of the cases and
its arguments. Called by the job that keeps the figures for the public page.
"""

import datetime
import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

import recalls
import rules
from rules.cases import Case, Judged, judge, load_cases
from rules.corpus import Published
from rules.scorecard import invariants
from rules.scorecard.invariants import Kept

MOST_NAMED = 20
"""How many cases that differ are named; all of them are counted."""

DECIDED_BY = ("engine", "cases", "scorecard")
"""The folders of `rules` that decide the figures, apart from a release and a day."""


class Differing(msgspec.Struct, frozen=True):
    """A case that is not answered as it expects: its file, its name, and whether it is allowed wrongly."""

    file: str
    name: str
    false_allowed: bool


class Scorecard(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a release on a day.

    `milder` counts the cases whose verdict is less strict than expected; `false_allowed`, those of them that
    are allowed. `differing` names the first `MOST_NAMED`, wrongly allowed ones first.
    """

    cases: int
    agreeing: int
    milder: int
    false_allowed: int
    differing: tuple[Differing, ...]
    questions: int
    promises: tuple[Kept, ...]


def measure(release: Published, *, today: datetime.date, cases: Sequence[Case] | None = None) -> Scorecard:
    """Run every case and every promise on a release, for travel on a day. Takes about a second."""
    judged = judge(release.corpus.content, load_cases() if cases is None else cases)
    differing = sorted((one for one in judged if one.failures), key=lambda one: not one.grants)
    return Scorecard(
        cases=len(judged),
        agreeing=len(judged) - len(differing),
        milder=sum(one.milder for one in judged),
        false_allowed=sum(one.grants for one in judged),
        differing=tuple(map(_differing, differing[:MOST_NAMED])),
        questions=invariants.QUESTIONS,
        promises=invariants.tried(release.corpus, seed=release.sha256, today=today),
    )


@functools.cache
def program_digest() -> str:
    """Return the SHA-256 of the files that decide the figures, so that a changed program counts again."""
    digest = hashlib.sha256(Path(recalls.__path__[0], "serials.py").read_bytes())
    for name in DECIDED_BY:
        for path in sorted(Path(rules.__path__[0], name).glob("*.*")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _differing(judged: Judged) -> Differing:
    return Differing(judged.case.file, judged.case.name, judged.grants)
