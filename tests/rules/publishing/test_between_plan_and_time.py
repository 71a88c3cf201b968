"""What others publish between a plan and its time: it lends no evidence, and nothing is milder than shown."""

import datetime
from collections.abc import Callable
from decimal import Decimal

import pytest
import time_machine
from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.devices.actions import record_device
from catalog.models import Device, Jurisdiction, Source
from catalog.places.actions import change_jurisdictions
from catalog.sources.actions import change_source, record_source
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    change_rule,
    draft_rule,
    revise_rules,
    submit_rules,
)
from rules.engine.facts import Params
from rules.models import PlannedRelease, Release, Rule
from rules.publishing.units import READINGS
from tests.rules.publishing.test_choosing import (
    CAP,
    TWO_UNITS,
    a_looser_rule,
    a_lower_energy,
    current,
    rule_of,
)
from tests.rules.publishing.test_gate import (
    ITS_SOURCE,
    MINUTE,
    ONE_UNIT,
    Person,
    cases,
    clock,
    loosen,
    published,
    read_again,
    roll_back,
    world,
)
from tests.rules.publishing.test_plans_of_changes import DAY, HOUR, carry_out, publisher, without_cap
from tests.support.choosing import plan, publish
from tests.support.factories import a_source, a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "publisher", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller
AGAIN = "read it again after"


@pytest.fixture
def other(world: Clock) -> User:
    return Person("other", "Publisher").user


def the_rule(publisher: User, clock: Clock) -> PlannedRelease:
    a_looser_rule(clock)
    return plan(publisher, f"rules:{ONE_UNIT}", after=2 * DAY)


def the_model(publisher: User, clock: Clock) -> PlannedRelease:
    a_lower_energy()
    clock.shift(MINUTE)
    read_again(a_user("reader"), "puma-page")
    return plan(publisher, "devices:puma-30k", after=2 * DAY)


PLANS = pytest.mark.parametrize("planned", [the_rule, the_model])
Planning = Callable[[User, Clock], PlannedRelease]


def another_page(read_on: datetime.date = datetime.date(2026, 11, 21)) -> str:
    """Record a page that says what the planned change says. Return its id."""
    source = a_source(
        id="other-daily",
        kind="news",
        authority="Other Daily",
        jurisdiction="XB",
        url="https://other-daily.example/x",
        basis="secondary_read",
        read_on=read_on,
    )
    record_source(by=a_user("recorder"), source=source)
    return source.id


def a_rule_resting_on(*sources: str) -> None:
    """Approve a looser rule that cites other pages than the rule in force."""
    revise_rules(by=a_user("loosener"), rule_ids=[ONE_UNIT], reason="The page has changed.")
    record = Rule.objects.get(rule_id=ONE_UNIT, state="draft").to_record()
    change_rule(
        by=a_user("loosener"),
        rule=replace(record, sources=sources, params=replace(record.params, max_units=2)),
    )
    submit_rules(by=a_user("loosener"), rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    approve_rules_again(by=a_user("second"), rule_ids=[ONE_UNIT])


def a_cap_of_two(by: User) -> None:
    """Publish a second rule, which lets no one take more than two units."""
    old = Rule.objects.get(rule_id=ONE_UNIT, revision=1).to_record()
    draft_rule(by=a_user("capper"), rule=replace(old, rule_id=CAP, params=Params(max_units=2)))
    submit_rules(by=a_user("capper"), rule_ids=[CAP])
    approve_rules(by=a_user(APPROVER), rule_ids=[CAP])
    assert publish(by, f"rules:{CAP}") == ""


# --- The same reading ---


@PLANS
def test_a_release_that_brings_the_reading_of_a_plan_does_not_end_it(
    planned: Planning, publisher: User, other: User, world: Clock
) -> None:
    found = planned(publisher, world)
    before = current()
    world.shift(HOUR)
    assert publish(other, READINGS) == ""
    assert carry_out(world, found).state == "done", found.failure
    assert (current().rules, current().devices) != (before.rules, before.devices)


def test_without_a_plan_a_reading_that_is_published_is_an_old_one(
    publisher: User, other: User, world: Clock
) -> None:
    a_looser_rule(world)
    assert publish(other, READINGS) == ""
    world.shift(HOUR)
    assert AGAIN in publish(publisher, f"rules:{ONE_UNIT}")
    read_again(a_user("reader"))
    assert publish(publisher, f"rules:{ONE_UNIT}") == ""


@PLANS
def test_a_plan_whose_reading_is_rolled_back_does_not_go(
    planned: Planning, publisher: User, other: User, world: Clock
) -> None:
    first = Release.objects.current()
    assert first is not None
    found = planned(publisher, world)
    world.shift(HOUR)
    assert publish(other, READINGS) == ""
    world.shift(MINUTE)
    assert roll_back(Person("roller", "Publisher"), first) == ""
    assert carry_out(world, found).state == "failed"
    assert "on which it rests was rolled back" in found.failure


# --- Another reading ---


@PLANS
def test_a_later_reading_that_left_the_record_as_it_was_ends_the_plan(
    planned: Planning, publisher: User, other: User, world: Clock
) -> None:
    found = planned(publisher, world)
    world.shift(DAY)
    for page in (ITS_SOURCE, "puma-page"):
        read_again(a_user("careful"), page)
    assert publish(other, READINGS) == ""
    assert carry_out(world, found).state == "failed"
    assert AGAIN in found.failure


def test_a_later_reading_of_the_page_in_force_ends_a_plan_that_rests_on_another_page(
    publisher: User, other: User, world: Clock
) -> None:
    a_rule_resting_on(another_page())
    world.shift(MINUTE)
    found = plan(publisher, f"rules:{ONE_UNIT}", after=2 * DAY)
    world.shift(DAY)
    read_again(a_user("careful"), ITS_SOURCE)
    assert publish(other, READINGS) == ""
    assert carry_out(world, found).state == "failed"
    assert AGAIN in found.failure


def test_a_reading_by_the_planner_lends_a_plan_nothing(publisher: User, other: User, world: Clock) -> None:
    found = the_rule(publisher, world)
    world.shift(HOUR)
    read_again(publisher)
    assert publish(other, READINGS) == ""
    assert carry_out(world, found).state == "failed"
    assert AGAIN in found.failure


def test_the_region_of_a_place_that_is_read_meanwhile_ends_a_plan_of_the_place(
    publisher: User, other: User, world: Clock
) -> None:
    place = Jurisdiction.objects.get(pk="XB").to_record()
    change_jurisdictions(by=a_user("placer"), jurisdictions=[replace(place, member_of=())])
    world.shift(MINUTE)
    read_again(a_user("reader"), "xb-page")
    found = plan(publisher, "jurisdictions:XB", after=2 * DAY)
    world.shift(DAY)
    read_again(a_user("careful"), "xr-page")
    assert publish(other, READINGS) == ""
    assert carry_out(world, found).state == "failed"
    assert AGAIN in found.failure


# --- Another page ---


@pytest.mark.parametrize("by", ["mover", "publisher"])
@pytest.mark.parametrize("is_published", [True, False])
def test_another_address_ends_a_plan_also_if_the_page_did_not_differ_when_it_was_made(
    by: str, is_published: bool, publisher: User, other: User, world: Clock
) -> None:
    read_again(a_user("reader"))
    assert publish(other, READINGS) == ""
    world.shift(MINUTE)
    found = the_rule(publisher, world)
    world.shift(HOUR)
    page = Source.objects.get(pk=ITS_SOURCE).to_record()
    change_source(
        by=a_user(by), source=replace(page, url="https://elsewhere.example/one-unit", title="One unit")
    )
    if is_published:
        assert publish(other, f"sources:{ITS_SOURCE}") == ""
    assert carry_out(world, found).state == "failed"
    assert f"source {ITS_SOURCE} was changed after it was planned" in found.failure


# --- Milder than shown ---


@pytest.mark.parametrize("until", [None, datetime.date(2027, 6, 30)])
def test_a_plan_that_lets_take_more_than_shown_does_not_go(
    until: datetime.date | None, publisher: User, world: Clock
) -> None:
    """Two units of twenty were shown, or twenty from a day on, because another rule allows no more."""
    a_cap_of_two(publisher)
    world.shift(MINUTE)
    loosen(a_user("loosener"), approver=a_user(APPROVER), second=a_user("second"), units=20)
    world.shift(MINUTE)
    read_again(a_user("reader"))
    found = plan(publisher, f"rules:{ONE_UNIT}", after=DAY)
    without_cap(world)
    assert carry_out(world, found).state == "failed"
    assert f"rule {CAP} kept answers strict that now become less strict" in found.failure
    assert rule_of(current(), ONE_UNIT).params.max_units == 1


def test_a_model_that_is_new_meanwhile_does_not_end_a_plan(
    publisher: User, other: User, world: Clock
) -> None:
    found = the_rule(publisher, world)
    known = Device.objects.get(pk="puma-30k").to_record()
    new = replace(
        known, model_id="puma-31k", model_name="Puma 31K", model_number="P31", watt_hour=Decimal("99.90")
    )
    world.shift(HOUR)
    record_device(by=a_user("cataloger"), device=new)
    world.shift(MINUTE)
    read_again(a_user("reader"), "puma-page")
    assert publish(other, "devices:puma-31k") == ""
    assert carry_out(world, found).state == "done", found.failure


def test_a_milder_rule_of_another_airline_does_not_end_a_plan(
    publisher: User, other: User, world: Clock
) -> None:
    found = the_rule(publisher, world)
    world.shift(HOUR)
    revise_rules(by=a_user("writer"), rule_ids=[TWO_UNITS], reason="The page has changed.")
    record = Rule.objects.get(rule_id=TWO_UNITS, state="draft").to_record()
    looser = replace(record, params=replace(record.params, max_units=3))
    change_rule(by=a_user("writer"), rule=looser)
    submit_rules(by=a_user("writer"), rule_ids=[TWO_UNITS])
    approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    approve_rules_again(by=a_user("second"), rule_ids=[TWO_UNITS])
    world.shift(MINUTE)
    for page in rule_of(current(), TWO_UNITS).sources:
        read_again(a_user("reader"), page)
    assert publish(other, f"rules:{TWO_UNITS}") == ""
    assert carry_out(world, found).state == "done", found.failure
