"""Which approved revisions owe a second approval: measures what would be published, and notes the result.

A job calls `note_second_approvals` every minute. While nothing changed it only notes who wrote since. Else it
measures: a small change at once. A large one is left to the workers, and noted once they are done.
"""

import datetime
import logging
from collections.abc import Collection

from django.conf import settings
from django.core.cache import cache

from catalog.editorial.models import Revision
from catalog.editorial.owed.actions import note_measured
from catalog.editorial.selectors import measured_revisions, writers_of
from catalog.editorial.workflow import AGREED, State
from catalog.tables.actions.accounts import program_account
from rules.analysis.report import stamp
from rules.impact.actions.measuring import NotMeasurable, keep_going, measure_proposal
from rules.impact.actions.workers import work
from rules.impact.measurements import measured, would_publish
from rules.impact.models import ImpactMeasurement, MeasurementState
from rules.impact.second_approvals import REVISED
from rules.impact.survey import Kind, Result
from rules.releases.models import Release

logger = logging.getLogger(__name__)

KEY = "rules:second-approvals"

PROGRAM = "schedule"
"""The account that measures."""

MEASURING_SECONDS = 2.0
"""How long this job measures where there are no workers, before other jobs have their turn."""


def note_second_approvals(now: datetime.datetime) -> int:
    """Note which revisions need a second approval, and return how many were approved once."""
    waiting = {kind: _approved_once(model) for kind, model in REVISED.items()}
    count = sum(map(len, waiting.values()))
    present = stamp(now.date()) if count else ""
    known, measurement_id = cache.get(KEY) or ("", None)
    if count and (known != present or measurement_id is not None):
        found = _measurement(measurement_id if known == present else None, now)
        if found is not None and not found.is_finished:
            cache.set(KEY, (present, found.pk), timeout=None)
            return count
        result = measured(found) if found and found.state == MeasurementState.DONE else None
        # What cannot be measured has no note, which the desk says. The first release needs no approval.
        known_now = result is not None or not Release.objects.exists()
        for kind, rows in waiting.items():
            _note(kind, rows if known_now else [], _causes(kind, result), now)
        cache.set(KEY, (present, None), timeout=None)
        return count
    for kind, rows in waiting.items():
        _note_writers(kind, rows, now)
    return count


def _approved_once(model: type[Revision]) -> list[Revision]:
    once = {"state": State.APPROVED, "second_approved_at": None}
    return list(model._default_manager.filter(**once).only("pk", model.id_field, "state", "approved_by"))


def _measurement(known: int | None, now: datetime.datetime) -> ImpactMeasurement | None:
    """Return the measurement of what would be published now; None if it cannot be measured."""
    stored = ImpactMeasurement.objects.defer("document")
    found = None if known is None else stored.filter(pk=known).first()
    if found is None:
        try:
            found = measure_proposal(would_publish(), by=program_account(PROGRAM), now=now)
        except NotMeasurable as reason:
            logger.info("What is approved is not measured: %s", reason)
            return None
    if not found.is_finished:
        keep_going(found, now=now)
        if settings.CELERY_TASK_ALWAYS_EAGER:
            work(found.pk, seconds=MEASURING_SECONDS)
        found = stored.get(pk=found.pk)
    return found


def _causes(kind: Kind, result: Result | None) -> set[str]:
    """Return the ids of the records of a kind that make answers less strict."""
    return {one.record.record_id for one in result.causes if one.record.kind == kind} if result else set()


def _note(kind: Kind, rows: Collection[Revision], causes: Collection[str], now: datetime.datetime) -> None:
    """Note what was measured; only the newest approved revision of a record would be published."""
    model = REVISED[kind]
    agreed = model._default_manager.filter(state__in=AGREED).identified(causes)
    less_strict = set(agreed.values_list("pk", flat=True)) if causes else set()
    note_measured(model, _writers(model, rows), less_strict=less_strict, now=now)


def _note_writers(kind: Kind, rows: Collection[Revision], now: datetime.datetime) -> None:
    """Note who wrote since: a draft that is discarded changes nothing that is measured."""
    model = REVISED[kind]
    notes = dict(measured_revisions(model).values_list("row", "less_strict"))
    if notes:
        known = [row for row in rows if row.pk in notes]
        less_strict = {row for row, milder in notes.items() if milder}
        note_measured(model, _writers(model, known), less_strict=less_strict, now=now)


def _writers(model: type[Revision], rows: Collection[Revision]) -> dict[int, set[int]]:
    people = writers_of(model, [row.stable_id for row in rows]) if rows else {}
    return {row.pk: people.get(row.stable_id, set()) for row in rows}
