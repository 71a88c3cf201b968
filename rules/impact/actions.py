"""The verbs that measure what a change would do: at once where that is little, part by part where it is not.

A part is measured in one transaction that holds a lock on its row. So whoever dies in the middle of it, even
by `kill -9`, has done nothing, and the next one takes it up; and no part is measured or counted twice. The
last one to finish a part adds them up. Workers are sent for again as long as somebody looks or the clock of
the jobs ticks, so a measurement goes on whatever becomes of the queue.

Called by the editors' desk, the jobs and the commands.
"""

import datetime
import logging
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.engine.document import Content, problems
from rules.impact.measurements import SMALL, Proposal, propose, stored, survey_of, would_publish, would_say
from rules.impact.models import UNFINISHED, ImpactMeasurement, ImpactPart, MeasurementState
from rules.impact.survey import Leniency, Survey, Tally, add, measure, result_of, tally
from rules.releases.models import Release

logger = logging.getLogger(__name__)

PART = 20_000
"""So many questions, or those of one airline, make a part."""

SENT_AT_ONCE = 4
"""Jobs sent for one measurement. Each goes on as long as there is a part left."""

SENT_AGAIN_AFTER = datetime.timedelta(seconds=30)

MOST_PROBLEMS = 5
"""So many reasons are named why some content cannot be measured."""


class NotMeasurable(Exception):
    """There is nothing to measure. The message says why, in one sentence."""


def measure_publishing(*, by: User, now: datetime.datetime) -> ImpactMeasurement:
    """Measure what would change if all that is agreed were published. Raises `NotMeasurable`."""
    return measure_proposal(would_publish(), by=by, now=now)


def measure_revisions(
    *, by: User, now: datetime.datetime, revisions: Sequence[Rule | Recall]
) -> ImpactMeasurement:
    """Measure what would change if these revisions alone were published. Raises `NotMeasurable`."""
    return measure_proposal(would_say(revisions), by=by, now=now)


def measure_proposal(proposal: Proposal | None, *, by: User, now: datetime.datetime) -> ImpactMeasurement:
    """Return the measurement of a proposal: that of earlier today, or a new one.

    A small one is done. A large one is left to the workers. Raises `NotMeasurable`.
    """
    if proposal is None:
        raise NotMeasurable("No release is published yet, so there is nothing to compare with.")
    day = now.astimezone(datetime.UTC).date()
    known = stored(proposal, day=day)
    if known is not None and known.state != MeasurementState.FAILED:
        keep_going(known, now=now)
        return known
    _refuse_unreadable(proposal.content)
    survey = survey_of(proposal, day=day)
    sizes = {airline: survey.size(airline) for airline in survey.airlines}
    row = ImpactMeasurement(
        base=proposal.base,
        content_sha256=proposal.content_sha256,
        day=day,
        size=sum(sizes.values()),
        parts=1,
        asked_at=now,
        asked_by=by,
    )
    airlines: list[list[str]] = []
    if row.size <= SMALL:
        row.state, row.started, row.finished = MeasurementState.DONE, now, now
        row.result = msgspec.to_builtins(measure(survey))
    else:
        airlines = list(_parts(sizes))
        row.state, row.sent, row.parts = MeasurementState.QUEUED, now, len(airlines)
        row.document = zlib.compress(proposal.text.encode())
    return _write(row, airlines, instead_of=known)


def work_off(measurement: ImpactMeasurement) -> ImpactMeasurement:
    """Measure all that is left in this process, for commands and jobs that need the result at once."""
    while not measurement.is_finished:
        work(measurement.pk, seconds=float("inf"))
        measurement.refresh_from_db()
    return measurement


def keep_going(measurement: ImpactMeasurement, *, now: datetime.datetime) -> None:
    """Send for workers once more where a measurement is not finished and none was sent for lately."""
    lately = Q(sent__gt=now - SENT_AGAIN_AFTER)
    waits = ImpactMeasurement.objects.filter(pk=measurement.pk, state__in=UNFINISHED)
    if waits.exclude(lately).update(sent=now):
        transaction.on_commit(lambda: _send(measurement))


def take_up_all(*, now: datetime.datetime) -> int:
    """Send for workers wherever somebody waits, and return how many measurements are not finished."""
    unfinished = ImpactMeasurement.objects.filter(state__in=UNFINISHED).defer("document")
    for measurement in unfinished:
        keep_going(measurement, now=now)
    return len(unfinished)


def forget_before(day: datetime.date) -> int:
    """Delete the measurements of earlier days, and return how many there were."""
    _, deleted = ImpactMeasurement.objects.filter(day__lt=day).delete()
    return deleted.get(ImpactMeasurement._meta.label, 0)


def work(measurement_id: int, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> bool:
    """Measure parts until none is left that nobody else measures, or the time is up; one at least.

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


def _refuse_unreadable(content: Content) -> None:
    found = problems(content)
    if found:
        named = "; ".join(f"{one.where} {one.reason}" for one in found[:MOST_PROBLEMS])
        more = f"; and {len(found) - MOST_PROBLEMS} more" if len(found) > MOST_PROBLEMS else ""
        raise NotMeasurable(f"It could not be published, so it cannot be measured: {named}{more}.")


def _parts(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Share airlines out into parts of about one size."""
    part: list[str] = []
    size = 0
    for airline, questions in sizes.items():
        if part and size + questions > PART:
            yield part
            part, size = [], 0
        part.append(airline)
        size += questions
    yield part


def _write(
    row: ImpactMeasurement, parts: Sequence[Sequence[str]], *, instead_of: ImpactMeasurement | None
) -> ImpactMeasurement:
    """Store a new measurement. Where somebody else was faster with the same one, theirs is returned."""
    same = {"base": row.base, "content_sha256": row.content_sha256, "day": row.day}
    try:
        with transaction.atomic():
            if instead_of is not None:
                ImpactMeasurement.objects.filter(pk=instead_of.pk, state=instead_of.state).delete()
            row.save(force_insert=True)
            ImpactPart.objects.bulk_create(
                ImpactPart(measurement=row, number=number, airlines=airlines)
                for number, airlines in enumerate(parts, start=1)
            )
    except IntegrityError:
        return ImpactMeasurement.objects.get(**same)
    if not row.is_finished:
        transaction.on_commit(lambda: _send(row))
    return row


def _send(measurement: ImpactMeasurement) -> None:
    # The jobs call the verbs, so the verbs can know the jobs no earlier than now.
    from rules.tasks import measure_impact

    # Without a queue a job would run here and now, and whoever asked would wait for all of it. Then the page
    # that shows the progress measures part by part.
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(min(measurement.parts, SENT_AT_ONCE)):
            measure_impact.delay(measurement.pk)


def _sides(measurement: ImpactMeasurement) -> tuple[Survey, Leniency]:
    try:
        content = msgspec.json.decode(zlib.decompress(measurement.document or b""), type=Content)
        survey = survey_of(propose(measurement.base, content), day=measurement.day)
        return survey, Leniency(survey)
    except Exception as error:
        raise _CannotBeMeasured("The rulesets could not be laid side by side.") from error


def _measure_one(measurement: ImpactMeasurement, survey: Survey, leniency: Leniency) -> bool:
    """Measure one part that is not measured and that nobody else measures. Return whether there was one."""
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
    """Add up, once every part is measured. Only the first one to come does it."""
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
