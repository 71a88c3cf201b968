"""A publisher chooses what goes out; the rest waits as it is. The gate sees exactly what was chosen."""

from decimal import Decimal

import pytest
import time_machine
from django.utils import timezone
from msgspec.structs import replace

from catalog.airlines.actions import record_airline
from catalog.devices.actions import change_device, record_device
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions as change_sets
from catalog.models import Device
from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls
from recalls.models import Recall
from recalls.serials import AffectedSerials
from rules.cases import Case
from rules.editing.actions import approve_rules, draft_rule, submit_rules, withdraw_rules
from rules.engine import facts
from rules.engine.document import Content
from rules.engine.facts import Params
from rules.models import Release, Rule
from rules.next_release import compile_content
from rules.publishing.actions.releases import publish_release
from tests.rules.publishing.test_gate import (
    ALL,
    ITS_SOURCE,
    MINUTE,
    ONE_ONLY,
    ONE_UNIT,
    OWN_PUBLISHING,
    Person,
    cases,
    clock,
    loosen,
    published,
    read_again,
    roll_back,
    tighten,
    world,
)
from tests.rules.publishing.test_waiting import RECALL
from tests.support.choosing import chosen, ids, publish, what_waits
from tests.support.factories import a_device, a_rule, a_user, an_airline
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller
TWO_UNITS, CAP = "n1.two-units", "s2.one-unit-too"
STAYS = "stays behind: choose it, too"


def current() -> Content:
    release = Release.objects.current()
    assert release is not None
    return release.read().content


def rule_of(content: Content, rule_id: str) -> facts.Rule:
    return next(one for one in content.rules if one.rule_id == rule_id)


def a_tighter_rule() -> None:
    tighten(a_user("tightener"))
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])


def a_looser_rule(clock: Clock) -> None:
    """Loosen a rule with all that it needs."""
    loosen(a_user("loosener"), approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))


def a_cap() -> None:
    """Approve another rule that repeats the limit of the one that is loosened."""
    old = Rule.objects.get(rule_id=ONE_UNIT, revision=1).to_record()
    draft_rule(by=a_user("capper"), rule=replace(old, rule_id=CAP))
    submit_rules(by=a_user("capper"), rule_ids=[CAP])
    approve_rules(by=a_user(APPROVER), rule_ids=[CAP])


def an_urgent_recall() -> None:
    draft_recall(by=a_user("recaller"), recall=RECALL)
    submit_recalls(by=a_user("recaller"), recall_ids=[RECALL.recall_id])
    approve_recalls(by=a_user(APPROVER), recall_ids=[RECALL.recall_id])


def a_lower_energy() -> None:
    device = Device.objects.get(pk="puma-30k").to_record()
    change_device(by=a_user("cataloger"), device=replace(device, watt_hour=Decimal("99.00")))


@pytest.fixture
def publisher(world: Clock) -> Person:
    return Person("publisher", "Publisher")


def test_exactly_what_is_chosen_goes_out_and_the_rest_waits(publisher: Person, world: Clock) -> None:
    before = current()
    a_tighter_rule()
    loosen(a_user("loosener"), approver=a_user(APPROVER))
    a_lower_energy()
    an_urgent_recall()

    assert publish(publisher.user, f"recalls:{RECALL.recall_id}") == ""

    after = current()
    assert (after.rules, after.devices, after.airlines) == (before.rules, before.devices, before.airlines)
    assert {one.recall_id for one in after.recalls} - {one.recall_id for one in before.recalls} == {
        RECALL.recall_id
    }
    states = {row.rule_id: row.state for row in Rule.objects.filter(revision=2)}
    assert states == {TWO_UNITS: "approved", ONE_UNIT: "approved"}
    assert Recall.objects.get(recall_id=RECALL.recall_id).state == "published"
    # What waited is what waits: the next release can have it.
    assert [unit.name for unit in what_waits().units()] == [
        "devices:puma-30k",
        f"rules:{TWO_UNITS}",
        f"rules:{ONE_UNIT}",
    ]
    world.shift(MINUTE)
    assert publish(publisher.user, f"rules:{TWO_UNITS}") == ""
    assert rule_of(current(), TWO_UNITS) == rule_of(compile_content(), TWO_UNITS)
    assert rule_of(current(), ONE_UNIT) == rule_of(before, ONE_UNIT)


def test_all_ticked_is_the_same_as_everything(publisher: Person) -> None:
    a_tighter_rule()
    an_urgent_recall()
    assert publish(publisher.user, *(unit.name for unit in what_waits().units())) == ""
    assert current() == compile_content()
    assert not Rule.objects.filter(state="approved").exists()


def test_a_rule_takes_its_new_airline_along(publisher: Person) -> None:
    record_airline(by=a_user("cataloger"), airline=an_airline(airline="W4", icao="XXW", name="Westwind"))
    rule = a_rule(
        rule_id="w4.one-unit",
        airline="W4",
        effect="require",
        code="max_units",
        params=Params(max_units=1),
        summary="One unit.",
    )
    draft_rule(by=a_user("writer"), rule=rule)
    submit_rules(by=a_user("writer"), rule_ids=[rule.rule_id])
    approve_rules(by=a_user(APPROVER), rule_ids=[rule.rule_id])
    keys, _ = chosen(f"rules:{rule.rule_id}")
    assert ids("airlines", keys) == {"W4"}


def test_a_change_set_goes_as_a_whole(publisher: Person) -> None:
    devices = [
        replace(Device.objects.get(pk=name).to_record(), release_year=2020)
        for name in ("puma-30k", "puma-50k")
    ]
    found = change_sets.propose(DEVICES, devices, by=a_user("cataloger"), subject="two.csv")
    assert found is not None
    change_sets.approve(found.pk, by=a_user(APPROVER), tables={"device": DEVICES})
    (unit,) = what_waits().units()
    assert (unit.name, unit.what) == (f"change set {found.pk}", "2 records")
    assert what_waits().closed([("devices", "puma-30k")]) == unit.keys


# --- Attacks ---


def test_a_raise_does_not_leave_its_cap_behind(publisher: Person, world: Clock) -> None:
    a_looser_rule(world)
    a_cap()
    assert f"rule {CAP} {STAYS}" in publish(publisher.user, f"rules:{ONE_UNIT}")
    assert rule_of(current(), ONE_UNIT) != rule_of(compile_content(), ONE_UNIT)
    assert publish(publisher.user, f"rules:{ONE_UNIT}", f"rules:{CAP}") == ""


def test_a_cap_may_go_before_its_raise(publisher: Person, world: Clock) -> None:
    a_looser_rule(world)
    a_cap()
    assert publish(publisher.user, f"rules:{CAP}") == ""


def test_a_milder_change_does_not_wait_for_what_is_about_other_answers(
    publisher: Person, world: Clock
) -> None:
    a_looser_rule(world)
    a_tighter_rule()
    assert publish(publisher.user, f"rules:{ONE_UNIT}") == ""


def test_a_new_model_does_not_leave_its_recall_behind(publisher: Person, world: Clock) -> None:
    record_device(
        by=a_user("cataloger"),
        device=a_device(model_id="lynx-99", model_name="Lynx 99", sources=("lynx-page",)),
    )
    recall = replace(
        RECALL,
        recall_id="xb-lynx-99-2026",
        model_id="lynx-99",
        affected_serials=AffectedSerials(scope="all_units", identifier="serial number"),
    )
    draft_recall(by=a_user("recaller"), recall=recall)
    submit_recalls(by=a_user("recaller"), recall_ids=[recall.recall_id])
    approve_recalls(by=a_user(APPROVER), recall_ids=[recall.recall_id])
    world.shift(MINUTE)
    read_again(a_user("reader"), "lynx-page")
    assert f"recall {recall.recall_id} {STAYS}" in publish(publisher.user, "devices:lynx-99")


def test_what_stays_behind_is_not_published_by_its_author_after_all(publisher: Person, world: Clock) -> None:
    """One person writes an energy, another one a name. A release between them leaves both behind."""
    writer = Person("writer", *ALL)
    device = Device.objects.get(pk="puma-30k").to_record()
    change_device(by=writer.user, device=replace(device, watt_hour=Decimal("99.00")))
    world.shift(MINUTE)
    change_device(
        by=a_user("other"), device=replace(device, watt_hour=Decimal("99.00"), aliases=("PUMA-30",))
    )
    read_again(a_user("reader"), "puma-page")
    a_tighter_rule()
    world.shift(2 * MINUTE)
    assert publish(publisher.user, f"rules:{TWO_UNITS}") == ""
    world.shift(2 * MINUTE)
    assert "you changed it or released its hold" in publish(writer.user, "devices:puma-30k")
    assert publish(publisher.user, "devices:puma-30k") == ""


def test_no_one_publishes_their_own_milder_change_as_a_choice(world: Clock) -> None:
    me = Person("loosener", *ALL)
    a_looser_rule(world)
    a_tighter_rule()
    assert OWN_PUBLISHING in publish(me.user, f"rules:{ONE_UNIT}")


def test_what_is_held_back_does_not_come_along(publisher: Person, world: Clock) -> None:
    first = Release.objects.current()
    assert first is not None
    record_device(by=a_user("cataloger"), device=a_device(model_id="lynx-new", model_name="Lynx New"))
    read_again(a_user("reader"), "northwing-page")
    publish_release(by=publisher.user, note="A model.", now=timezone.now(), cases=())
    world.shift(MINUTE)
    assert roll_back(publisher, first, request="yes") == ""
    assert roll_back(Person("another", "Publisher"), first) == ""
    world.shift(MINUTE)
    recall = replace(RECALL, recall_id="xb-lynx-new-2026", model_id="lynx-new")
    draft_recall(by=a_user("recaller"), recall=recall)
    submit_recalls(by=a_user("recaller"), recall_ids=[recall.recall_id])
    approve_recalls(by=a_user(APPROVER), recall_ids=[recall.recall_id])
    refused = publish(publisher.user, f"recalls:{recall.recall_id}")
    assert "is about `lynx-new`, which is no model of this release" in refused


def test_what_refers_to_a_choice_cannot_stay_as_it_is(publisher: Person) -> None:
    """Half of what belongs together goes out with the other half, or not at all."""
    withdraw_rules(by=a_user("writer"), rule_ids=[ONE_UNIT], reason="Over.")
    submit_rules(by=a_user("writer"), rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    assert "it needs a second approval" in publish(publisher.user, f"rules:{ONE_UNIT}")


def test_the_cases_are_asked_of_exactly_what_goes_out(
    publisher: Person, world: Clock, cases: list[Case]
) -> None:
    cases.append(ONE_ONLY)
    a_looser_rule(world)
    a_tighter_rule()
    assert ONE_ONLY.name in publish(publisher.user, f"rules:{ONE_UNIT}")
    assert publish(publisher.user, f"rules:{TWO_UNITS}") == ""


def test_a_page_read_again_comes_along_with_the_rule_that_cites_it(publisher: Person, world: Clock) -> None:
    a_looser_rule(world)
    assert ids("sources", chosen(f"rules:{ONE_UNIT}")[0]) <= {ITS_SOURCE}
