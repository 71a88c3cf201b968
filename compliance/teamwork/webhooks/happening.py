"""What happened at the desk that a team may want to hear: read from the audit log, comments, notes and plans.

Each thing has a cause, so it is told once however often it is collected. What one person did at once is one
thing. Texts name records and people; what people wrote stays at the desk.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.owed.models import MeasuredRevision
from catalog.editorial.workflow import EditorAction, State
from compliance.partners.models import Event
from compliance.teamwork.conversation.models import Comment
from compliance.teamwork.news.collecting import CHANGE_SET, PLAN, counted, failure_of, named, owed_text
from compliance.teamwork.topics import REVIEWED
from rules.impact.second_approvals import REVISED
from rules.models import PlannedRelease, PlanState

STEPS: dict[str, tuple[Event, str]] = {
    EditorAction.SUBMIT: ("desk.submitted", "{by} submitted {what} for review"),
    EditorAction.APPROVE: ("desk.approved", "{by} approved {what}"),
    EditorAction.APPROVE_AGAIN: ("desk.approved", "{by} gave the second approval of {what}"),
    EditorAction.RETURN: ("desk.returned", "{by} returned {what}"),
}
"""The steps of the workflow that are told: the event, and its sentence."""


class Happening(NamedTuple):
    """One thing that happened, at an instant, to a record that `kind` and `subject` name."""

    event: Event
    cause: str
    at: datetime.datetime
    kind: str
    subject: str
    text: str


def collect(since: datetime.datetime) -> Iterator[Happening]:
    """Yield all that happened after an instant."""
    yield from _steps(since)
    yield from _mentions(since)
    yield from _owed(since)
    yield from _failed_plans(since)


def _steps(since: datetime.datetime) -> Iterator[Happening]:
    """Yield steps of the workflow. What one person did at once to records of a kind is one happening."""
    found = AuditEntry.objects.filter(done_at__gt=since, verb__in=STEPS, kind__in=[*REVIEWED, CHANGE_SET])
    at_once = defaultdict[tuple[str, str, User, datetime.datetime], list[AuditEntry]](list)
    for entry in found.select_related("done_by").order_by("pk"):
        at_once[entry.verb, entry.kind, entry.done_by, entry.done_at].append(entry)
    for (verb, kind, by, at), entries in at_once.items():
        event, sentence = STEPS[verb]
        topic, subjects = "changeset" if kind == CHANGE_SET else kind, [entry.subject for entry in entries]
        text = sentence.format(by=by, what=counted(topic, subjects))
        yield Happening(event, f"step {entries[0].pk}", at, topic, subjects[0], text)


def _mentions(since: datetime.datetime) -> Iterator[Happening]:
    said = Comment.objects.filter(created_at__gt=since, removed_at=None).exclude(mentions=[])
    comments = list(said.select_related("created_by"))
    people = User.objects.in_bulk({person for one in comments for person in one.mentions})
    for one in comments:
        names = ", ".join(str(people[person]) for person in one.mentions if person in people)
        text = f"{one.created_by} mentions {names} in a comment on {named(one.kind, one.subject)}"
        yield Happening("desk.mentioned", f"comment {one.pk}", one.created_at, one.kind, one.subject, text)


def _owed(since: datetime.datetime) -> Iterator[Happening]:
    """Yield second approvals that are owed. What was measured together is one happening."""
    for model in REVISED.values():
        kind = str(model._meta.model_name)
        notes = MeasuredRevision.objects.filter(kind=kind, less_strict=True, noted__gt=since)
        noted = dict(notes.values_list("row", "noted"))
        rows: Any = model._default_manager.filter(
            pk__in=noted, state=State.APPROVED, second_approved_at__isnull=True
        )
        together = defaultdict[datetime.datetime, list[str]](list)
        for pk, name in rows.order_by("pk").values_list("pk", model.id_field):
            together[noted[pk]].append(name)
        for at, names in together.items():
            cause, text = f"owed {kind} {at.isoformat()}", owed_text(kind, names)
            yield Happening("desk.approval_owed", cause, at, kind, names[0], text)


def _failed_plans(since: datetime.datetime) -> Iterator[Happening]:
    for plan in PlannedRelease.objects.filter(state=PlanState.FAILED, ended_at__gt=since):
        at = plan.ended_at or plan.due
        yield Happening("desk.plan_failed", f"plan {plan.pk}", at, PLAN, str(plan.pk), failure_of(plan))
