"""A roll-back to a release that left changes behind leaves them behind, too. Their authors stay authors."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
import time_machine
from msgspec.structs import replace

from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions as change_sets
from catalog.models import Device
from rules.editing.actions import approve_rules
from rules.models import Release
from rules.publishing.authors import authors_of
from rules.publishing.units import READINGS
from tests.rules.publishing.test_choosing import TWO_UNITS, current
from tests.rules.publishing.test_gate import (
    ALL,
    MINUTE,
    Person,
    cases,
    clock,
    published,
    read_again,
    roll_back,
    tighten,
    world,
)
from tests.support.choosing import publish, what_waits

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller
PUMA, LYNX = "puma-30k", "lynx-27k"
CHANGED_IT = "you changed it or released its hold"


class People:
    """Anna writes a lower energy, Bert approves it and changes something else, Eve approves that."""

    def __init__(self) -> None:
        self.anna, self.bert, self.eve = (Person(name, *ALL) for name in ("anna", "bert", "eve"))
        self.paul = Person("paul", "Publisher")


@pytest.fixture
def people(world: Clock) -> People:
    return People()


def a_change_set(by: Person, approver: Person, **energies: str) -> None:
    devices = [
        replace(Device.objects.get(pk=name.replace("_", "-")).to_record(), watt_hour=Decimal(energy))
        for name, energy in energies.items()
    ]
    approved(by, approver, devices)


def approved(by: Person, approver: Person, devices: Sequence[object]) -> None:
    found = change_sets.propose(DEVICES, devices, by=by.user, subject="models", reason="Their labels.")
    assert found is not None
    change_sets.approve(found.pk, by=approver.user, tables={"device": DEVICES})


def a_lower_energy_by_anna(people: People, clock: Clock) -> None:
    a_change_set(people.anna, people.bert, puma_30k="99.00")
    clock.shift(MINUTE)
    puma = Device.objects.get(pk=PUMA).to_record()
    approved(people.bert, people.eve, [replace(puma, release_year=2021)])


def rolled_back_to_a_part(people: People, clock: Clock) -> None:
    """Publish a rule without what else waits, then a reading, and roll that back."""
    tighten(people.bert.user)
    approve_rules(by=people.anna.user, rule_ids=[TWO_UNITS])
    clock.shift(2 * MINUTE)
    assert publish(people.anna.user, f"rules:{TWO_UNITS}") == ""
    part = Release.objects.current()
    assert part is not None
    clock.shift(2 * MINUTE)
    read_again(people.eve.user, "northwing-page")
    assert publish(people.anna.user, READINGS) == ""
    clock.shift(2 * MINUTE)
    assert roll_back(people.anna, part) == ""
    clock.shift(2 * MINUTE)


def unit_of(model: str) -> str:
    return next(unit.name for unit in what_waits().units() if ("devices", model) in unit.keys)


def test_an_author_does_not_publish_what_a_part_left_behind(people: People, world: Clock) -> None:
    a_lower_energy_by_anna(people, world)
    rolled_back_to_a_part(people, world)
    read_again(people.eve.user, "puma-page")
    assert CHANGED_IT in publish(people.anna.user, unit_of(PUMA))
    assert publish(people.paul.user, unit_of(PUMA)) == ""


def test_the_own_reading_of_an_author_counts_for_nothing(people: People, world: Clock) -> None:
    read_again(people.bert.user, "puma-page")
    assert publish(people.paul.user, READINGS) == ""
    world.shift(2 * MINUTE)
    a_lower_energy_by_anna(people, world)
    rolled_back_to_a_part(people, world)
    read_again(people.anna.user, "puma-page")
    assert "its own author recorded the reading" in publish(people.paul.user, unit_of(PUMA))


def test_a_change_set_stays_one_unit(people: People, world: Clock) -> None:
    a_change_set(people.anna, people.bert, puma_30k="99.00", lynx_27k="120.00")
    rolled_back_to_a_part(people, world)
    unit = next(one for one in what_waits().units() if ("devices", PUMA) in one.keys)
    assert {("devices", PUMA), ("devices", LYNX)} <= unit.keys


def test_its_authors_are_those_of_the_next_release(people: People, world: Clock) -> None:
    a_lower_energy_by_anna(people, world)
    rolled_back_to_a_part(people, world)
    waits = what_waits()
    found = authors_of(Release.objects.current(), waits.everything)
    assert {people.anna.user.pk, people.bert.user.pk} <= found


def test_an_author_is_no_second_person_of_the_way_back_to_it(people: People, world: Clock) -> None:
    a_lower_energy_by_anna(people, world)
    rolled_back_to_a_part(people, world)
    read_again(people.eve.user, "puma-page")
    assert publish(people.paul.user, unit_of(PUMA)) == ""
    milder = Release.objects.current()
    assert milder is not None
    world.shift(2 * MINUTE)
    a_change_set(people.eve, people.bert, puma_30k="111.00")
    world.shift(MINUTE)
    assert publish(people.paul.user, unit_of(PUMA)) == ""
    before = current()
    world.shift(2 * MINUTE)
    roll_back(people.paul, milder, request="yes")
    assert "anna wrote what would make answers less strict" in roll_back(people.anna, milder)
    assert current() == before
