"""Measures what a change would flip: a small proposal at once, a large one in parts by workers.

A worker is started again while a page shows the measurement, and by a periodic job. So a measurement
continues even if the queue loses a message. Called by the editors' desk, the jobs and the commands.
"""

import datetime
import zlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q

from catalog.editorial.pending.models import ChangeSet
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.engine.document import Content, problems
from rules.impact.actions.workers import measure_impact, work
from rules.impact.measurements import (
    SMALL,
    Proposal,
    stored,
    survey_of,
    would_publish,
    would_say,
    would_write,
)
from rules.impact.models import FORM, UNFINISHED, ImpactMeasurement, ImpactPart, MeasurementState
from rules.impact.survey import measure

PART = 20_000
"""The size of a part; a larger airline is a part of its own."""

SENT_AT_ONCE = 4
"""Jobs sent for one measurement. Each continues as long as a part is left."""

SENT_AGAIN_AFTER = datetime.timedelta(seconds=30)

MOST_PROBLEMS = 5
"""How many reasons are named why some content cannot be measured."""


class NotMeasurable(Exception):
    """There is nothing to measure. The message says why, in one sentence."""


def measure_publishing(*, by: User, now: datetime.datetime) -> ImpactMeasurement:
    """Measure what would change if everything approved were published. Raises `NotMeasurable`."""
    return measure_proposal(would_publish(), by=by, now=now)


def measure_revisions(
    *, by: User, now: datetime.datetime, revisions: Sequence[Rule | Recall]
) -> ImpactMeasurement:
    """Measure what would change if only these revisions were published. Raises `NotMeasurable`."""
    return measure_proposal(would_say(revisions), by=by, now=now)


def measure_change_set(*, by: User, now: datetime.datetime, change_set: ChangeSet) -> ImpactMeasurement:
    """Measure what would change if only a change set were published. Raises `NotMeasurable`."""
    return measure_proposal(would_write(change_set.changes.all()), by=by, now=now)


def measure_proposal(proposal: Proposal | None, *, by: User, now: datetime.datetime) -> ImpactMeasurement:
    """Return the measurement of a proposal: one from earlier today, or a new one.

    A small one is done at once. A large one is left to the workers. Raises `NotMeasurable`.
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
        form=FORM,
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
    """Start workers again if a measurement is not finished and none was started recently."""
    lately = Q(sent__gt=now - SENT_AGAIN_AFTER)
    waits = ImpactMeasurement.objects.filter(pk=measurement.pk, state__in=UNFINISHED)
    if waits.exclude(lately).update(sent=now):
        transaction.on_commit(lambda: _send(measurement))


def take_up_all(*, now: datetime.datetime) -> int:
    """Start workers for waiting measurements, and return how many measurements are not finished."""
    unfinished = ImpactMeasurement.objects.filter(state__in=UNFINISHED).defer("document")
    for measurement in unfinished:
        keep_going(measurement, now=now)
    return len(unfinished)


def forget_before(day: datetime.date) -> int:
    """Delete the measurements of earlier days, and return how many there were."""
    _, deleted = ImpactMeasurement.objects.filter(day__lt=day).delete()
    return deleted.get(ImpactMeasurement._meta.label, 0)


def _refuse_unreadable(content: Content) -> None:
    found = problems(content)
    if found:
        named = "; ".join(f"{one.where} {one.reason}" for one in found[:MOST_PROBLEMS])
        more = f"; and {len(found) - MOST_PROBLEMS} more" if len(found) > MOST_PROBLEMS else ""
        raise NotMeasurable(f"It could not be published, so it cannot be measured: {named}{more}.")


def _parts(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Divide airlines into parts of about one size."""
    part: list[str] = []
    size = 0
    for airline, more in sizes.items():
        if part and size + more > PART:
            yield part
            part, size = [], 0
        part.append(airline)
        size += more
    yield part


def _write(
    row: ImpactMeasurement, parts: Sequence[Sequence[str]], *, instead_of: ImpactMeasurement | None
) -> ImpactMeasurement:
    """Store a new measurement. If another process stored the same one first, return that one."""
    same = {
        "base": row.base,
        "content_sha256": row.content_sha256,
        "day": row.day,
        "form": row.form,
    }
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
    # Without a queue a job would run here at once, and the caller would wait for all of it. Then the page
    # that shows the progress measures part by part.
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(min(measurement.parts, SENT_AT_ONCE)):
            measure_impact.delay(measurement.pk)
