"""In an emergency exactly the chosen revisions go out, and nothing that waits can hold them up."""

from decimal import Decimal

import pytest
import time_machine
from msgspec.structs import replace

from catalog.devices.actions import change_device
from catalog.models import Device
from catalog.sources.actions import change_source, record_source
from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls
from recalls.models import Recall
from rules.editing.actions import approve_rules, revise_rules
from rules.engine.document import Content
from rules.models import Release, Rule
from rules.next_release import compile_content
from tests.rules.publishing.test_gate import (
    ALL,
    MINUTE,
    ONE_UNIT,
    PUBLISH,
    Person,
    cases,
    clock,
    loosen,
    published,
    tighten,
    world,
)
from tests.rules.publishing.test_gate_attacks import ALONE, alone
from tests.rules.publishing.test_waiting import RECALL, a_recall_by, approve
from tests.support.factories import a_source, a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

TWO_UNITS = "n1.two-units"


@pytest.fixture
def me(world: time_machine.Traveller) -> Person:
    """A person with every role, a minute after the world was published."""
    return Person("me", *ALL)


def current() -> Content:
    release = Release.objects.current()
    assert release is not None
    return release.read().content


def lower_an_energy() -> None:
    device = Device.objects.get(pk="puma-30k").to_record()
    change_device(by=a_user("other"), device=replace(device, watt_hour=Decimal("99.00")))


def test_milder_changes_that_wait_do_not_hold_up_an_urgent_recall(
    me: Person, world: time_machine.Traveller
) -> None:
    before = current()
    loosen(a_user("other"), approver=a_user(APPROVER))
    lower_an_energy()
    recall = a_recall_by(me, "xb-lynx-27k-2026")
    assert ALONE in alone(me, recall=recall, rule=ONE_UNIT)

    assert alone(me, recall=recall) == ""

    after = current()
    assert {one.recall_id for one in after.recalls} - {one.recall_id for one in before.recalls} == {recall}
    assert (after.rules, after.devices, after.airlines) == (before.rules, before.devices, before.airlines)
    # Both wait as before, for all that they need.
    assert Rule.objects.get(rule_id=ONE_UNIT, state="approved").to_record().params.max_units == 2
    waiting = compile_content()
    assert (waiting.rules, waiting.devices) != (after.rules, after.devices)
    assert waiting.recalls == after.recalls


def test_what_was_approved_meanwhile_waits_too(me: Person) -> None:
    tighten(me.user)
    other = a_user("other")
    draft_recall(by=other, recall=RECALL)
    submit_recalls(by=other, recall_ids=[RECALL.recall_id])
    approve_recalls(by=a_user(APPROVER), recall_ids=[RECALL.recall_id])

    assert alone(me, rule=TWO_UNITS) == ""

    assert RECALL.recall_id not in {one.recall_id for one in current().recalls}
    assert Recall.objects.get(recall_id=RECALL.recall_id).state == "approved"
    assert Rule.objects.get(rule_id=TWO_UNITS, revision=2).state == "published"


def test_an_approved_revision_goes_out_alone_although_someone_has_begun_the_next_one(me: Person) -> None:
    tighten(a_user("other"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    revise_rules(by=a_user("another"), rule_ids=[TWO_UNITS], reason="More is coming.")
    page = me.page(f"{PUBLISH}alone/")
    assert f'value="{TWO_UNITS}"> rule <span class="font-mono">{TWO_UNITS}</span>, approved' in page

    assert alone(me, rule=TWO_UNITS) == ""

    assert {one.params.max_units for one in current().rules if one.rule_id == TWO_UNITS} == {1}
    assert Rule.objects.get(rule_id=TWO_UNITS, revision=3).state == "draft"


def test_a_page_that_was_read_after_the_release_can_be_cited(
    me: Person, world: time_machine.Traveller
) -> None:
    page = a_source(id="lynx-recall", url="https://lynx.example/recall", basis="general_knowledge")
    record_source(by=a_user("other"), source=page)
    publisher = Person("publisher", "Publisher")
    assert publisher.publish() == ""
    assert not next(one for one in current().sources if one.id == "lynx-recall").citable
    world.shift(MINUTE)
    change_source(by=a_user("other"), source=replace(page, basis="official_page_read"))
    draft_recall(by=me.user, recall=replace(RECALL, sources=("lynx-recall",)))
    submit_recalls(by=me.user, recall_ids=[RECALL.recall_id])

    assert alone(me, recall=RECALL.recall_id) == ""

    assert next(one for one in current().sources if one.id == "lynx-recall").citable


def test_who_wrote_only_what_waits_can_approve_what_went_out(me: Person) -> None:
    other = Person("other", "Editor", "Reviewer")
    loosen(other.user, approver=a_user(APPROVER))
    assert alone(me, recall=a_recall_by(me, "xb-lynx-27k-2026")) == ""
    version = str(Release.objects.current())
    assert approve(other, version) == ""


def test_nothing_goes_out_that_is_not_ticked(me: Person) -> None:
    loosen(a_user("other"), approver=a_user(APPROVER))
    a_recall_by(me, "xb-lynx-27k-2026")
    assert "no revision is ticked" in alone(me)
    assert Release.objects.count() == 1
