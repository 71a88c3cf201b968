"""The page of a change says what it still lacks before a release can contain it."""

import datetime
import re
from decimal import Decimal
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from msgspec.structs import replace

from catalog.airlines.bulk import AIRLINES
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import approve as approve_set
from catalog.editorial.pending.actions import propose
from catalog.models import Brand, ChangeSet, Device, Source
from catalog.sources.actions import reread_source
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
)
from rules.impact import measurements
from rules.models import Rule
from rules.publishing import before_publishing as lacking
from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_device, a_rule, a_user
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

RULES, SETS = "/admin/rules/rule/", "/admin/catalog/changeset/"
ONE_UNIT, ITS_SOURCE = "s2.one-unit", "southern-star-report"
TITLE = "Before this can be published"


@pytest.fixture
def editor(db: None) -> User:
    """Who wrote the test world, which another person published yesterday."""
    yesterday = timezone.now() - datetime.timedelta(days=1)
    publish_release(by=a_user("publisher"), note="The first.", now=yesterday, cases=())
    return a_user()


def revised(rule_id: str = ONE_UNIT, *, max_units: int) -> Rule:
    """Return the draft of a rule with another number of units."""
    revise_rules(by=a_user(), rule_ids=[rule_id], reason="The page has changed.")
    record = Rule.objects.get(rule_id=rule_id, state="draft").to_record()
    change_rule(by=a_user(), rule=replace(record, params=replace(record.params, max_units=max_units)))
    return Rule.objects.get(rule_id=rule_id, state="draft")


def said(visitor: Visitor, path: str) -> str:
    """Return what the page says that a change lacks; empty if it says nothing. The page asks for it."""
    asked = re.search(r'hx-get="(/admin/rules/release/publish/before/[^"]+)"', visitor.page(path))
    if asked is None:
        return ""
    found = visitor.client.get(unescape(asked[1]), headers={"HX-Request": "true"})
    assert found.status_code == 200
    page = found.content.decode()
    assert "<html" not in page
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page.partition("</h2>")[2]).split()))


def of_rule(visitor: Visitor, row: Rule) -> str:
    return said(visitor, f"{RULES}{row.pk}/change/")


def waiting(change_set: ChangeSet | None) -> str:
    assert change_set is not None
    return f"{SETS}{change_set.pk}/change/"


def test_a_looser_rule_says_at_each_step_what_comes_next(editor: User) -> None:
    reviewer, row = member("Reviewer"), revised(max_units=3)
    text = of_rule(reviewer, row)
    assert "An editor submits it for review. Another person than its authors approves it." in text
    assert re.search(rf"Rule {ONE_UNIT}: makes [\d,]+ answers less strict; it needs a second approval", text)
    assert "its evidence was last read on" in text
    assert f"Its authors ({editor.username}) cannot publish it: another publisher does." in text

    submit_rules(by=editor, rule_ids=[ONE_UNIT])
    text = of_rule(reviewer, row)
    assert "submits it" not in text
    assert "Another person than its authors approves it." in text

    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    assert "Another person than its authors approves it." not in of_rule(reviewer, row)
    approve_rules_again(by=a_user("second"), rule_ids=[ONE_UNIT])
    assert "second approval" not in of_rule(reviewer, row)

    source = Source.objects.get(pk=ITS_SOURCE)
    reread_source(by=editor, source_id=ITS_SOURCE, read_on=source.read_on)
    assert "its own author recorded the reading of its evidence" in of_rule(reviewer, row)
    reread_source(by=a_user("reader"), source_id=ITS_SOURCE, read_on=source.read_on)
    text = of_rule(reviewer, row)
    assert "evidence" not in text
    assert "cannot publish it: another publisher does." in text

    publish_release(by=a_user("publisher"), note="News.", now=timezone.now(), cases=())
    assert not of_rule(reviewer, row)


def test_a_stricter_rule_needs_one_approval(editor: User) -> None:
    reviewer, row = member("Reviewer"), revised("n1.two-units", max_units=1)
    text = of_rule(reviewer, row)
    assert "Measured alone, it makes no answer less strict, so one approval is enough." in text
    assert "second approval" not in text
    assert "another publisher" not in text


def test_a_publisher_who_read_a_cited_page_again_is_told_that_another_one_publishes(editor: User) -> None:
    publisher, row = member("Publisher"), revised("n1.two-units", max_units=1)
    (source, *_) = row.evidence.values_list("source", flat=True)
    assert "You changed or read" not in of_rule(publisher, row)
    # A later day is what the next release would say.
    reread_source(by=publisher.user, source_id=source, read_on=timezone.now().date())
    assert f"You changed or read {source}, which it cites" in of_rule(publisher, row)


def test_a_confirmed_rule_without_an_official_page_is_neither_approved_nor_offered_for_it(
    editor: User,
) -> None:
    record = a_rule(rule_id="n1.unread", confidence="confirmed", sources=(ITS_SOURCE,))
    assert Source.objects.get(pk=ITS_SOURCE).basis != "official_page_read"
    draft_rule(by=editor, rule=record)
    submit_rules(by=editor, rule_ids=["n1.unread"])
    row, reviewer = Rule.objects.get(rule_id="n1.unread"), member("Reviewer")
    assert "Name such a page, or choose another confidence." in of_rule(reviewer, row)
    page = reviewer.page(f"{RULES}{row.pk}/change/")
    assert f"{RULES}{row.pk}/do/approve/" not in page
    assert f"{RULES}{row.pk}/do/return/" in page
    assert "It cannot be approved" in page


def test_what_is_too_large_is_said_to_be_measured_before_publishing(
    editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, reviewer = revised(max_units=3), member("Reviewer")
    monkeypatch.setattr(measurements, "SMALL", 0)
    text = of_rule(reviewer, row)
    assert "too large to be measured here; it is measured before publishing" in text
    assert "less strict; it needs" not in text
    monkeypatch.undo()
    monkeypatch.setattr(lacking, "LARGEST", 0)
    monkeypatch.setattr(measurements, "survey_of", None)
    assert "too large to be measured here" in of_rule(reviewer, row)


def test_without_a_release_nothing_can_be_measured_and_no_button_offers_it(db: None) -> None:
    revise_rules(by=a_user(), rule_ids=[ONE_UNIT], reason="News.")
    row = Rule.objects.get(rule_id=ONE_UNIT, state="draft")
    reviewer = member("Reviewer")
    assert "No release is published yet, so nothing else is needed." in of_rule(reviewer, row)
    assert "Measure the changes" not in reviewer.page(f"{RULES}{row.pk}/change/")


def test_without_scripts_a_link_leads_to_the_same_list_as_a_page(editor: User) -> None:
    viewer, row = member("Viewer"), revised("n1.two-units", max_units=1)
    address = f"/admin/rules/release/publish/before/?rule={row.pk}"
    assert f'href="{address}"' in viewer.page(f"{RULES}{row.pk}/change/")
    page = viewer.page(address)
    assert "<html" in page
    assert TITLE in page
    assert "An editor submits it for review." in page
    assert f'href="{RULES}{row.pk}/change/"' in page


def test_who_may_not_see_a_change_is_not_told_what_it_lacks(editor: User) -> None:
    row = revised("n1.two-units", max_units=1)
    address = f"/admin/rules/release/publish/before/?rule={row.pk}"
    assert member("Partner manager").get(address).status_code == 403
    assert Visitor("view_release").get(address).status_code == 403
    assert member("Viewer").get("/admin/rules/release/publish/before/?rule=999999").status_code == 404
    assert member("Viewer").get("/admin/rules/release/publish/before/").status_code == 302


def test_a_model_that_no_page_states_says_so_before_anyone_approves_it(editor: User) -> None:
    unread = a_device(model_id="heron-10", brand="Heron", model_name="Heron 10", sources=())
    found = propose(DEVICES, [unread], by=editor, subject="heron-10")
    reviewer = member("Reviewer")
    page = reviewer.page(waiting(found))
    assert "No page was read for heron-10." in page
    assert "First record the page where this was read as a source" in page
    text = said(reviewer, waiting(found))
    assert "nothing that it rests on was ever read" in text
    assert f"Neither its authors ({editor.username}) nor the person who approves it can publish it" in text
    assert found is not None
    assert "No page was read for heron-10." in reviewer.page(f"{SETS}{found.pk}/do/approve/")


def test_a_model_with_a_page_that_was_read_is_not_warned_about(editor: User) -> None:
    read = a_device(model_id="heron-10", brand="Heron", model_name="Heron 10", sources=("lynx-page",))
    page = member("Reviewer").page(waiting(propose(DEVICES, [read], by=editor, subject="heron-10")))
    assert "No page was read for" not in page


def test_an_author_of_a_waiting_change_is_not_the_reader_of_its_page(editor: User) -> None:
    lower = replace(Device.objects.get(pk="puma-30k").to_record(), watt_hour=Decimal(99))
    path, reviewer = waiting(propose(DEVICES, [lower], by=editor, subject="puma-30k")), member("Reviewer")
    read_on = Source.objects.get(pk="puma-page").read_on
    assert "read it again after" in said(reviewer, path)
    reread_source(by=editor, source_id="puma-page", read_on=read_on)
    assert "its own author recorded the reading of its evidence" in said(reviewer, path)
    reread_source(by=a_user("reader"), source_id="puma-page", read_on=read_on)
    text = said(reviewer, path)
    assert "evidence" not in text
    assert "Another person than its authors approves it." in text


def test_an_approved_change_of_a_model_says_who_cannot_publish_it_until_it_is_published(
    editor: User,
) -> None:
    lower = replace(Device.objects.get(pk="puma-30k").to_record(), watt_hour=Decimal(99))
    found = propose(DEVICES, [lower], by=editor, subject="puma-30k")
    assert found is not None
    approver, reviewer = a_user(APPROVER), member("Reviewer")
    approve_set(found.pk, by=approver, tables={"device": DEVICES, "airline": AIRLINES})
    text = said(reviewer, waiting(found))
    assert "Another person than its authors approves it." not in text
    assert f"Neither its authors ({editor.username}) nor its approver ({approver.username})" in text
    later = timezone.now() + datetime.timedelta(minutes=1)
    reread_source(
        by=a_user("reader"), source_id="puma-page", read_on=Source.objects.get(pk="puma-page").read_on
    )
    publish_release(by=a_user("publisher"), note="News.", now=later, cases=())
    assert not said(reviewer, waiting(found))


def test_what_is_in_no_release_lacks_nothing(editor: User) -> None:
    brand = Brand.objects.get(name="Puma")
    assert brand is not None
    found = ChangeSet.objects.create(
        subject="puma", authors=[editor.pk], created_at=timezone.now(), created_by=editor
    )
    found.changes.create(kind="brand", record_id="puma", before={"name": "Puma"}, after={"name": "Pumas"})
    assert lacking.before_publishing(found, editor) is None
