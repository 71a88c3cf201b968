"""Proofs of releases, cut into parts that workers share, and the sets of rules that are proved.

A proof belongs to a release and to the programs that are compared: when a program changes, the current
release is proved again. Only `rules.proof.actions` writes here.
"""

from django.db import models
from django.db.models import Q

from catalog.tables.constraints import check, one_of, same, spelled
from rules.releases.models import SHA256, Release


class ProofState(models.TextChoices):
    """The progress of a proof."""

    QUEUED = "queued"  # Nothing of it is compared yet.
    RUNNING = "running"  # Some parts are.
    DONE = "done"  # All are; what was found is in the row.
    FAILED = "failed"  # A part could not be compared; `failure` says why.
    OUTDATED = "outdated"  # Another program runs now, so it is no longer needed.


UNFINISHED = (ProofState.QUEUED, ProofState.RUNNING)


class ReleaseProof(models.Model):
    """What comparing the engine with the reference program found for one release.

    `classes`, `sets` and `cells` say how much was compared, `questions` how many questions that decides.
    `differing` and `broken` count disagreements and broken promises, and `found` describes the first of them.
    `statement` is what is published, as canonical JSON. `sent` is when workers were last asked to continue.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="proofs", editable=False)
    program_sha256 = models.CharField(max_length=64, editable=False)
    state = models.CharField(max_length=10, choices=ProofState.choices, editable=False)
    classes = models.PositiveBigIntegerField(default=0, editable=False)
    sets = models.PositiveIntegerField(default=0, editable=False)
    cells = models.PositiveBigIntegerField(default=0, editable=False)
    questions = models.DecimalField(max_digits=40, decimal_places=0, default=0, editable=False)
    differing = models.PositiveBigIntegerField(default=0, editable=False)
    broken = models.PositiveBigIntegerField(default=0, editable=False)
    found = models.JSONField(default=list, editable=False)
    statement = models.TextField(default="", editable=False)
    failure = models.TextField(default="", editable=False)
    asked = models.DateTimeField(editable=False)
    sent = models.DateTimeField(null=True, editable=False)
    started = models.DateTimeField(null=True, editable=False)
    finished = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-asked", "-id"]
        verbose_name = "proof of a release"
        verbose_name_plural = "proofs of releases"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                name="proof_once_for_a_release_and_a_program", fields=["release", "program_sha256"]
            ),
            one_of("proof_state_is_known", "state", ProofState.values),
            spelled(
                "proof_program_is_a_digest",
                "program_sha256",
                SHA256,
                "`program_sha256` is 64 lower-case hex digits",
            ),
            check(
                "proof_done_has_a_statement",
                same(~Q(statement=""), Q(state=ProofState.DONE)),
                "a proof has a statement exactly when it is done",
            ),
            check(
                "proof_failed_says_why",
                same(~Q(failure=""), Q(state=ProofState.FAILED)),
                "a proof says why it failed, exactly when it did",
            ),
            check(
                "proof_queued_has_not_started",
                ~Q(state=ProofState.QUEUED, started__isnull=False)
                & ~Q(state__in=[ProofState.RUNNING, ProofState.DONE], started__isnull=True),
                "a proof has started unless it waits",
            ),
            check(
                "proof_finished_has_its_instant",
                same(Q(finished__isnull=True), Q(state__in=UNFINISHED)),
                "a proof has finished exactly when nothing more is compared",
            ),
        ]

    def __str__(self) -> str:
        return f"proof of {self.release_id} by {self.program_sha256[:12]}"

    @property
    def is_finished(self) -> bool:
        """Whether comparing has ended."""
        return self.state not in UNFINISHED


class ProofPart(models.Model):
    """A part of a proof that is not finished. The worker that does it locks its row.

    Part 0 is the selection of rules; it names the sets, which are in the other parts.
    """

    proof = models.ForeignKey(ReleaseProof, on_delete=models.CASCADE, related_name="parts", editable=False)
    number = models.PositiveIntegerField(editable=False)
    sets = models.JSONField(default=list, editable=False)
    result = models.JSONField(null=True, editable=False)

    class Meta:
        ordering = ["proof", "number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="proof_part_once", fields=["proof", "number"]),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.proof_id}"


class ProvedSet(models.Model):
    """A set of rules on which both programs agree and all promises hold: it is not proved again.

    `key` is the digest of all that its verdicts depend on, and of the programs.
    """

    key = models.CharField(max_length=64, unique=True, editable=False)
    cells = models.PositiveIntegerField(editable=False)
    proved = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["-proved", "key"]
        default_permissions = ()
        constraints = [
            spelled("proved_set_key_is_a_digest", "key", SHA256, "`key` is 64 lower-case hex digits"),
        ]

    def __str__(self) -> str:
        return self.key[:12]
