"""The workers that prove a release part by part, and the job that runs one.

A part is done in one transaction that locks its row. A worker that dies in the middle, even by `kill -9`, has
done nothing, and another one takes the part. The first part compares the selection of rules and hands out the
sets that are not proved yet. The worker that finishes the last part adds them up. Called by
`rules.proof.actions.proving`.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from decimal import Decimal
from typing import Any

import msgspec
from celery import shared_task
from django.db import transaction
from django.utils import timezone

from rules.engine.corpus import Corpus
from rules.engine.document import decode
from rules.proof.checking.findings import Tally
from rules.proof.checking.flights import RuleSet, Selecting
from rules.proof.checking.judging import Ground
from rules.proof.checking.program import program_digest
from rules.proof.checking.records import Records
from rules.proof.checking.reference import Reference
from rules.proof.checking.sets import MOST_ASKED, asked_of_selection, compare_whole_questions, prove
from rules.proof.models import UNFINISHED, ProofPart, ProofState, ProvedSet, ReleaseProof
from rules.proof.statement import statement_of

logger = logging.getLogger(__name__)

WORKING_SECONDS = 10
"""How long one job works before it sends another one, so that other jobs have their turn.

A proof takes minutes, and verdicts wait for the log meanwhile if there is one worker.
"""

SETS_IN_A_PART = 8
"""A part is done in one go, in about ten seconds."""


@shared_task(name="rules.tasks.prove_release")
def prove_release(proof_id: int) -> None:
    """Do parts of a proof. Running it twice, or in parallel, or killing it does no harm."""
    if work(proof_id, seconds=WORKING_SECONDS):
        prove_release.delay(proof_id)


def work(proof_id: int, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> bool:
    """Do at least one part, until no free part is left or the time is over.

    Returns whether there is more to do.
    """
    proof = ReleaseProof.objects.select_related("release").filter(pk=proof_id).first()
    if proof is None or proof.is_finished:
        return False
    if proof.program_sha256 != program_digest():
        _end(proof, ProofState.OUTDATED)
        return False
    waiting = ReleaseProof.objects.filter(pk=proof.pk, state=ProofState.QUEUED)
    waiting.update(state=ProofState.RUNNING, started=timezone.now())
    until = clock() + seconds
    try:
        while _do_one(proof):
            if clock() >= until:
                return True
        _finish(proof)
    except _CannotBeProved as failure:
        logger.exception("%s failed.", proof)
        _end(proof, ProofState.FAILED, failure=str(failure))
    return False


class _CannotBeProved(Exception):
    """The programs cannot be compared. The message says in one sentence at what."""


def _do_one(proof: ReleaseProof) -> bool:
    """Do one part that is neither done nor locked by another worker. Return whether one was left."""
    with transaction.atomic():
        free = proof.parts.select_for_update(skip_locked=True).filter(result__isnull=True)
        part = free.order_by("number").first()
        if part is None:
            return False
        try:
            tally = _selection(proof) if part.number == 0 else _sets(proof, part)
        except Exception as error:
            what = "The selection of rules" if part.number == 0 else f"The sets of part {part.number}"
            raise _CannotBeProved(f"{what} could not be compared: {type(error).__name__}.") from error
        part.result = msgspec.to_builtins(tally)
        part.save(update_fields=["result"])
        return True


def _selection(proof: ReleaseProof) -> Tally:
    """Compare the selection of rules, and hand out the sets that are not proved."""
    document = proof.release.document.encode()
    since = proof.release.published_at.astimezone(UTC).date()
    records = Records(document)
    with Reference(document) as reference:
        corpus = Corpus(decode(document).content)
        selecting = Selecting(corpus, records, reference, since, proof.program_sha256)
        tally, sets = selecting.compare()
    with Ground(document) as ground:
        compare_whole_questions(ground, [str(day) for day in records.days(since)], tally)
        tally.found = [
            asked_of_selection(ground, one) if one.sort == "selection" and number < MOST_ASKED else one
            for number, one in enumerate(tally.found)
        ]
    known = ProvedSet.objects.filter(key__in=[one.key for one in sets]).values_list("key", "cells")
    proved = dict(known)
    tally.sets += len(proved)
    tally.cells += sum(proved.values())
    left = [one for one in sets if one.key not in proved]
    ProofPart.objects.bulk_create(
        ProofPart(proof=proof, number=number, sets=[[one.key, list(one.leg), one.day] for one in some])
        for number, some in enumerate(_in_parts(left), start=1)
    )
    return tally


def _in_parts(sets: Sequence[RuleSet]) -> Iterator[Sequence[RuleSet]]:
    for first in range(0, len(sets), SETS_IN_A_PART):
        yield sets[first : first + SETS_IN_A_PART]


def _sets(proof: ReleaseProof, part: ProofPart) -> Tally:
    """Prove some sets. Those without a finding are not proved again."""
    total = Tally()
    clean = []
    with Ground(proof.release.document.encode()) as ground:
        for key, leg, day in part.sets:
            tally = prove(ground, RuleSet(key, (leg[0], leg[1], leg[2]), day))
            if not (tally.differing or tally.broken):
                clean.append(ProvedSet(key=key, cells=tally.cells, proved=timezone.now()))
            total.add(tally)
    ProvedSet.objects.bulk_create(clean, ignore_conflicts=True)
    return total


@transaction.atomic
def _finish(proof: ReleaseProof) -> None:
    """Add up, once every part is done. Only the first worker that arrives does it."""
    row = _unfinished(proof)
    if row is None or row.parts.filter(result__isnull=True).exists():
        return
    total = added(row.parts.values_list("result", flat=True))
    now = timezone.now()
    row.classes, row.sets, row.cells = total.classes, total.sets, total.cells
    row.questions, row.differing, row.broken = Decimal(total.questions), total.differing, total.broken
    row.found = msgspec.to_builtins(total.found)
    row.statement = statement_of(row, proof.release, total, finished=now)
    _close(row, ProofState.DONE)


def added(results: Iterable[Any]) -> Tally:
    """Add up the results of parts."""
    total = Tally()
    for result in results:
        total.add(msgspec.convert(result, Tally))
    return total


@transaction.atomic
def _end(proof: ReleaseProof, state: ProofState, *, failure: str = "") -> None:
    row = _unfinished(proof)
    if row is not None:
        row.failure = failure
        _close(row, state)


def _unfinished(proof: ReleaseProof) -> ReleaseProof | None:
    rows = ReleaseProof.objects.select_for_update()
    return rows.filter(pk=proof.pk, state__in=UNFINISHED).first()


def _close(row: ReleaseProof, state: ProofState) -> None:
    row.state, row.finished = state, timezone.now()
    row.save()
    row.parts.all().delete()
    if row.differing or row.broken:
        logger.critical(
            "The proof of release %s found %s disagreements and %s broken promises.",
            row.release.ruleset_version,
            row.differing,
            row.broken,
        )
