"""What is known of the proofs of releases. Reads only; callers get values, and no rows.

Called by the gate, the public scorecard, the desk, the metrics and the commands.
"""

import datetime
from typing import NamedTuple

import msgspec
from django.db.models import QuerySet

from catalog.database.cached_values import CachedValue
from rules.proof.checking.findings import Found
from rules.proof.checking.program import program_digest
from rules.proof.models import ProofState, ReleaseProof

PATIENCE_SECONDS = 5

MOST_CACHED = 12
"""How many releases' finished proofs are in memory."""


class Proof(NamedTuple):
    """The proof of a release, in any state. The figures and the statement are those of a finished one."""

    release: str
    state: str
    questions: int
    classes: int
    sets: int
    cells: int
    differing: int
    broken: int
    found: tuple[Found, ...]
    statement: str
    failure: str
    finished: datetime.datetime | None

    @property
    def is_done(self) -> bool:
        """Whether everything was compared."""
        return self.state == ProofState.DONE

    @property
    def is_clean(self) -> bool:
        """Whether everything was compared, and nothing was found."""
        return self.is_done and not self.findings

    @property
    def findings(self) -> int:
        """How many disagreements and broken promises were found."""
        return self.differing + self.broken


def proof_of(release_sha256: str) -> Proof | None:
    """Return the proof of a release by the programs that run now; None if none was begun."""
    row = _of(release_sha256).filter(program_sha256=program_digest()).first()
    return None if row is None else read(row)


def newest_done(release_sha256: str) -> Proof | None:
    """Return the newest finished proof of a release, by these programs or earlier ones."""
    row = _of(release_sha256).filter(state=ProofState.DONE).order_by("-finished").first()
    return None if row is None else read(row)


def statement_of_release(ruleset_version: str) -> Proof | None:
    """Return the newest finished proof of a version."""
    rows = ReleaseProof.objects.select_related("release").filter(
        release__ruleset_version=ruleset_version, state=ProofState.DONE
    )
    row = rows.defer("release__document").order_by("-finished").first()
    return None if row is None else read(row)


def newest_finished() -> Proof | None:
    """Return the newest finished proof of the newest release that has one, from memory."""
    return next(iter(finished()), None)


def finished() -> tuple[Proof, ...]:
    """Return the newest finished proof of each of the last `MOST_CACHED` proved releases, from memory.

    The newest release is the first.
    """
    return _finished.current()


def broken_promise(release_sha256: str) -> Found | None:
    """Return a broken promise of a release, if its proof found one. A proof that is not done found none."""
    proof = newest_done(release_sha256)
    if proof is None or not proof.broken:
        return None
    broken = [one for one in proof.found if one.sort == "promise"]
    # One that someone can ask is shown first.
    return min(broken, key=lambda one: one.question is None, default=None)


def read(row: ReleaseProof) -> Proof:
    """Return a proof as a value."""
    return Proof(
        release=row.release.ruleset_version,
        state=row.state,
        questions=int(row.questions),
        classes=row.classes,
        sets=row.sets,
        cells=row.cells,
        differing=row.differing,
        broken=row.broken,
        found=tuple(msgspec.convert(row.found, list[Found])),
        statement=row.statement,
        failure=row.failure,
        finished=row.finished,
    )


def _read_finished(cached: tuple[Proof, ...]) -> tuple[Proof, ...]:
    rows = ReleaseProof.objects.select_related("release").defer("release__document")
    done = rows.filter(state=ProofState.DONE).order_by("-release__sequence", "-finished")
    found = tuple(read(row) for row in done.distinct("release__sequence")[:MOST_CACHED])
    return cached if found == cached else found


def _of(release_sha256: str) -> QuerySet[ReleaseProof]:
    rows = ReleaseProof.objects.select_related("release").defer("release__document")
    return rows.filter(release__sha256=release_sha256)


_finished: CachedValue[tuple[Proof, ...]] = CachedValue(_read_finished, (), seconds=PATIENCE_SECONDS, alone=0)
