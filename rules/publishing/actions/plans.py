"""Actions on planned publishings: plan one, cancel it, and carry out those that are due.

A plan publishes exactly what its planner was shown, or nothing. The publisher calls `carry_out_plans`, the
desk calls the others.
"""

import datetime
import logging
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import AlreadyRecorded, Refused, Unfit, WrongState
from catalog.tables.actions.accounts import program_account
from catalog.tables.actions.inserting import insert
from rules.cases import CaseError, load_cases
from rules.impact.actions.measuring import NotMeasurable, keep_going, measure_publishing
from rules.impact.actions.workers import work
from rules.impact.models import FORM, ImpactMeasurement
from rules.publishing import gate
from rules.publishing.actions.failing import FAILURE, is_connection_lost, is_tried_again
from rules.publishing.actions.releases import (
    NothingToPublish,
    Shown,
    publish_release,
)
from rules.publishing.candidate import candidate
from rules.publishing.models import PlannedRelease, PlanState
from rules.publishing.refusals import ChangedMeanwhile, PublishedMeanwhile, ReleaseRefused
from rules.publishing.release_notes import typed_note
from rules.releases.models import Release

logger = logging.getLogger(__name__)

PROGRAM = "schedule"
"""The account that ends plans at their scheduled time."""

MEASURING_SECONDS = 2.0
"""How long the publisher measures without a queue, before it looks for requests again."""

MEASURING_PATIENCE = datetime.timedelta(hours=3)
"""How long a plan waits for its measurement. Then it fails, because it is not measured."""


@transaction.atomic
def plan_release(
    *, by: User, note: str, due: datetime.datetime, shown: Shown, now: datetime.datetime
) -> PlannedRelease:
    """Schedule the publishing of exactly what was shown, in the name of the planner.

    Raises `catalog.errors.Refused` if another publishing is planned or the scheduled time has passed, and
    `ReleaseRefused` for the same reasons as publishing it now.
    """
    note = typed_note(note)
    if due <= now:
        raise Unfit("the plan", f"{due:%Y-%m-%d %H:%M} UTC is in the past")
    current = Release.objects.without_document().select_related("published_by").current()
    if current is not None and str(current) != shown.base:
        raise PublishedMeanwhile(current)
    found = candidate(load_cases())
    if current is not None and current.content_sha256 == found.content_sha256:
        raise NothingToPublish(current)
    if found.content_sha256 != shown.content_sha256:
        raise ChangedMeanwhile
    gate.pass_(found, current, by=by, now=now)
    plan = PlannedRelease(
        due=due,
        base=shown.base,
        content_sha256=shown.content_sha256,
        note=note,
        created_at=now,
        created_by=by,
    )
    try:
        insert([plan])
    except Refused:
        raise AlreadyRecorded("the plan", "another publishing is already planned; cancel it first") from None
    _log(plan, by=by, at=now, action=EditorAction.PLAN, due=due.isoformat())
    return plan


@transaction.atomic
def cancel_plan(*, by: User, plan_id: int, now: datetime.datetime) -> None:
    """Cancel a plan. Raises `WrongState` if it is already over."""
    plan = PlannedRelease.objects.select_for_update().filter(pk=plan_id).first()
    if plan is None or plan.state != PlanState.PLANNED:
        raise WrongState("the plan", "has already ended" if plan else "does not exist")
    _end(plan, PlanState.CANCELED, by=by, at=now)
    _log(plan, by=by, at=now, action=EditorAction.CANCEL)


def carry_out_plans(*, now: datetime.datetime) -> PlannedRelease | None:
    """Publish what is planned, if it is due and measured, and return the plan, which is over then.

    Plan and release are written in one transaction, so a plan is carried out once. A plan that another
    process works on is skipped. If this process is killed, the next one finds the plan unchanged. An error
    ends the plan; raises it if the connection was lost, and the plan waits then (`failing`).
    """
    plan = PlannedRelease.objects.filter(state=PlanState.PLANNED, due__lte=now).first()
    if plan is None or not _is_measured(plan, now):
        return None
    try:
        return _carry_out(plan, now)
    except Exception as error:
        if is_tried_again(plan, error):
            raise
        return _end(plan, PlanState.FAILED, by=program_account(PROGRAM), at=now, failure=FAILURE)


def _is_measured(plan: PlannedRelease, now: datetime.datetime) -> bool:
    """Return whether the plan need not wait for a measurement, which has to be of the day of publishing.

    Workers measure; without a queue this process does, a moment at a time, so that requests have their turn.
    What cannot be measured need not be waited for: the gate says what that means.
    """
    try:
        found = _measurement(plan, now)
        if found is None:
            measure_publishing(by=plan.created_by, now=now)
        elif not found.is_finished:
            keep_going(found, now=now)
            if settings.CELERY_TASK_ALWAYS_EAGER:
                work(found.pk, seconds=MEASURING_SECONDS)
    except NotMeasurable as reason:
        # Then it cannot be published either, or it is the first release; the plan will say which.
        logger.info("The %s is not measured: %s", plan, reason)
    except Exception as error:
        if is_connection_lost(error):
            raise
        logger.exception("The %s is not measured.", plan)
    found = _measurement(plan, now)
    return found is None or found.is_finished or found.asked_at < now - MEASURING_PATIENCE


def _measurement(plan: PlannedRelease, now: datetime.datetime) -> ImpactMeasurement | None:
    """Return today's measurement of exactly what is planned, without compiling the rows."""
    found = ImpactMeasurement.objects.filter(
        base__ruleset_version=plan.base,
        content_sha256=plan.content_sha256,
        day=now.astimezone(datetime.UTC).date(),
        form=FORM,
    )
    return found.defer("document", "result").first()


@transaction.atomic
def _carry_out(asked: PlannedRelease, now: datetime.datetime) -> PlannedRelease | None:
    """Carry out a plan, or fail it with the reason; None if another process works on it, or has ended it."""
    planned = PlannedRelease.objects.filter(pk=asked.pk, state=PlanState.PLANNED)
    plan = planned.select_for_update(skip_locked=True, of=("self",)).select_related("created_by").first()
    if plan is None:
        return None
    schedule = program_account(PROGRAM)
    try:
        with transaction.atomic():
            release = _publish(plan, now)
    except (ReleaseRefused, Refused, CaseError) as refused:
        logger.error("The %s was not carried out: %s", plan, refused)
        return _end(plan, PlanState.FAILED, by=schedule, at=now, failure=str(refused))
    return _end(plan, PlanState.DONE, by=schedule, at=now, release=release)


def _publish(plan: PlannedRelease, now: datetime.datetime) -> Release:
    by = plan.created_by
    if not may(by, EditorAction.PUBLISH, Release):
        raise ReleaseRefused(f"{by.get_username()} may no longer publish")
    return publish_release(by=by, note=plan.note, now=now, shown=Shown(plan.base, plan.content_sha256))


def _end(
    plan: PlannedRelease, state: PlanState, *, by: User, at: datetime.datetime, **marks: Any
) -> PlannedRelease:
    """End a plan, unless it has ended meanwhile."""
    planned = PlannedRelease.objects.filter(pk=plan.pk, state=PlanState.PLANNED)
    planned.update(state=state, ended_at=at, ended_by=by, **marks)
    plan.refresh_from_db()
    return plan


def _log(
    plan: PlannedRelease, *, by: User, at: datetime.datetime, action: EditorAction, **details: Any
) -> None:
    log(
        by=by,
        at=at,
        action=action,
        kind="plan",
        subjects=[(str(plan.pk), None)],
        reason=plan.note,
        details=details,
    )
