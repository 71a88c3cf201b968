"""The workers that measure a large proposal part by part, and the job that runs one.

A part is measured in one transaction that locks its row. A worker that dies in the middle, even by `kill -9`,
has done nothing, and another one takes the part. No part is measured or counted twice. The worker that
finishes the last part adds them up. Called by `rules.impact.actions.measuring`.
"""

import logging
import time
import zlib
from collections.abc import Callable

import msgspec
from celery import shared_task
from django.db import transaction
from django.utils import timezone

from rules.engine.document import Content
from rules.impact.measurements import propose, survey_of
from rules.impact.models import UNFINISHED, ImpactMeasurement, MeasurementState
from rules.impact.survey import Leniency, Survey, Tally, add, result_of, tally
from rules.releases.models import Release

logger = logging.getLogger(__name__)

WORKING_SECONDS = 60
"""How long one job measures before it sends another one, so that other jobs have their turn."""


@shared_task(name="rules.tasks.measure_impact")
def measure_impact(measurement_id: int) -> None:
    """Measure parts of a measurement. Running it twice, or in parallel, or killing it does no harm."""
    if work(measurement_id, seconds=WORKING_SECONDS):
        measure_impact.delay(measurement_id)


def work(measurement_id: int, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> bool:
    """Measure at least one part, until no free part is left or the time is over.

    Returns whether there is more to do.
    """
    measurement = ImpactMeasurement.objects.select_related("base").filter(pk=measurement_id).first()
    if measurement is None or measurement.is_finished:
        return False
    if measurement.base != Release.objects.without_document().current():
        _end(measurement, MeasurementState.OUTDATED)
        return False
    waiting = ImpactMeasurement.objects.filter(pk=measurement.pk, state=MeasurementState.QUEUED)
    waiting.update(state=MeasurementState.RUNNING, started=timezone.now())
    until = clock() + seconds
    try:
        survey, leniency = _sides(measurement)
        while _measure_one(measurement, survey, leniency):
            if clock() >= until:
                return True
        _finish(measurement, survey, leniency)
    except _CannotBeMeasured as failure:
        logger.exception("Measurement %s failed.", measurement)
        _end(measurement, MeasurementState.FAILED, failure=str(failure))
    return False


class _CannotBeMeasured(Exception):
    """The engine cannot answer for some content, although nothing was found wrong with it."""


def _sides(measurement: ImpactMeasurement) -> tuple[Survey, Leniency]:
    try:
        content = msgspec.json.decode(zlib.decompress(measurement.document or b""), type=Content)
        survey = survey_of(propose(measurement.base, content), day=measurement.day)
        return survey, Leniency(survey)
    except Exception as error:
        raise _CannotBeMeasured("The two rulesets could not be compared.") from error


def _measure_one(measurement: ImpactMeasurement, survey: Survey, leniency: Leniency) -> bool:
    """Measure one part that is neither measured nor locked by another worker. Return whether one was left."""
    with transaction.atomic():
        part = (
            measurement.pieces.select_for_update(skip_locked=True)
            .filter(tally__isnull=True)
            .order_by("number")
            .first()
        )
        if part is None:
            return False
        try:
            found = add(tally(survey, leniency, airline) for airline in part.airlines)
        except Exception as error:
            named = ", ".join(part.airlines)
            raise _CannotBeMeasured(f"The answers of {named} could not be compared.") from error
        part.tally = msgspec.to_builtins(found)
        part.save(update_fields=["tally"])
        return True


@transaction.atomic
def _finish(measurement: ImpactMeasurement, survey: Survey, leniency: Leniency) -> None:
    """Add up, once every part is measured. Only the first worker that arrives does it."""
    row = _unfinished(measurement)
    if row is None or row.pieces.filter(tally__isnull=True).exists():
        return
    tallies = row.pieces.values_list("tally", flat=True)
    whole = add(msgspec.convert(found, Tally) for found in tallies)
    row.result = msgspec.to_builtins(result_of(survey, whole, leniency.changed))
    _close(row, MeasurementState.DONE)


@transaction.atomic
def _end(measurement: ImpactMeasurement, state: MeasurementState, *, failure: str = "") -> None:
    row = _unfinished(measurement)
    if row is not None:
        row.failure = failure
        _close(row, state)


def _unfinished(measurement: ImpactMeasurement) -> ImpactMeasurement | None:
    rows = ImpactMeasurement.objects.select_for_update()
    return rows.filter(pk=measurement.pk, state__in=UNFINISHED).first()


def _close(row: ImpactMeasurement, state: MeasurementState) -> None:
    row.state, row.document, row.finished = state, None, timezone.now()
    row.save()
    row.pieces.all().delete()
