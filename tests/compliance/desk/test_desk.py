"""The editor desk: what waits for whom, and that each number leads to exactly those rows."""

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple
from unittest import mock

import pytest
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from kombu.exceptions import OperationalError
from msgspec.structs import replace

from catalog.airlines.actions import change_airline
from catalog.devices.bulk import DEVICES
from catalog.editorial.audit.actions import log
from catalog.editorial.pending.actions import propose
from catalog.editorial.workflow import EditorAction
from catalog.records import PolicyChange
from catalog.sources.actions import change_source
from compliance.celery import app
from compliance.models import Assignment
from compliance.partners.actions.keys import issue_key
from compliance.partners.actions.partners import record_partner
from compliance.signin.groups import AUDITOR, EDITOR, PARTNER_MANAGER, PUBLISHER, REVIEWER, VIEWER
from rules.analysis.report import KEY
from rules.analysis.tasks import ASKED_KEY, note_owed_approvals
from rules.case_editing.actions import approve_cases, draft_case, submit_cases
from rules.cases import load_cases
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    return_rules,
    revise_rules,
    submit_rules,
)
from rules.engine.facts import Rule as RuleRecord
from rules.engine.facts import When
from rules.models import Rule
from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_device, a_rule, a_user
from tests.support.partners import AGREEMENT
from tests.support.world import AIRLINES, SOURCES

pytestmark = pytest.mark.usefixtures("fresh_desk")


LINE = re.compile(
    r'<(?:a class="desk-line" href="([^"]+)"|span class="desk-line")>\s*'
    r'<span>([^<]+)</span> <span class="desk-count desk-\w+">(\d+)</span>'
)


class Line(NamedTuple):
    """A line of the desk."""

    number: int
    link: str


@pytest.fixture(autouse=True)
def _analyzed_in_process() -> Iterator[None]:
    """The rows are looked at by the time that a page is there, as where no worker runs."""
    cache.clear()
    before, app.conf.task_always_eager = app.conf.task_always_eager, True
    yield
    app.conf.task_always_eager = before
    cache.clear()


@pytest.fixture
def world(published_rows: None, db: None) -> User:
    """Who wrote the drawn world, which is published."""
    return a_user()


def member(*groups: str) -> Visitor:
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name__in=groups))
    return visitor


def desk(visitor: Visitor) -> dict[str, Line]:
    found = LINE.findall(visitor.page("/admin/"))
    return {what: Line(int(count), link.replace("&amp;", "&")) for link, what, count in found}


def draft(by: User, rule_id: str) -> None:
    draft_rule(by=by, rule=a_rule(rule_id=rule_id, sources=("northwing-page",)))


def ending(rule_id: str, day: datetime.date, **changes: object) -> RuleRecord:
    """Return a rule that ends, and that no one can call less strict, so that one approval is enough."""
    says = {"when": When(), "effect": "require", "code": "terminals_protected"}
    return a_rule(rule_id=rule_id, effective_until=day, **says | changes)


def test_an_editor_sees_what_was_returned_with_the_reason_and_what_is_still_a_draft(world: User) -> None:
    editor = member(EDITOR)
    for rule_id in ("n1.one", "n1.two", "n1.three"):
        draft(editor.user, rule_id)
    submit_rules(by=editor.user, rule_ids=["n1.one", "n1.two"])
    return_rules(by=a_user("reviewer"), rule_ids=["n1.one"], reason="Cite the page.")
    draft(a_user("another"), "n1.four")

    lines = desk(editor)
    assert {
        what: line.number for what, line in lines.items() if "ules" in what and "ublished" not in what
    } == {
        "Rules returned to you": 1,
        "Your drafts of rules": 2,
        "Your rules in review": 1,
    }
    page = editor.page("/admin/")
    assert "reviewer returned it: Cite the page." in page

    change_rule(by=editor.user, rule=a_rule(rule_id="n1.one", summary="Cited."))
    submit_rules(by=editor.user, rule_ids=["n1.one"])
    assert "Rules returned to you" not in desk(editor)
    assert "Cite the page." not in editor.page("/admin/")


def test_a_reviewer_sees_what_others_wrote_and_nothing_of_their_own(world: User) -> None:
    both = member(EDITOR, REVIEWER)
    draft(both.user, "n1.mine")
    draft(a_user("another"), "n1.theirs")
    submit_rules(by=both.user, rule_ids=["n1.mine", "n1.theirs"])

    assert desk(both)["Rules to review"].number == 1
    assert "n1.theirs" in both.page(desk(both)["Rules to review"].link)
    assert "n1.mine" not in both.page(desk(both)["Rules to review"].link)


def test_a_second_reviewer_sees_what_another_one_approved_until_it_is_approved_again(world: User) -> None:
    first, second = member(REVIEWER), member(EDITOR, REVIEWER)
    draft(world, "n1.theirs")
    draft(second.user, "n1.mine")
    submit_rules(by=world, rule_ids=["n1.theirs", "n1.mine"])
    approve_rules(by=first.user, rule_ids=["n1.theirs", "n1.mine"])

    for owed in ("Rules approved once, and not measured yet", "Second approvals owed: rules"):
        assert owed not in desk(first)
        assert desk(second)[owed].number == 1
        assert "n1.theirs" in second.page(desk(second)[owed].link)
        assert "n1.mine" not in second.page(desk(second)[owed].link)
        note_owed_approvals()
    approve_rules_again(by=second.user, rule_ids=["n1.theirs"])
    assert "Second approvals owed: rules" not in desk(second)


def test_a_publisher_sees_what_is_approved_and_what_publishing_would_change(world: User) -> None:
    publisher = member(PUBLISHER)
    assert "Rules to publish" not in desk(publisher)
    assert "Publishing now would change nothing." in publisher.page("/admin/")
    draft(world, "n1.new")
    revise_rules(by=world, rule_ids=["n1.two-units"], reason="The page changed.")
    change_rule(by=world, rule=a_rule(rule_id="n1.two-units", summary="Changed."))
    submit_rules(by=world, rule_ids=["n1.new", "n1.two-units"])
    approve_rules(by=a_user("reviewer"), rule_ids=["n1.new", "n1.two-units"])

    lines = desk(publisher)
    assert lines["Rules to publish"].number == 2
    assert (lines["Rules to be added"].number, lines["Rules to be changed"].number) == (1, 1)
    added = publisher.page(lines["Rules to be added"].link)
    assert "n1.new" in added
    assert "n1.two-units" not in added
    changed = publisher.page(lines["Rules to be changed"].link)
    assert "n1.two-units" in changed
    assert "Changed." in changed


def test_each_number_is_that_of_the_rows_in_its_list(world: User) -> None:
    boss = Visitor(superuser=True)
    now, today = timezone.now(), timezone.now().date()
    change_source(by=world, source=replace(SOURCES[0], read_on=today - datetime.timedelta(days=400)))
    soon = today + datetime.timedelta(days=20)
    draft_rule(by=world, rule=ending("n1.ending", soon))
    draft(world, "n1.waiting")
    draft(world, "n1.approved")
    draft(boss.user, "n1.mine")
    draft(boss.user, "n1.returned")
    submit_rules(by=world, rule_ids=["n1.ending"])
    approve_rules(by=boss.user, rule_ids=["n1.ending"])
    publish_release(by=a_user("publisher"), note="Second.", now=now, cases=[])
    submit_rules(by=world, rule_ids=["n1.waiting", "n1.approved", "n1.returned"])
    approve_rules(by=boss.user, rule_ids=["n1.approved"])
    return_rules(by=a_user("reviewer"), rule_ids=["n1.returned"], reason="Why?")
    record_partner(by=boss.user, now=now, slug="keyless", agreement=AGREEMENT)
    record_partner(by=boss.user, now=now, slug="acme", agreement=AGREEMENT)
    valid_until = now + datetime.timedelta(days=10)
    issue_key(by=boss.user, now=now, partner="acme", valid_until=valid_until)

    propose(DEVICES, [a_device(model_id="lynx-new")], by=boss.user, subject="lynx-new")
    # A case of the real world fails in this one.
    case = load_cases()[0]
    draft_case(by=world, case=case)
    submit_cases(by=world, names=[case.name])
    approve_cases(by=a_user("reviewer"), names=[case.name])
    for number, due in enumerate((today - datetime.timedelta(days=1), None)):
        Assignment.objects.create(
            kind="rule",
            subject=f"n1.{number}",
            name=f"n1.{number}",
            assignee=boss.user,
            due=due,
            ends_with_work=False,
            created_at=now,
            created_by=world,
        )

    lines = desk(boss)
    assert {
        "Assigned",
        "Overdue",
        "Your change sets of the catalog that wait for approval",
        "Rules to review",
        "Rules returned to you",
        "Your drafts of rules",
        "Rules to publish",
        "Published rules",
        "Sources in use, due to be read again",
        "Of these, overdue: twice as old as allowed",
        "Keys that expire within 30 days",
        "Partners without a valid key",
        "Airlines without a verified rule",
    } <= set(lines)
    for what, line in lines.items():
        page = boss.page(line.link)
        if "/findings/" in line.link:
            rows = len(re.findall(r'<li id="finding-', page))
        elif "/guides/" in line.link:
            rows = len(re.findall(r'<li id="held-', page))
        elif "/changes/" in line.link:
            rows = int(re.findall(r"\((\d+)\)</h2>", page)[0])
        elif "/news/" in line.link:
            rows = page.count('<li id="assigned-')
        elif "#checks" in line.link:
            rows = page.count("<p><strong>“")
        else:
            rows = _rows(page)
        assert rows == line.number, what


def _rows(page: str) -> int:
    """Return how many rows a list of the admin has."""
    return len(set(re.findall(r'href="/admin/\w+/\w+/([^/"]+)/change/', page)))


def test_what_expires_soon_is_named_with_its_day(world: User) -> None:
    soon = timezone.now().date() + datetime.timedelta(days=30)
    draft_rule(by=world, rule=ending("n1.ending", soon, summary="Until the fair."))
    submit_rules(by=world, rule_ids=["n1.ending"])
    approve_rules(by=a_user("reviewer"), rule_ids=["n1.ending"])
    viewer = member(VIEWER)
    assert "No published rule ends soon." in viewer.page("/admin/")

    publish_release(by=a_user("publisher"), note="Second.", now=timezone.now(), cases=[])

    page = viewer.page("/admin/")
    assert "Until the fair." in page
    assert f'<time datetime="{soon}' in page


def test_the_newest_changes_of_policies_stand_there(world: User) -> None:
    northwing = next(airline for airline in AIRLINES if airline.airline == "N1")
    change = PolicyChange(date=timezone.now().date(), what="One unit only.", source="northwing-page")
    change_airline(by=world, airline=replace(northwing, changes=(change,)))

    assert "One unit only." in member(VIEWER).page("/admin/")


def test_a_viewer_reads_everything_and_nothing_waits_for_them(world: User) -> None:
    draft(world, "n1.waiting")
    submit_rules(by=world, rule_ids=["n1.waiting"])

    page = member(VIEWER).page("/admin/")

    assert "Nothing waits for you." in page
    assert "Assigned to you" not in page
    assert "Current release" in page
    assert "First." in page
    assert "Rules to review" not in page
    assert "Partners" not in page


def test_who_writes_sees_what_waits_for_others(world: User) -> None:
    editor = member(EDITOR)
    for name in ("n1.in-review", "n1.agreed", "n1.draft"):
        draft(editor.user, name)
    submit_rules(by=editor.user, rule_ids=["n1.in-review", "n1.agreed"])
    approve_rules(by=a_user("reviewer"), rule_ids=["n1.agreed"])

    lines = desk(editor)

    assert "n1.in-review" in editor.page(lines["Your rules in review"].link)
    assert "n1.agreed" in editor.page(lines["Your approved rules, not published yet"].link)
    assert "You wait for others" not in member(REVIEWER).page("/admin/")


def test_an_auditor_sees_their_own_exports(world: User) -> None:
    auditor = member(AUDITOR)
    for user, reason in ((auditor.user, "Case 4711."), (a_user("other"), "Case 4712.")):
        period = [("2026-11-20 to 2026-11-21", None)]
        now = timezone.now()
        log(by=user, at=now, action=EditorAction.EXPORT, kind="verdicts", subjects=period, reason=reason)

    page = auditor.page("/admin/")

    assert "Case 4711." in page
    assert "Case 4712." not in page
    assert "Waiting for you" not in page


@pytest.mark.parametrize("group", [EDITOR, REVIEWER, PUBLISHER, PARTNER_MANAGER, VIEWER, AUDITOR])
def test_each_role_sees_links_that_open(world: User, group: str) -> None:
    visitor = member(group)
    page = visitor.page("/admin/").partition('<div id="content-main">')[2]

    for link in set(re.findall(r'href="(/admin/[^"]+)"', page)):
        assert visitor.get(link.replace("&amp;", "&")).status_code in {200, 302}, link


def test_a_partner_manager_sees_partners_alone(world: User) -> None:
    manager = member(PARTNER_MANAGER)
    record_partner(by=manager.user, now=timezone.now(), slug="acme", agreement=AGREEMENT)

    assert set(desk(manager)) == {"Partners without a valid key"}
    page = manager.page("/admin/")
    assert "Current release" not in page
    assert "/admin/findings/" not in page


def test_who_may_do_nothing_finds_nothing(world: User) -> None:
    page = Visitor().page("/admin/")

    assert "desk-section" not in re.sub(r"<link[^>]+>", "", page)
    assert "/admin/findings/" not in page
    assert "permission to view or edit anything" in page


def test_the_desk_asks_as_often_however_much_there_is(world: User) -> None:
    boss = Visitor(superuser=True)

    def cost() -> int:
        boss.page("/admin/")
        with CaptureQueriesContext(connection) as queries:
            boss.page("/admin/")
        return len(queries)

    few = cost()
    for number in range(20):
        draft(boss.user, f"n1.mine-{number}")
        draft(world, f"n1.theirs-{number}")
        draft_rule(by=world, rule=ending(f"n1.ending-{number}", timezone.now().date()))
    ids = [f"n1.{kind}-{number}" for kind in ("mine", "theirs", "ending") for number in range(20)]
    submit_rules(by=world, rule_ids=ids)
    return_rules(by=a_user("reviewer"), rule_ids=ids[:20], reason="Why?")
    approve_rules(by=boss.user, rule_ids=ids[40:])
    publish_release(by=a_user("publisher"), note="Second.", now=timezone.now(), cases=[])

    assert cost() == few


def test_a_worker_looks_at_the_rows_and_until_then_the_desk_says_as_of_when_it_speaks(world: User) -> None:
    viewer = member(VIEWER)
    viewer.page("/admin/")
    app.conf.task_always_eager = False
    draft(world, "n1.new")
    submit_rules(by=world, rule_ids=["n1.new"])
    approve_rules(by=a_user("reviewer"), rule_ids=["n1.new"])

    with mock.patch("rules.tasks.analyze_rows.apply_async") as asked:
        page = viewer.page("/admin/")
        viewer.page("/admin/")

    # Once, however many look.
    assert asked.call_count == 1
    assert "Rows have changed since; a new analysis is running." in page
    assert "Rules to be added" not in page
    app.conf.task_always_eager = True
    cache.delete(ASKED_KEY)
    assert desk(viewer)["Rules to be added"].number == 1


def test_where_no_one_has_looked_yet_the_desk_says_so(world: User) -> None:
    with mock.patch("rules.tasks.analyze_rows.apply_async", side_effect=OperationalError):
        page = member(VIEWER).page("/admin/")

    assert "The rows have not been analyzed yet." in page
    assert "Publishing now would change nothing." not in page


def test_an_report_of_another_version_is_made_again(world: User) -> None:
    cache.set(KEY, b"something else")

    assert "being analyzed" not in member(VIEWER).page("/admin/")


def test_drafts_and_reviews_do_not_make_the_rows_be_looked_at_again(world: User) -> None:
    viewer = member(VIEWER)
    viewer.page("/admin/")
    draft(world, "n1.new")
    submit_rules(by=world, rule_ids=["n1.new"])

    with mock.patch("rules.tasks.analyze_rows.apply_async") as asked:
        viewer.page("/admin/")

    assert not asked.called
    assert Rule.objects.filter(rule_id="n1.new").exists()
