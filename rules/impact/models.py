"""Measurements of what a change would do, cut into parts that workers share.

A measurement belongs to a base release, to the content that would come after it and to a day: asking for the
same again gives the same row. Only `rules.impact.actions` writes here.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.dates import day_words
from catalog.tables.constraints import check, one_of, positive, same, spelled
from rules.releases.models import SHA256, Release


class MeasurementState(models.TextChoices):
    """The progress of a measurement."""

    QUEUED = "queued"  # No part of it is measured yet.
    RUNNING = "running"  # Some parts are.
    DONE = "done"  # All are, and the result is in the row.
    FAILED = "failed"  # A part could not be measured; `failure` says why.
    OUTDATED = "outdated"  # Another release came before it was done, so it is no longer needed.


FORM = 3
"""The form of the results that this version of the program writes. It cannot read results of other forms."""

UNFINISHED = (MeasurementState.QUEUED, MeasurementState.RUNNING)


class ImpactMeasurement(models.Model):
    """What would flip if some content were published on a day after a release.

    `document` is the compressed canonical text of the content, kept until there is a result. `size` is how
    many classes of models and flights are compared, `sent` when workers were last asked to continue. `form`
    is the form of its parts and of its result.
    """

    base = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="measurements", editable=False)
    content_sha256 = models.CharField(max_length=64, editable=False)
    day = models.DateField(editable=False)
    form = models.PositiveSmallIntegerField(editable=False)
    state = models.CharField(max_length=10, choices=MeasurementState.choices, editable=False)
    size = models.PositiveBigIntegerField(editable=False)
    parts = models.PositiveIntegerField(editable=False)
    document = models.BinaryField(null=True, editable=False)
    result = models.JSONField(null=True, editable=False)
    failure = models.TextField(editable=False)
    asked_at = models.DateTimeField(editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )
    sent = models.DateTimeField(null=True, editable=False)
    started = models.DateTimeField(null=True, editable=False)
    finished = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-asked_at", "-id"]
        verbose_name = "measured change"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                name="measurement_once_for_a_content_and_a_day",
                fields=["base", "content_sha256", "day", "form"],
            ),
            one_of("measurement_state_is_known", "state", MeasurementState.values),
            spelled(
                "measurement_content_is_a_digest",
                "content_sha256",
                SHA256,
                "`content_sha256` is 64 lower-case hex digits",
            ),
            positive("measurement_has_parts", "parts"),
            check(
                "measurement_keeps_the_content_until_it_is_finished",
                same(Q(document__isnull=False), Q(state__in=UNFINISHED)),
                "the content is kept as long as something is to be measured",
            ),
            check(
                "measurement_done_has_a_result",
                same(Q(result__isnull=False), Q(state=MeasurementState.DONE)),
                "a measurement has a result exactly when it is done",
            ),
            check(
                "measurement_failed_says_why",
                same(~Q(failure=""), Q(state=MeasurementState.FAILED)),
                "a measurement says why it failed, exactly when it did",
            ),
            check(
                "measurement_queued_has_not_started",
                ~Q(state=MeasurementState.QUEUED, started__isnull=False)
                & ~Q(state__in=[MeasurementState.RUNNING, MeasurementState.DONE], started__isnull=True),
                "a measurement has started unless it waits",
            ),
            check(
                "measurement_finished_has_its_instant",
                same(Q(finished__isnull=True), Q(state__in=UNFINISHED)),
                "a measurement has finished exactly when nothing more is measured",
            ),
        ]

    def __str__(self) -> str:
        return f"measured changes {self.pk}, for {day_words(self.day)}"

    @property
    def is_finished(self) -> bool:
        """Whether measuring has ended."""
        return self.state not in UNFINISHED

    @property
    def is_readable(self) -> bool:
        """Whether this version of the program can read it."""
        return self.form == FORM

    @property
    def parts_done(self) -> int:
        """Return how many parts are measured. One query, unless all are."""
        if self.state == MeasurementState.DONE:
            return self.parts
        return self.pieces.filter(tally__isnull=False).count()


class ImpactPart(models.Model):
    """Some airlines of a measurement that is not finished. The worker that measures it locks its row."""

    measurement = models.ForeignKey(
        ImpactMeasurement, on_delete=models.CASCADE, related_name="pieces", editable=False
    )
    number = models.PositiveIntegerField(editable=False)
    airlines = models.JSONField(editable=False)
    tally = models.JSONField(null=True, editable=False)

    class Meta:
        ordering = ["measurement", "number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="measurement_part_once", fields=["measurement", "number"]),
        ]

    def __str__(self) -> str:
        return f"part {self.number} of measurement {self.measurement_id}"
