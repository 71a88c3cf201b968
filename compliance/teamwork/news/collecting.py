"""What there is to tell, to whom: read from comments, assignments, the audit log, notes and plans.

Each thing has a cause, so it is told once however often it is collected. What is older than a while is not
told any more. Texts name records and people; what people wrote stays at the desk.
"""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.dates import day_words, moment_words
from catalog.editorial.audit.models import AuditEntry
from catalog.editorial.owed.models import MeasuredRevision
from catalog.editorial.pending.models import ChangeSet
from catalog.editorial.permissions import may
from catalog.editorial.selectors import owes_approval_of
from catalog.editorial.workflow import EditorAction
from compliance.teamwork import topics
from compliance.teamwork.conversation.models import Assignment, Comment
from compliance.teamwork.news.models import About
from compliance.teamwork.topics import REVIEWED
from rules.impact.second_approvals import REVISED
from rules.models import PlannedRelease, PlanState, Release

WINDOW = datetime.timedelta(days=2)
"""How long something is still told after it happened: the job may have been away."""

CHANGE_SET = "change set"
"""What the audit log calls a change set."""

PLAN = "plan"
"""What the audit log calls a planned publishing."""


class Told(NamedTuple):
    """One thing to tell a person."""

    person: int
    cause: str
    about: About
    kind: str
    subject: str
    text: str


class _People:
    """The people of the desk, read once: their names, and which of them may do something."""

    def __init__(self) -> None:
        self.desk = {user.pk: user for user in User.objects.filter(is_active=True, is_staff=True)}

    def seeing(self, people: Collection[int], kind: str) -> list[User]:
        """Return those of some people who may see topics of a kind."""
        return [self.desk[one] for one in people if one in self.desk and topics.sees(self.desk[one], kind)]

    def who_may(self, action: EditorAction, model: Any) -> list[User]:
        """Return the people who may do something to records of a model."""
        return [user for user in self.desk.values() if may(user, action, model)]


def collect(now: datetime.datetime) -> Iterator[Told]:
    """Yield all that there is to tell."""
    people, since = _People(), now - WINDOW
    yield from _mentions(people, since)
    yield from _assignments(people, since, timezone.localdate(now))
    yield from _returns(people, since)
    yield from _owed(people, since)
    yield from _failed_plans(people, since)


def _mentions(people: _People, since: datetime.datetime) -> Iterator[Told]:
    said = Comment.objects.filter(created_at__gt=since, removed_at=None).exclude(mentions=[])
    for one in said.select_related("created_by"):
        for user in people.seeing([pk for pk in one.mentions if pk != one.created_by_id], one.kind):
            text = f"{one.created_by} mentions you in a comment on {named(one.kind, one.subject)}"
            yield Told(user.pk, f"comment {one.pk}", About.MENTIONED, one.kind, one.subject, text)


def _assignments(people: _People, since: datetime.datetime, today: datetime.date) -> Iterator[Told]:
    tomorrow = today + datetime.timedelta(days=1)
    for one in Assignment.objects.select_related("created_by"):
        if not people.seeing([one.assignee_id], one.kind):
            continue
        name = named(one.kind, one.subject)
        until = f", due on {day_words(one.due)}" if one.due else ""
        if one.created_at > since and one.created_by_id != one.assignee_id:
            text = f"{one.created_by} assigned {name} to you{until}"
            yield Told(one.assignee_id, f"assigned {one.pk}", About.ASSIGNED, one.kind, one.subject, text)
        if one.due is not None and today <= one.due <= tomorrow:
            text = f"{name} is due on {day_words(one.due)}"
            yield Told(one.assignee_id, f"due {one.pk}", About.DUE, one.kind, one.subject, text)
        if one.due is not None and one.due < today:
            text = f"{name} is overdue since {day_words(one.due)}"
            yield Told(one.assignee_id, f"overdue {one.pk}", About.DUE, one.kind, one.subject, text)


def _returns(people: _People, since: datetime.datetime) -> Iterator[Told]:
    """Yield returns. What one person returned at once is one piece of news for each author."""
    found = AuditEntry.objects.filter(
        done_at__gt=since, verb=EditorAction.RETURN, kind__in=[*REVIEWED, CHANGE_SET]
    ).select_related("done_by")
    by_kind = defaultdict[str, list[AuditEntry]](list)
    for entry in found.order_by("pk"):
        by_kind[entry.kind].append(entry)
    for kind, entries in by_kind.items():
        topic = "changeset" if kind == CHANGE_SET else kind
        authors = _authors(REVIEWED.get(kind), entries)
        at_once = defaultdict[tuple[int, User, datetime.datetime], list[AuditEntry]](list)
        for entry in entries:
            for person in authors.get((entry.subject, entry.revision), set()) - {entry.done_by_id}:
                at_once[person, entry.done_by, entry.done_at].append(entry)
        for (person, by, _), returned in at_once.items():
            first = returned[0]
            text = f"{by} returned {counted(topic, [entry.subject for entry in returned])}"
            for user in people.seeing([person], topic):
                yield Told(user.pk, f"returned {first.pk}", About.RETURNED, topic, first.subject, text)


def _authors(model: Any, entries: Collection[AuditEntry]) -> dict[tuple[str, int | None], set[int]]:
    """Return who wrote each revision or change set that some entries are about."""
    if model is None:
        numbers = [entry.subject for entry in entries]
        rows = ChangeSet.objects.filter(pk__in=numbers).values_list("pk", "authors")
        return {(str(pk), None): set(authors) for pk, authors in rows}
    named = {f"{model.id_field}__in": [entry.subject for entry in entries]}
    revisions = model._default_manager.filter(**named).values_list(model.id_field, "revision", "authors")
    return {(name, revision): set(authors) for name, revision, authors in revisions}


def named(kind: str, subject: str) -> str:
    """Return the name of a record in a sentence."""
    return f"{topics.KINDS[kind].title.lower()} {subject}"


def counted(kind: str, subjects: Sequence[str]) -> str:
    """Return one record by its name, or how many there are."""
    if len(subjects) == 1:
        return named(kind, subjects[0])
    return f"{len(subjects)} {topics.KINDS[kind].title.lower()}s, among them {subjects[0]}"


def _owed(people: _People, since: datetime.datetime) -> Iterator[Told]:
    """Yield owed approvals. What was measured together is one piece of news for each who can give them."""
    for model in REVISED.values():
        kind = str(model._meta.model_name)
        notes = MeasuredRevision.objects.filter(kind=kind, less_strict=True, noted__gt=since)
        noted = dict(notes.values_list("row", "noted"))
        for user in people.who_may(EditorAction.APPROVE_AGAIN, model) if noted else []:
            owed: Any = model._default_manager.filter(owes_approval_of(user, model), pk__in=noted)
            together = defaultdict[datetime.datetime, list[str]](list)
            for pk, name in owed.order_by("pk").values_list("pk", model.id_field):
                together[noted[pk]].append(name)
            for at, names in together.items():
                cause, text = f"owed {kind} {at.isoformat()}", owed_text(kind, names)
                yield Told(user.pk, cause, About.OWED, kind, names[0], text)


def owed_text(kind: str, names: Sequence[str]) -> str:
    """Return the sentence that second approvals are owed."""
    return f"A second approval is owed, because answers become less strict: {counted(kind, names)}"


def _failed_plans(people: _People, since: datetime.datetime) -> Iterator[Told]:
    """Yield plans that could not go, to their planner, the authors of their changes, and who publishes."""
    publishers: set[int] = set()
    for plan in PlannedRelease.objects.filter(state=PlanState.FAILED, ended_at__gt=since):
        publishers = publishers or {user.pk for user in people.who_may(EditorAction.PUBLISH, Release)}
        concerned = {plan.created_by_id, *plan.authors, *publishers}
        for user in (people.desk[pk] for pk in sorted(concerned & people.desk.keys())):
            text = failure_of(plan)
            yield Told(user.pk, f"plan {plan.pk}", About.PLAN_FAILED, PLAN, str(plan.pk), text)


def failure_of(plan: PlannedRelease) -> str:
    """Return the sentence that a planned publishing failed."""
    return f"The publishing planned for {moment_words(plan.due)} failed"
