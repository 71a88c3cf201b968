"""Comments on records, and who does them: kept as written, seen by who may, and in the audit log."""

import datetime
import re

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.utils import timezone

from catalog.editorial.audit.models import AuditEntry
from compliance.models import Assignment, Comment
from compliance.signin.groups import EDITOR, PARTNER_MANAGER, PUBLISHER, REVIEWER, VIEWER
from compliance.teamwork import topics
from compliance.teamwork.conversation.actions import assign, end_finished
from compliance.teamwork.conversation.mentions import names_in
from rules.analysis import report
from rules.case_editing.actions import draft_case
from rules.cases import Case, Expect, Given
from rules.editing.actions import return_rules, submit_rules
from rules.models import Rule
from tests.compliance.teamwork.conftest import RULE
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_user
from tests.support.watched_pages import ONE, a_page, a_signal

pytestmark = pytest.mark.usefixtures("fresh_desk")

HERE = f"/admin/conversation/rule/{RULE}/"


def named(name: str, *groups: str) -> Visitor:
    visitor = member(*groups)
    visitor.user.username = name
    visitor.user.save()
    return visitor


def say(visitor: Visitor, text: str, where: str = HERE) -> int:
    return visitor.post(f"{where}comment/", text=text).status_code


def test_a_comment_stands_where_its_record_is_and_names_its_author(db: None) -> None:
    editor, viewer = named("erin", EDITOR), member(VIEWER)

    assert say(editor, "Does the page say “one unit”?\nIt says two.") == 302

    page = viewer.page(HERE)
    assert "Does the page say “one unit”?\nIt says two." in page
    assert "<strong>erin</strong>" in page
    # The page of the rule loads it, or leads there without scripts.
    rule = viewer.page(f"/admin/rules/rule/{Rule.objects.get(rule_id=RULE).pk}/change/")
    assert f'hx-get="{HERE}"' in rule
    assert f'href="{HERE}"' in rule


def test_the_part_of_a_page_has_no_page_around_it(db: None) -> None:
    editor = member(EDITOR)
    part = editor.client.get(HERE, headers={"HX-Request": "true"}).content.decode()
    assert "No one has said anything." in part
    assert "<html" not in part


def test_a_comment_is_text_and_never_markup(db: None) -> None:
    editor = member(EDITOR)
    say(editor, "<script>alert(1)</script> **bold** https://evil.example/")

    page = editor.page(HERE)

    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold** https://evil.example/" in page


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "This field is required."),
        ("\u2800", "Write something."),
        ("x" * 2_001, "has 2,001 characters, and 2,000 are the most"),
        ("a\x07b", "has a control character"),
        (" ".join(f"@person{number}" for number in range(11)), "mentions 11 people, and 10 are the most"),
    ],
)
def test_what_is_refused_says_why_and_what_was_typed_stays(db: None, text: str, why: str) -> None:
    answer = member(EDITOR).post(f"{HERE}comment/", text=text)

    assert answer.status_code == 400
    assert why in answer.content.decode()
    assert text[:1_000].strip() in answer.content.decode()
    assert not Comment.objects.exists()


def test_only_its_author_removes_a_comment_and_who_did_it_stays(db: None) -> None:
    editor, other = named("erin", EDITOR), named("emil", EDITOR)
    say(editor, "A serial number that does not belong here.")
    comment = Comment.objects.get()
    address = f"/admin/comments/{comment.pk}/remove/"

    assert other.post(address).status_code == 403
    assert editor.post(address).status_code == 302

    page = other.page(HERE)
    assert "Removed by erin" in page
    assert "does not belong here" not in page
    comment.refresh_from_db()
    assert comment.text == ""
    assert editor.post(address).status_code == 403


def test_the_database_keeps_a_comment_as_it_was_written(db: None) -> None:
    say(member(EDITOR), "As it was.")
    rows = Comment.objects.all()
    for change in (
        lambda: rows.update(text="Otherwise."),
        lambda: rows.update(created_by=a_user("another")),
        lambda: rows.update(text=""),
        lambda: rows.delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    with pytest.raises(ValidationError, match="at most 2,000 characters"):
        Comment(kind="rule", subject=RULE, text="x" * 2_001).validate_constraints()


def test_every_step_is_in_the_audit_log_without_the_words(db: None) -> None:
    editor = named("erin", EDITOR)
    say(editor, "Secret words.")
    editor.post(f"{HERE}assign/", assignee=str(editor.user.pk), due="")
    editor.post(f"/admin/comments/{Comment.objects.get().pk}/remove/")

    entries = AuditEntry.objects.filter(kind="conversation").order_by("pk")

    assert [entry.verb for entry in entries] == ["comment", "assign", "remove"]
    assert {entry.subject for entry in entries} == {f"rule {RULE}"}
    assert {entry.done_by.username for entry in entries} == {"erin"}
    assert "Secret" not in repr([(entry.reason, entry.details) for entry in entries])


def test_who_may_not_see_a_record_reads_and_says_nothing_about_it(db: None) -> None:
    say(member(EDITOR), "Among editors.")
    for visitor in (member(PARTNER_MANAGER), member()):
        assert visitor.get(HERE).status_code == 403
        assert say(visitor, "Hello.") == 403
    viewer = member(VIEWER)
    assert say(viewer, "Hello.") == 403
    assert 'name="text"' not in viewer.page(HERE)
    assert Comment.objects.count() == 1


def test_a_record_that_is_not_there_has_no_conversation(db: None) -> None:
    editor = member(EDITOR)
    for where in ("rule/nothing", "signal/99999999", "changeset/x", "finding/0000", "user/1", "release/1"):
        assert editor.get(f"/admin/conversation/{where}/").status_code == 404
        assert say(editor, "Hello.", f"/admin/conversation/{where}/") == 404


def test_mentions_are_of_accounts_of_the_desk_that_may_see_it(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    named("mona", PARTNER_MANAGER)
    outside = a_user("customer")
    outside.is_staff = False
    outside.save()

    address = f"{HERE}comment/"
    answer = editor.client.post(
        address,
        {
            "text": "@rita look. @mona, @customer and @schedule, mail x@rita",
            "csrfmiddlewaretoken": editor.token(),
        },
        follow=True,
    )

    page = answer.content.decode()
    assert "rita will be told" in page
    assert "they may not see this: mona" in page
    assert "no account of this name: customer, schedule" in page
    assert Comment.objects.get().mentions == [reviewer.user.pk]


def test_names_are_read_out_of_a_sentence() -> None:
    assert names_in("@erin, (@rita) and @o.brien.") == ["erin", "rita", "o.brien"]
    assert names_in("mail a@b.example or @@x; 100 @ 20") == []
    assert len(names_in("@a " * 10_000)) == 1


def test_an_assignment_names_a_person_and_a_day_and_ends_with_the_work(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    day = timezone.localdate() + datetime.timedelta(days=3)

    assert editor.post(f"{HERE}assign/", assignee=str(reviewer.user.pk), due=str(day)).status_code == 302

    page = editor.page(HERE)
    assert "Assigned to <strong>rita</strong> by erin" in page
    assert str(day) in page
    assert end_finished() == 0
    # Returned work is still to be done.
    return_rules(by=reviewer.user, rule_ids=[RULE], reason="Cite the page.")
    assert end_finished() == 0
    submit_rules(by=a_user("author"), rule_ids=[RULE])
    Assignment.objects.update(subject="n1.discarded")
    assert end_finished() == 1


@pytest.mark.parametrize("group", [VIEWER, PARTNER_MANAGER])
def test_no_one_is_assigned_who_may_not_do_it(db: None, group: str) -> None:
    editor, idle = named("erin", EDITOR), named("idle", group)

    answer = editor.post(f"{HERE}assign/", assignee=str(idle.user.pk), due="")

    assert answer.status_code == 400
    assert not Assignment.objects.exists()
    topic = topics.topic("rule", RULE)
    assert topic is not None
    with pytest.raises(ValueError, match="may not do anything here"):
        assign(by=editor.user, topic=topic, to=idle.user, due=None, now=timezone.now())


def test_who_was_assigned_is_replaced_and_taken_away(db: None) -> None:
    editor, publisher = named("erin", EDITOR), named("paula", PUBLISHER)
    for person in (editor, publisher):
        editor.post(f"{HERE}assign/", assignee=str(person.user.pk), due="")
    assert Assignment.objects.get().assignee == publisher.user
    past = timezone.localdate() - datetime.timedelta(days=1)
    answer = editor.post(f"{HERE}assign/", assignee=str(editor.user.pk), due=str(past))
    assert "is in the past" in answer.content.decode()

    editor.post(f"{HERE}assign/", assignee="", due="")

    assert "No one is assigned." in editor.page(HERE)
    details = AuditEntry.objects.filter(kind="conversation").values_list("details__to", flat=True)
    assert list(details.order_by("pk")) == ["erin", "paula", None]
    viewer = member(VIEWER)
    assert viewer.post(f"{HERE}assign/", assignee=str(editor.user.pk), due="").status_code == 403


def test_signals_have_conversations_too(db: None) -> None:
    editor = member(EDITOR)
    signal = a_signal(a_page(says=ONE))
    where = f"/admin/conversation/signal/{signal.pk}/"

    assert say(editor, "I read it.", where) == 302

    assert "I read it." in editor.page(where)
    assert f'hx-get="{where}"' in editor.page(f"/admin/rules/watchsignal/{signal.pk}/change/")
    assert editor.get(f"{where}go/").headers["Location"].endswith(f"/watchsignal/{signal.pk}/change/")


def test_a_verdict_case_is_talked_about_under_its_sentence(db: None) -> None:
    editor = member(EDITOR)
    name = "100 Wh and/or 160 Wh: is it 50 % allowed? @home"
    given = Given(on=timezone.localdate(), model_id="lynx-27k", route=("XA", "XB"), airline="N1")
    case = Case(file="northwing.yaml", name=name, given=given, expect=Expect(verdict="allowed"))
    draft_case(by=editor.user, case=case)
    topic = topics.topic("verdictcase", name)
    assert topic is not None

    assert say(editor, "Which page says so?", topic.conversation) == 302

    assert "Which page says so?" in editor.page(topic.conversation)
    assert f'hx-get="{topic.conversation}"' in editor.page(topic.address)


def test_a_finding_says_in_its_list_what_was_said_about_it(db: None) -> None:
    editor = member(EDITOR)
    report.refresh(timezone.now())
    names = re.findall(r'<li id="finding-(\w+)">', editor.page("/admin/findings/?state=all"))
    assert names
    where = f"/admin/conversation/finding/{names[0]}/"

    assert say(editor, "I am looking for a page.", where) == 302
    editor.post(f"{where}assign/", assignee=str(editor.user.pk), due="")

    assert f"1 comment, assigned to {editor.user}" in editor.page("/admin/findings/?state=all")
