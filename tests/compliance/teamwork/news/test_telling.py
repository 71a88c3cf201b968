"""What people are told of: each once, by mail at most hourly, and in a feed that only its address opens."""

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone

from catalog.dates import day_words, moment_words
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import propose, return_to_author
from compliance.models import Assignment, News, Notice
from compliance.signin.groups import EDITOR, PUBLISHER, REVIEWER, VIEWER
from compliance.teamwork.news import actions
from compliance.teamwork.news.models import About
from compliance.teamwork.news.tasks import tell_people
from rules.analysis.tasks import note_owed_approvals
from rules.editing.actions import approve_rules, draft_rule, return_rules, submit_rules, withdraw_rules
from rules.models import PlannedRelease, PlanState
from tests.compliance.teamwork.conftest import RULE
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_device, a_rule, a_user

pytestmark = pytest.mark.usefixtures("fresh_desk")

HERE = f"/admin/conversation/rule/{RULE}/"


def named(name: str, *groups: str, mail: str = "") -> Visitor:
    visitor = member(*groups)
    visitor.user.username, visitor.user.email = name, mail or f"{name}@desk.example"
    visitor.user.save()
    return visitor


def mails() -> list[Notice]:
    """Return the mails about news; others say that an account was changed."""
    return list(Notice.objects.filter(subject__contains="news at the"))


def told(visitor: Visitor) -> list[str]:
    return list(News.objects.filter(person=visitor.user).order_by("pk").values_list("text", flat=True))


def test_a_mention_and_an_assignment_are_told_once(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    editor.post(f"{HERE}comment/", text="@rita and @erin: is it 100 Wh?")
    editor.post(f"{HERE}assign/", assignee=str(reviewer.user.pk), due="")

    tell_people()
    tell_people()

    assert told(reviewer) == [
        f"erin mentions you in a comment on rule {RULE}",
        f"erin assigned rule {RULE} to you",
    ]
    assert told(editor) == []
    assert f'href="{HERE}go/"' in reviewer.page("/admin/news/")


def test_authors_are_told_that_their_work_is_returned(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    waiting = propose(DEVICES, [a_device(model_id="lynx-new")], by=editor.user, subject="x", reason="New.")
    assert waiting is not None
    return_to_author(waiting.pk, by=reviewer.user, reason="A secret reason.")
    return_rules(by=reviewer.user, rule_ids=[RULE], reason="Cite the page.")
    author = a_user("author")
    author.is_staff = True
    author.save()
    author.groups.set(editor.user.groups.all())

    tell_people()

    assert told(editor) == [f"rita returned change set {waiting.pk}"]
    assert News.objects.get(person=author).text == f"rita returned rule {RULE}"


def test_what_is_returned_at_once_is_one_piece_of_news(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    names = [f"n1.many-{number}" for number in range(3)]
    for name in names:
        draft_rule(by=editor.user, rule=a_rule(rule_id=name, sources=("northwing-page",)))
    submit_rules(by=editor.user, rule_ids=names)
    return_rules(by=reviewer.user, rule_ids=names, reason="Cite the page.")

    tell_people()
    tell_people()

    assert told(editor) == ["rita returned 3 rules, among them n1.many-0"]


def test_a_second_approval_is_told_to_those_who_can_give_it(db: None) -> None:
    first, second, viewer = named("rita", REVIEWER), named("ravi", REVIEWER), named("vic", VIEWER)
    withdraw_rules(by=a_user("author"), rule_ids=["n1.two-units"], reason="No longer.")
    submit_rules(by=a_user("author"), rule_ids=["n1.two-units"])
    approve_rules(by=first.user, rule_ids=["n1.two-units"])

    note_owed_approvals()
    tell_people()

    assert told(second) == [
        "A second approval is owed, because answers become less strict: rule n1.two-units"
    ]
    assert told(first) == told(viewer) == []


def test_what_is_due_tomorrow_or_overdue_is_told_to_who_does_it(db: None) -> None:
    editor = named("erin", EDITOR)
    today = timezone.localdate()
    tomorrow = today + datetime.timedelta(days=1)
    editor.post(f"{HERE}assign/", assignee=str(editor.user.pk), due=str(tomorrow))
    tell_people()
    assert told(editor) == [f"rule {RULE} is due on {day_words(tomorrow)}"]

    Assignment.objects.update(due=today - datetime.timedelta(days=1))
    tell_people()

    assert told(editor)[1:] == [
        f"rule {RULE} is overdue since {day_words(today - datetime.timedelta(days=1))}"
    ]


def test_publishers_and_authors_are_told_that_a_plan_failed(db: None) -> None:
    publisher, editor, author = named("paula", PUBLISHER), named("erin", EDITOR), named("emil", EDITOR)
    now = timezone.now()
    plan = PlannedRelease.objects.create(
        due=now + datetime.timedelta(hours=1),
        base="",
        content_sha256="0" * 64,
        note="News.",
        authors=[author.user.pk],
        created_at=now,
        created_by=publisher.user,
    )
    PlannedRelease.objects.filter(pk=plan.pk).update(
        state=PlanState.FAILED, failure="Another person published.", ended_at=now, ended_by=publisher.user
    )

    tell_people()

    assert told(publisher) == told(author) == [f"The publishing planned for {moment_words(plan.due)} failed"]
    assert told(editor) == []


def test_one_mail_an_hour_says_all_of_it_and_quotes_nothing(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    now = timezone.now()
    for text in ("@rita SN0123456789", "@rita again"):
        editor.post(f"{HERE}comment/", text=text)
    actions.tell(now)

    assert actions.mail(now) == 1
    editor.post(f"{HERE}comment/", text="@rita a third time")
    actions.tell(now)
    assert actions.mail(now + datetime.timedelta(minutes=59)) == 0

    (mail,) = mails()
    assert mail.recipient == "rita@desk.example"
    assert mail.subject == "2 news at the editors' desk"
    assert mail.text.count(f"- erin mentions you in a comment on rule {RULE}.") == 2
    assert "SN0123456789" not in mail.text
    assert actions.mail(now + datetime.timedelta(hours=1, seconds=1)) == 1
    assert reviewer.user.pk


def test_who_wants_no_mail_of_a_kind_gets_none_and_still_reads_it(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    others = [one for one in About.values if one != About.MENTIONED]
    assert reviewer.post("/admin/news/mails/", wanted=others).status_code == 302
    editor.post(f"{HERE}comment/", text="@rita please")

    tell_people()

    assert not mails()
    assert "erin mentions you" in reviewer.page("/admin/news/")
    assert re.findall(r'value="(\w+)"[^>]* checked[ >]', reviewer.page("/admin/news/")) == others


def test_a_name_or_address_cannot_add_a_header_to_a_mail(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    editor.user.username = "x\r\nBcc: all@evil.example"
    editor.user.save()
    editor.post(f"{HERE}comment/", text="@rita\r\nSubject: other")

    tell_people()

    (mail,) = mails()
    assert mail.recipient == reviewer.user.email
    assert "\n" not in mail.subject + News.objects.get().text


def feed_of(visitor: Visitor) -> str:
    found = re.search(r'href="https?://[^"/]+(/admin/news/\w+\.atom)"', visitor.page("/admin/news/"))
    return found[1] if found else ""


def test_a_feed_needs_its_address_and_nothing_else(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    assert feed_of(reviewer) == ""
    assert reviewer.post("/admin/news/feed/").status_code == 302
    address = feed_of(reviewer)
    editor.post(f"{HERE}comment/", text="@rita SN0123456789")
    tell_people()

    answer = Client().get(address)

    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies
    body = answer.content.decode()
    assert f"erin mentions you in a comment on rule {RULE}" in body
    assert "SN0123456789" not in body
    assert address.rpartition("/")[2] not in body


def test_an_address_that_was_renewed_or_guessed_or_whose_person_left_finds_nothing(db: None) -> None:
    reviewer = named("rita", REVIEWER)
    reviewer.post("/admin/news/feed/")
    first = feed_of(reviewer)
    reviewer.post("/admin/news/feed/")
    second = feed_of(reviewer)

    assert first != second
    for guess in (first, "/admin/news/1.atom", "/admin/news/" + "a" * 32 + ".atom", "/admin/news/é.atom"):
        assert Client().get(guess).status_code == 404
    assert Client().post(second).status_code == 405
    assert Client().get(second).status_code == 200
    reviewer.user.is_active = False
    reviewer.user.save()
    assert Client().get(second).status_code == 404


def test_a_feed_can_be_ended(db: None) -> None:
    reviewer = named("rita", REVIEWER)
    reviewer.post("/admin/news/feed/")
    address = feed_of(reviewer)

    reviewer.post("/admin/news/feed/", end="1")

    assert Client().get(address).status_code == 404
    assert feed_of(reviewer) == ""


def test_who_lost_the_right_to_see_a_record_reads_nothing_of_it(db: None) -> None:
    editor, reviewer = named("erin", EDITOR), named("rita", REVIEWER)
    reviewer.post("/admin/news/feed/")
    address = feed_of(reviewer)
    editor.post(f"{HERE}comment/", text="@rita please")
    tell_people()

    reviewer.user.groups.clear()

    assert RULE not in Client().get(address).content.decode()
    assert RULE not in reviewer.page("/admin/news/")


def test_old_news_is_deleted(db: None) -> None:
    editor = named("erin", EDITOR)
    now = timezone.now()
    News.objects.create(
        person=editor.user, cause="x", about=About.DUE, kind="rule", subject=RULE, text="x", made=now
    )

    assert actions.forget(now + datetime.timedelta(days=89)) == 0
    assert actions.forget(now + datetime.timedelta(days=91)) == 1
