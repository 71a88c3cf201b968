"""Actions on planned publishings: plan one, cancel it, and carry out those that are due.

A plan publishes exactly what its planner was shown, or nothing. The periodic job in `rules.publishing.tasks`
calls `carry_out_plans`, the desk calls the others.
"""

import datetime
import logging
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from catalog.editorial.audit.actions import log
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import AlreadyRecorded, Refused, Unfit, WrongState
from catalog.tables.actions.accounts import program_account
from catalog.tables.actions.inserting import insert
from rules.cases import CaseError, load_cases
from rules.impact.actions.measuring import NotMeasurable, measure_publishing, work_off
from rules.publishing import gate
from rules.publishing.actions.releases import (
    NothingToPublish,
    Shown,
    publish_release,
)
from rules.publishing.candidate import candidate
from rules.publishing.models import PlannedRelease, PlanState
from rules.publishing.refusals import ChangedMeanwhile, NoteMissing, PublishedMeanwhile, ReleaseRefused
from rules.releases.models import Release

logger = logging.getLogger(__name__)

PROGRAM = "schedule"
"""The account that ends plans at their scheduled time."""


@transaction.atomic
def plan_release(
    *, by: User, note: str, due: datetime.datetime, shown: Shown, now: datetime.datetime
) -> PlannedRelease:
    """Schedule the publishing of exactly what was shown, in the name of the planner.

    Raises `catalog.errors.Refused` if another publishing is planned or the scheduled time has passed, and
    `ReleaseRefused` for the same reasons as publishing it now.
    """
    if not note.strip():
        raise NoteMissing
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
        note=note.strip(),
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
    """Publish what is planned, if it is due, and return the plan, which is over then.

    Plan and release are written in one transaction, so a plan is carried out once. A plan that another
    process works on is skipped. If this process is killed, the next one finds the plan unchanged.
    """
    _measure_what_is_due(now)
    return _carry_out(now)


def _measure_what_is_due(now: datetime.datetime) -> None:
    """Measure what is to be published, because that has to be done on its day. Workers share the work."""
    plan = PlannedRelease.objects.filter(state=PlanState.PLANNED, due__lte=now).first()
    if plan is None:
        return
    try:
        work_off(measure_publishing(by=plan.created_by, now=now))
    except NotMeasurable as reason:
        # Then it cannot be published either, or it is the first release; the plan will say which.
        logger.info("The %s is not measured: %s", plan, reason)


@transaction.atomic
def _carry_out(now: datetime.datetime) -> PlannedRelease | None:
    due = PlannedRelease.objects.filter(state=PlanState.PLANNED, due__lte=now)
    plan = due.select_for_update(skip_locked=True, of=("self",)).select_related("created_by").first()
    if plan is None:
        return None
    schedule = program_account(PROGRAM)
    try:
        if not may(plan.created_by, EditorAction.PUBLISH, Release):
            raise ReleaseRefused(f"{plan.created_by.get_username()} may no longer publish")
        release = publish_release(
            by=plan.created_by, note=plan.note, now=now, shown=Shown(plan.base, plan.content_sha256)
        )
    except (ReleaseRefused, CaseError) as refused:
        logger.error("The %s was not carried out: %s", plan, refused)
        _end(plan, PlanState.FAILED, by=schedule, at=now, failure=str(refused))
    else:
        _end(plan, PlanState.DONE, by=schedule, at=now, release=release)
    return plan


def _end(plan: PlannedRelease, state: PlanState, *, by: User, at: datetime.datetime, **marks: Any) -> None:
    PlannedRelease.objects.filter(pk=plan.pk).update(state=state, ended_at=at, ended_by=by, **marks)
    plan.refresh_from_db()


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
