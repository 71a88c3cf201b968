"""Begins the proof of a release, and continues one whose workers were lost.

Publishing sends for a proof after the commit, and a periodic job begins what is missing. No release waits for
it. Called by publishing, the jobs and the commands.
"""

import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from rules.proof.actions.workers import prove_release, work
from rules.proof.checking.program import program_digest
from rules.proof.models import UNFINISHED, ProofPart, ProofState, ReleaseProof
from rules.releases.models import Release

SENT_AT_ONCE = 2
"""Jobs sent for one proof. Each continues as long as a part is left."""

SENT_AGAIN_AFTER = datetime.timedelta(seconds=90)
"""Longer than a job works, so that the queue does not fill."""

ALONE_SECONDS = 5
"""How long the periodic job works on a proof where there is no queue: all other jobs wait for it."""


@transaction.atomic
def begin(release: Release, *, now: datetime.datetime) -> ReleaseProof:
    """Return the proof of a release by the programs of this process, and begin it if it is new."""
    proof, is_new = ReleaseProof.objects.get_or_create(
        release=release,
        program_sha256=program_digest(),
        defaults={"state": ProofState.QUEUED, "asked": now, "sent": now},
    )
    if is_new:
        ProofPart.objects.create(proof=proof, number=0)
        transaction.on_commit(lambda: _send(proof))
    return proof


def again(proof: ReleaseProof, *, now: datetime.datetime) -> ReleaseProof:
    """Begin a proof that failed again."""
    release = proof.release
    with transaction.atomic():
        ReleaseProof.objects.filter(pk=proof.pk, state=ProofState.FAILED).delete()
        return begin(release, now=now)


def work_off(proof: ReleaseProof) -> ReleaseProof:
    """Prove all that is left in this process, for commands."""
    while not proof.is_finished:
        work(proof.pk, seconds=float("inf"))
        proof.refresh_from_db()
    return proof


def take_up_all(*, now: datetime.datetime) -> int:
    """Begin the proof of the current release if it is missing, and continue waiting ones.

    Returns how many are not finished. Without a queue this process works on them for some seconds.
    """
    current = Release.objects.without_document().current()
    if (
        current is not None
        and not ReleaseProof.objects.filter(release=current, program_sha256=program_digest()).exists()
    ):
        begin(current, now=now)
    unfinished = list(ReleaseProof.objects.filter(state__in=UNFINISHED))
    for proof in unfinished:
        if settings.CELERY_TASK_ALWAYS_EAGER:
            work(proof.pk, seconds=ALONE_SECONDS)
        else:
            _keep_going(proof, now=now)
    return ReleaseProof.objects.filter(state__in=UNFINISHED).count()


def _keep_going(proof: ReleaseProof, *, now: datetime.datetime) -> None:
    """Start workers again if none was started lately."""
    lately = Q(sent__gt=now - SENT_AGAIN_AFTER)
    waits = ReleaseProof.objects.filter(pk=proof.pk, state__in=UNFINISHED)
    if waits.exclude(lately).update(sent=now):
        transaction.on_commit(lambda: _send(proof))


def _send(proof: ReleaseProof) -> None:
    # Without a queue a job would run here at once, and the publisher would wait for it.
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(SENT_AT_ONCE):
            prove_release.delay(proof.pk)
