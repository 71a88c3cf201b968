"""Runs of long jobs, and their failed items. Only `catalog.jobs.actions` writes here."""

from django.db import models
from django.db.models import Q

from catalog.dates import moment_words
from catalog.tables.constraints import check, not_after, one_of, same


class RunOutcome(models.TextChoices):
    """The outcome of a run."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # It stopped because of an error; `note` says why.
    INTERRUPTED = "interrupted"  # It was stopped, or its process died.


class Run(models.Model):
    """One run of a job, with its progress while it runs and its outcome after that.

    `total` is how many items it found, null until that is known; `counts` says how many had each outcome.
    `seen` is the last time at which the run was known to be alive.
    """

    name = models.CharField(max_length=60)
    started = models.DateTimeField()
    seen = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=12, choices=RunOutcome.choices, default=RunOutcome.RUNNING)
    total = models.PositiveIntegerField(null=True, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        default_permissions = ("view",)
        indexes = [models.Index(name="runs_of_a_job", fields=["name", "-id"])]
        constraints = [
            one_of("run_outcome_is_known", "outcome", RunOutcome.values),
            check(
                "run_ends_once",
                same(Q(outcome=RunOutcome.RUNNING), Q(ended__isnull=True)),
                "a run has ended exactly when it is no longer running",
            ),
            check(
                "run_failed_says_why",
                ~Q(outcome=RunOutcome.FAILED) | Q(note__regex=r"\S"),
                "a run that failed says why",
            ),
            not_after("run_beats_after_its_start", "started", "seen", "a run is not seen before it starts"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {moment_words(self.started)}"


class DeadLetter(models.Model):
    """An item that a job tried several times and set aside until a person checks it.

    `name` is the name of the job, `subject` is the item: an address, or the number of a notice.
    """

    name = models.CharField(max_length=60)
    subject = models.CharField(max_length=2000)
    reason = models.TextField()
    tries = models.PositiveIntegerField(default=1)
    first_tried = models.DateTimeField()
    last_tried = models.DateTimeField()

    class Meta:
        ordering = ["name", "-last_tried", "id"]
        default_permissions = ("view", "change")
        constraints = [
            models.UniqueConstraint(name="dead_letter_once", fields=["name", "subject"]),
            not_after(
                "dead_letter_dates_in_order",
                "first_tried",
                "last_tried",
                "what was tried again was tried before",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.subject}"
