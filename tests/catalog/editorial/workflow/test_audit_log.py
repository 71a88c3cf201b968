"""The audit log tells who did what to which record, when and why."""

import datetime

import pytest
from django.contrib.auth.models import User

from catalog.editorial.selectors import audit_log
from catalog.errors import OwnWork
from catalog.models import AuditEntry
from rules.analysis.actions import accept_findings, reopen_finding
from rules.analysis.checks import Acceptance
from rules.publishing.actions.releases import NothingToPublish, publish_release
from tests.support.releasing import NOON
from tests.support.revision_kinds import Kind, both_kinds
from tests.support.second_approvals import approve_all_again
from tests.support.world import APPROVER

HOUR = datetime.timedelta(hours=1)


pytestmark = pytest.mark.usefixtures("world_rows")


def logged(kind: str, subject: str) -> list[tuple[str, int | None, str, str]]:
    return [
        (entry.verb, entry.revision, entry.done_by.username, entry.reason)
        for entry in audit_log(kind, subject)
    ]


@both_kinds
def test_the_whole_story_of_a_record_stands_in_order(
    kind: Kind, name: str, editor: User, reviewer: User
) -> None:
    publish_release(by=reviewer, note="The first.", now=NOON, cases=())
    kind.revise(name, by=editor, reason="The page has changed.")
    kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    kind.give_back(name, by=reviewer, reason=" The date is missing. ")
    kind.discard(name, by=editor, reason="No news.")
    kind.withdraw(name, by=editor, reason="It is over.")
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    kind.take_back(name, by=reviewer, reason="It goes on.")
    kind.withdraw(name, by=editor, reason="It is over indeed.")
    kind.submit(name, by=editor)
    kind.approve(name, by=reviewer)
    approve_all_again()
    publish_release(by=reviewer, note="The second.", now=NOON + HOUR, cases=())

    assert logged(kind.name, name) == [
        ("draft", 1, "editor", ""),
        ("submit", 1, "editor", ""),
        ("approve", 1, APPROVER, ""),
        ("publish", 1, APPROVER, ""),
        ("revise", 2, "editor", "The page has changed."),
        ("change", 2, "editor", ""),
        ("submit", 2, "editor", ""),
        ("return", 2, APPROVER, "The date is missing."),
        ("discard", 2, "editor", "No news."),
        ("withdraw", 2, "editor", "It is over."),
        ("submit", 2, "editor", ""),
        ("approve", 2, APPROVER, ""),
        ("take_back", 2, APPROVER, "It goes on."),
        ("withdraw", 3, "editor", "It is over indeed."),
        ("submit", 3, "editor", ""),
        ("approve", 3, APPROVER, ""),
        ("approve_again", 3, "second-approver", ""),
        ("end", 1, APPROVER, ""),
        ("publish", 3, APPROVER, ""),
    ]
    last = audit_log(kind.name, name).last()
    assert last is not None
    assert (last.details, last.done_at) == ({"release": "2026-11-20.2"}, NOON + HOUR)


def test_a_release_is_told_with_its_note(editor: User, reviewer: User) -> None:
    publish_release(by=reviewer, note="The first.", now=NOON, cases=())
    assert logged("release", "2026-11-20") == [("publish", None, APPROVER, "The first.")]


@both_kinds
def test_what_was_refused_leaves_no_entry(kind: Kind, name: str, editor: User, reviewer: User) -> None:
    publish_release(by=reviewer, note="The first.", now=NOON, cases=())
    kind.revise(name, by=editor, reason="News.")
    kind.rewrite(name, "Something else.", by=editor)
    kind.submit(name, by=editor)
    count = AuditEntry.objects.count()
    with pytest.raises(OwnWork):
        kind.approve(name, by=editor)
    with pytest.raises(NothingToPublish):
        publish_release(by=reviewer, note="Again.", now=NOON, cases=())
    assert AuditEntry.objects.count() == count


def test_findings_are_accepted_and_taken_up_again_in_the_log(editor: User, reviewer: User) -> None:
    accept_findings(by=reviewer, acceptances=[Acceptance(key="gap:N1", reason="Known.")])
    reopen_finding(by=editor, key="gap:N1")
    assert logged("finding", "gap:N1") == [
        ("accept", None, APPROVER, "Known."),
        ("reopen", None, "editor", ""),
    ]
