"""What revisions or change sets do to answers, as measured today: for each row, in a few words.

A measurement counts only if it is of exactly these rows after the current release. Receivers of the signals
of `catalog.editorial.effects`. Reads, and measures on request.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils import timezone

from catalog.editorial.effects import Effect, Measuring
from catalog.editorial.pending.models import ChangeSet
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.impact.actions.measuring import NotMeasurable, measure_proposal
from rules.impact.measurements import Proposal, measured, stored, would_say, would_write
from rules.impact.models import FORM, ImpactMeasurement, MeasurementState
from rules.impact.survey import Changed, Kind, Result
from rules.next_release import FACTS
from rules.releases.models import Release

KINDS: dict[type[Any], Kind] = {Rule: "rules", Recall: "recalls"}


def effects_wanted(rows: Sequence[Any], **sent: Any) -> dict[int, Effect]:
    """Return what each row does to answers, by its key; empty if they were not measured together today."""
    day = timezone.now().date()
    known = ImpactMeasurement.objects.filter(day=day, form=FORM, state=MeasurementState.DONE)
    # Making the content to look for takes seconds if there are many rules.
    if not known.filter(base=Release.objects.without_document().current()).exists():
        return {}
    proposal = _proposed(rows)
    found = None if proposal is None else stored(proposal, day=day)
    if found is None or found.state != MeasurementState.DONE:
        return {}
    result = measured(found)
    return {row.pk: effect(_records(row, result), result) for row in rows}


def measuring_wanted(rows: Sequence[Any], by: User, **sent: Any) -> Measuring:
    """Measure rows together, or begin to."""
    try:
        found = measure_proposal(_proposed(rows), by=by, now=timezone.now())
    except NotMeasurable as problem:
        return Measuring(str(problem))
    address = reverse("admin:rules_impact", args=[found.pk])
    if found.state == MeasurementState.DONE:
        return Measuring("Measured just now, all ticked rows together.", address)
    return Measuring("It is being measured. Press “Measure the changes” again in a while.", address)


def effect(records: Collection[Changed], result: Result) -> Effect:
    """Return what some records do to answers, according to a measurement that contains them."""
    causes = [cause for cause in result.causes if cause.record in records]
    if causes:
        return Effect(f"milder: {_milder(causes)}", lenient=True)
    changed, all_listed = set(result.changed), len(result.changed) == result.changed_total
    # What is told of models and airlines can change answers without being a change of the records.
    revised = all(record.kind in KINDS.values() for record in records)
    if records and revised and all_listed and changed.isdisjoint(records):
        return Effect("the same: answers do not depend on what changes")
    stricter = sum(way.count for way in (*result.ways, *result.unlisted) if not way.lenient)
    if not stricter:
        return Effect("the same: no answer changes")
    if changed and changed <= set(records) and all_listed:
        return Effect(f"stricter: {_answers(stricter)}")
    return Effect("stricter or the same: it makes no answer less strict")


def _milder(causes: Sequence[Any]) -> str:
    count = sum(cause.count for cause in causes)
    if count:
        return f"makes {_answers(count)} less strict"
    if unlisted := sum(cause.unlisted for cause in causes):
        return f"makes {_answers(unlisted)} about units that are not in the catalog less strict"
    return next(cause.beyond for cause in causes if cause.beyond)


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count:,} answers"


def _proposed(rows: Sequence[Any]) -> Proposal | None:
    """Return the current release with these rows in it; None if there is no release."""
    if isinstance(rows[0], ChangeSet):
        prefetch_related_objects(rows, "changes")
        return would_write(change for row in rows for change in row.changes.all())
    return would_say(rows) if type(rows[0]) in KINDS else None


def _records(row: Any, result: Result) -> set[Changed]:
    """Return the records of a row, as a measurement names them."""
    if not isinstance(row, ChangeSet):
        return {Changed(KINDS[type(row)], row.stable_id)}
    changes = row.changes.all()
    named = {Changed(FACTS[one.kind][0], one.record_id) for one in changes if one.kind in FACTS}  # type: ignore[arg-type]
    # A brand is in a release by its name in each of its models: what becomes milder may be its doing.
    renames = any(change.kind == "brand" for change in changes)
    return named | {cause.record for cause in result.causes} if renames else named
