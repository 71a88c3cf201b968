"""The actions of conversations: say something, remove a comment, assign a topic, end an assignment."""

import datetime
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.editorial.audit.actions import log
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, OwnWork, ReasonMissing, Unfit, WrongState
from catalog.free_text import is_visible, reason_fault
from catalog.tables.actions.inserting import insert
from compliance.teamwork import topics
from compliance.teamwork.conversation.mentions import MOST, Mentioned, mentioned, names_in
from compliance.teamwork.conversation.models import MOST_OF_A_COMMENT, Assignment, Comment
from compliance.teamwork.topics import Topic

KIND = "conversation"
"""What the audit log calls it; its subject is the kind and the key of the topic."""

LATEST = datetime.timedelta(days=5 * 366)
"""How far ahead a due date may be."""


@transaction.atomic
def comment(*, by: User, topic: Topic, text: str, now: datetime.datetime) -> Mentioned:
    """Add a comment, and return whom it mentions.

    Raises `ReasonMissing` if no one sees anything of it, `Unfit` if it is too long, has control characters or
    mentions too many people.
    """
    text = text.strip().replace("\r\n", "\n")
    if not is_visible(text):
        raise ReasonMissing(topic.key, "write something")
    if fault := reason_fault(text, most=MOST_OF_A_COMMENT):
        raise Unfit(topic.key, f"the comment {fault}")
    names = names_in(text)
    if len(names) > MOST:
        raise Unfit(topic.key, f"the comment mentions {len(names)} people, and {MOST} are the most")
    meant = mentioned(topic.kind, names)
    insert(
        [
            Comment(
                kind=topic.kind,
                subject=topic.key,
                text=text,
                mentions=sorted(user.pk for user in meant.people),
                created_at=now,
                created_by=by,
            )
        ]
    )
    _log(EditorAction.COMMENT, topic.kind, topic.key, by=by, at=now)
    return meant


@transaction.atomic
def remove_comment(*, by: User, comment_id: int, may_remove_all: bool, now: datetime.datetime) -> Comment:
    """Remove a comment: its words go, and who removed it stays.

    Raises `NotRecorded`, `WrongState` if it is removed already, and `OwnWork` if another person wrote it, and
    `by` may remove only their own.
    """
    found = Comment.objects.select_for_update().filter(pk=comment_id).first()
    if found is None:
        raise NotRecorded(str(comment_id), "there is no such comment")
    if found.removed_at is not None:
        raise WrongState(str(comment_id), "this comment was removed already")
    if found.created_by_id != by.pk and not may_remove_all:
        raise OwnWork(str(comment_id), "another person wrote this comment")
    found.text, found.removed_at, found.removed_by = "", now, by
    found.save(update_fields=["text", "removed_at", "removed_by"])
    _log(EditorAction.REMOVE, found.kind, found.subject, by=by, at=now, comment=found.pk)
    return found


@transaction.atomic
def assign(
    *, by: User, topic: Topic, to: User | None, due: datetime.date | None, now: datetime.datetime
) -> None:
    """Assign a topic to a person until a day, or to no one. An assignment before is replaced.

    Raises `Unfit` if the person may do nothing to it, or for a day that has passed or is too far ahead.
    """
    before = Assignment.objects.select_for_update().filter(kind=topic.kind, subject=topic.key).first()
    same = before is not None and to is not None and (before.assignee_id, before.due) == (to.pk, due)
    if same or (before is None and to is None):
        return
    if to is not None:
        _require_fit(topic, to, due, before, now)
    Assignment.objects.filter(kind=topic.kind, subject=topic.key).delete()
    if to is not None:
        insert(
            [
                Assignment(
                    kind=topic.kind,
                    subject=topic.key,
                    name=topic.name[:300],
                    assignee=to,
                    due=due,
                    ends_with_work=topic.is_open,
                    created_at=now,
                    created_by=by,
                )
            ],
            owner="subject",
        )
    said = {"to": to.get_username() if to else None, "due": due.isoformat() if due and to else None}
    _log(EditorAction.ASSIGN, topic.kind, topic.key, by=by, at=now, **said)


def end_finished() -> int:
    """End the assignments of topics on which nothing is to be done any more, and return how many."""
    over: list[int] = []
    by_kind: dict[str, list[Assignment]] = {}
    for one in Assignment.objects.filter(ends_with_work=True):
        by_kind.setdefault(one.kind, []).append(one)
    for kind, assigned in by_kind.items():
        found = topics.topics(kind, [one.subject for one in assigned])
        over += [one.pk for one in assigned if _is_over(kind, found.get(one.subject))]
    return Assignment.objects.filter(pk__in=over).delete()[0]


def _is_over(kind: str, found: Topic | None) -> bool:
    # A finding is missing while the rows are being analyzed, and the others once their draft is discarded.
    return kind != "finding" if found is None else not found.is_open


def _require_fit(
    topic: Topic, to: User, due: datetime.date | None, before: Assignment | None, now: datetime.datetime
) -> None:
    if not (to.is_active and to.is_staff and topics.acts_on(to, topic.kind)):
        raise Unfit(topic.key, f"{to.get_username()} may not do anything here, so choose another person")
    today = timezone.localdate(now)
    if due is None or (before is not None and before.due == due):
        return
    if due < today:
        raise Unfit(topic.key, "`due` is in the past")
    if due > today + LATEST:
        raise Unfit(topic.key, "`due` is more than five years ahead")


def _log(
    action: EditorAction, kind: str, key: str, *, by: User, at: datetime.datetime, **details: Any
) -> None:
    subjects: Sequence[tuple[str, None]] = [(f"{kind} {key}"[:300], None)]
    log(by=by, at=at, action=action, kind=KIND, subjects=subjects, details=details)
