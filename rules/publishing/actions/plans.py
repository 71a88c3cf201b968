"""Actions on planned publishings: plan one, cancel it, and carry out those that are due.

A plan holds changes, not the content of a release. At its time they are published on top of what is current
then, if they are still what was approved, and nothing is less strict than what its planner was shown. The
publisher calls `carry_out_plans`, the desk calls the others.
"""

import datetime
import logging
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from catalog.dates import moment_words
from catalog.editorial.audit.actions import log
from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.errors import AlreadyRecorded, Refused, Unfit, WrongState
from catalog.tables.actions.accounts import program_account
from catalog.tables.actions.inserting import insert
from rules.cases import CaseError
from rules.engine.document import Content
from rules.impact.actions.measuring import NotMeasurable, keep_going, measure_proposal, measure_publishing
from rules.impact.actions.workers import work
from rules.impact.measurements import propose
from rules.impact.models import ImpactMeasurement
from rules.impact.readings import Side
from rules.next_release import compile_content
from rules.publishing import gate
from rules.publishing.actions.failing import FAILURE, is_connection_lost, is_tried_again
from rules.publishing.actions.releases import (
    NothingToPublish,
    Shown,
    publish_release,
)
from rules.publishing.authors import authors_of
from rules.publishing.candidate import candidate
from rules.publishing.models import PlannedRelease, PlanState
from rules.publishing.named import Named, named
from rules.publishing.refusals import (
    ChangedMeanwhile,
    NoChoice,
    NothingChosen,
    PlanChanged,
    PublishedMeanwhile,
    ReleaseRefused,
)
from rules.publishing.release_notes import typed_note
from rules.publishing.selection import Key, differing, mixed
from rules.publishing.units import Pinned, changed_since, name_of_key, pinned, with_pages
from rules.releases.ledger import canonical_text, content_or_none, digest
from rules.releases.models import Release

logger = logging.getLogger(__name__)

PROGRAM = "schedule"
"""The account that ends plans at their scheduled time."""

MOST_DAYS = 400
"""How far ahead a publishing can be planned. A rule can begin later than that by itself."""

MEASURING_SECONDS = 2.0
"""How long the publisher measures without a queue, before it looks for requests again."""

MEASURING_PATIENCE = datetime.timedelta(hours=3)
"""How long a plan waits for its measurement. Then it fails, because it is not measured."""

_measuring: dict[int, int] = {}
"""The measurement for which a plan waits in this process, so that its content is not compiled each time."""


@transaction.atomic
def plan_release(
    *,
    by: User,
    note: str,
    due: datetime.datetime,
    shown: Shown,
    now: datetime.datetime,
    only: Collection[Key] | None = None,
    again: int | None = None,
) -> PlannedRelease:
    """Schedule the publishing of what was shown, all or the records `only`, in the name of the planner.

    `again` is the id of a plan that failed, which this one replaces. Raises `catalog.errors.Refused` for a
    time that has passed or is too far ahead, and for a record that is in another plan, and `ReleaseRefused`
    for the same reasons as publishing it now.
    """
    note = typed_note(note)
    _require_time(due, now)
    current = Release.objects.select_related("published_by").current()
    if current is not None and str(current) != shown.base:
        raise PublishedMeanwhile(current)
    everything = compile_content()
    before = None if current is None else content_or_none(current)
    content, records = everything, frozenset[Key]()
    if before is not None:
        records = frozenset(differing(before, everything) if only is None else only)
        content = mixed(before, everything, records)
    elif only is not None:
        raise NoChoice
    if only is not None and not only:
        raise NothingChosen
    authors = authors_of(current, content, only=None if before is None else records)
    found = candidate(None, content, authors)
    if current is not None and current.content_sha256 == found.content_sha256:
        raise NothingToPublish(current)
    if found.content_sha256 != shown.content_sha256:
        raise ChangedMeanwhile
    _require_free(records)
    held = records if before is None else with_pages(records, before, everything)
    result = gate.pass_(found, current, by=by, now=now, everything=_all_unless_same(everything, content))
    plan = PlannedRelease(
        due=due,
        base=shown.base,
        content_sha256=shown.content_sha256,
        records=msgspec.to_builtins(pinned(held, everything)),
        shown=msgspec.to_builtins(named(result)),
        authors=sorted(authors),
        note=note,
        created_at=now,
        created_by=by,
    )
    insert([plan])
    _log(plan, by=by, at=now, action=EditorAction.PLAN, due=due.isoformat(), records=plan.records)
    if again is not None:
        cancel_plan(by=by, plan_id=again, now=now)
    return plan


@transaction.atomic
def cancel_plan(*, by: User, plan_id: int, now: datetime.datetime) -> None:
    """Cancel a plan, or close one that failed. Raises `WrongState` if it is already over."""
    plan = PlannedRelease.objects.select_for_update().filter(pk=plan_id).first()
    if plan is None or plan.state not in (PlanState.PLANNED, PlanState.FAILED):
        raise WrongState("the plan", "has already ended" if plan else "does not exist")
    live = PlannedRelease.objects.filter(pk=plan.pk)
    live.update(state=PlanState.CANCELED, ended_at=now, ended_by=by)
    _log(plan, by=by, at=now, action=EditorAction.CANCEL)


def records_of(plan: PlannedRelease) -> list[Pinned]:
    """Return the changes that a plan holds."""
    return msgspec.convert(plan.records, list[Pinned])


def why_not(plan: PlannedRelease, now: Collection[Pinned], everything: Content) -> str:
    """Say why a plan could not go out as things are; "" if nothing is known. It is measured at its time.

    `now` is what its records say, from `pinned`.
    """
    if not may(plan.created_by, EditorAction.PUBLISH, Release):
        return f"{plan.created_by.get_username()} may no longer publish"
    if not plan.records:
        same = plan.content_sha256 == digest(canonical_text(everything))
        return "" if same else str(ChangedMeanwhile())
    changes = list(changed_since(records_of(plan), now))
    return str(PlanChanged(changes)) if changes else ""


def carry_out_plans(*, now: datetime.datetime) -> PlannedRelease | None:
    """Publish the first planned publishing that is due and measured, and return the plan, which is over then.

    Plan and release are written in one transaction, so a plan is carried out once. A plan that another
    process works on is skipped. If this process is killed, the next one finds the plan unchanged. An error
    ends the plan; raises it if the connection was lost, and the plan waits then (`failing`).
    """
    due = PlannedRelease.objects.filter(state=PlanState.PLANNED, due__lte=now).order_by("due", "pk")
    for plan in due.select_related("created_by"):
        if not _is_measured(plan, now):
            continue
        try:
            ended = _carry_out(plan, now)
        except Exception as error:
            if is_tried_again(plan, error):
                raise
            ended = _end(plan, PlanState.FAILED, by=program_account(PROGRAM), at=now, failure=FAILURE)
        if ended is not None:
            return ended
    return None


def _require_time(due: datetime.datetime, now: datetime.datetime) -> None:
    if due <= now:
        raise Unfit("the plan", f"{moment_words(due)} is in the past")
    if due > now + datetime.timedelta(days=MOST_DAYS):
        raise Unfit(
            "the plan",
            f"{moment_words(due)} is more than {MOST_DAYS} days ahead; a rule that begins so late can "
            "be published now, because it starts by itself",
        )


def _require_free(records: Collection[Key]) -> None:
    """Refuse records that another plan holds. Pages may be in several."""
    for plan in PlannedRelease.objects.filter(state=PlanState.PLANNED):
        for one in records_of(plan):
            if one.kind != "sources" and (one.kind, one.id) in records:
                raise AlreadyRecorded(
                    name_of_key((one.kind, one.id)),
                    f"is already planned for {moment_words(plan.due)}; leave it out or cancel that plan",
                )


def _all_unless_same(everything: Content, content: Content) -> Content | None:
    return None if content == everything else everything


def _is_measured(plan: PlannedRelease, now: datetime.datetime) -> bool:
    """Return whether the plan need not wait for a measurement, which has to be of the day of publishing.

    Workers measure; without a queue this process does, a moment at a time, so that requests have their turn.
    What cannot be measured need not be waited for: the gate says what that means.
    """
    found = None
    try:
        found = _measurement(plan, now)
        if not found.is_finished:
            keep_going(found, now=now)
            if settings.CELERY_TASK_ALWAYS_EAGER:
                work(found.pk, seconds=MEASURING_SECONDS)
                found.refresh_from_db(fields=["state"])
    except (NotMeasurable, ReleaseRefused) as reason:
        # Then it cannot be published either, or it is the first release; the plan will say which.
        logger.info("The %s is not measured: %s", plan, reason)
    except Exception as error:
        if is_connection_lost(error):
            raise
        logger.exception("The %s is not measured.", plan)
    if found is not None and not found.is_finished and found.asked_at >= now - MEASURING_PATIENCE:
        return False
    _measuring.pop(plan.pk, None)
    return True


def _measurement(plan: PlannedRelease, now: datetime.datetime) -> ImpactMeasurement:
    """Return today's measurement of what a plan would publish now, or begin it.

    While it goes on, what the plan would publish is not compiled again. Raises `NotMeasurable` or
    `ReleaseRefused`.
    """
    rows = ImpactMeasurement.objects.defer("document", "result")
    known = rows.filter(pk=_measuring.get(plan.pk, 0), day=now.astimezone(datetime.UTC).date()).first()
    if known is not None and not known.is_finished:
        return known
    if plan.records:
        base, content = _rebased(plan)
        found = measure_proposal(propose(base, content), by=plan.created_by, now=now)
    else:
        found = measure_publishing(by=plan.created_by, now=now)
    _measuring[plan.pk] = found.pk
    return found


def _rebased(plan: PlannedRelease) -> tuple[Release, Content]:
    """Return the current release, and what follows it if a plan goes out. Raises `NoChoice`."""
    current = Release.objects.current()
    before = content_or_none(current)
    if current is None or before is None:
        raise NoChoice
    return current, mixed(before, compile_content(), list(keys_of(plan)))


def keys_of(plan: PlannedRelease) -> Iterator[Key]:
    """Yield the records of a plan."""
    yield from ((one.kind, one.id) for one in records_of(plan))


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
    if not plan.records:
        # The first release: there is nothing to which changes could be added.
        return publish_release(by=by, note=plan.note, now=now, shown=Shown(plan.base, plan.content_sha256))
    planned_on = Release.objects.filter(ruleset_version=plan.base).first()
    content = content_or_none(planned_on)
    known = Side(planned_on, content) if planned_on is not None and content is not None else None
    shown = gate.Planned(records_of(plan), msgspec.convert(plan.shown, Named), known)
    try:
        return publish_release(by=by, note=plan.note, now=now, only=list(keys_of(plan)), planned=shown)
    except NothingToPublish as refused:
        raise ReleaseRefused("all of its changes are published already") from refused


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
