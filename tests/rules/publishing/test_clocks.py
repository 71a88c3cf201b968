"""Who changed what since a release, whatever the clock of the database says.

Rows and releases have the time of the service, events that of the database. Here the service is months ahead
of the database, or days behind it.
"""

import datetime
from collections.abc import Iterator
from decimal import Decimal

import pytest
import time_machine
from django.utils import timezone
from msgspec.structs import replace

from catalog.devices.actions import change_device
from catalog.models import Device
from catalog.sources.actions import change_source, reread_source
from catalog.sources.models import Source
from catalog.tables.history import events_of
from rules.cases import Case
from rules.publishing.actions.releases import publish_release
from tests.rules.publishing.test_gate import ITS_SOURCE, MINUTE, START, Person, cases
from tests.support.factories import a_user
from tests.support.world import build_world

__all__ = ["cases"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

PUMA = "puma-30k"
AHEAD = datetime.datetime(2126, 6, 1, 9, 0, tzinfo=datetime.UTC)
CHANGED_IT = "you changed it or released its hold, so another person must publish it"
CITED = "you changed or read what this release cites"


@pytest.fixture(params=[AHEAD, START], ids=["ahead of the database", "behind the database"])
def skewed(request: pytest.FixtureRequest, db: None, cases: list[Case]) -> Iterator[time_machine.Traveller]:
    """The test world, published while the clock of the service differs from that of the database."""
    with time_machine.travel(request.param, tick=False) as clock:
        build_world(by=a_user())
        clock.shift(MINUTE)
        yield clock


def publish_first(clock: time_machine.Traveller) -> None:
    publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now())
    clock.shift(10 * MINUTE)


def lower(by: Person, energy: str) -> None:
    """Lower an energy, as another person read on its page."""
    record = Device.objects.get(pk=PUMA).to_record()
    change_device(by=by.user, device=replace(record, watt_hour=Decimal(energy)))
    reread_source(by=a_user("reader"), source_id="puma-page", read_on=timezone.localdate())


def retitle(by: Person, title: str) -> None:
    record = Source.objects.get(pk=ITS_SOURCE).to_record()
    change_source(by=by.user, source=replace(record, title=title))


def test_the_clocks_differ(skewed: time_machine.Traveller) -> None:
    event = events_of(Device).filter(pgh_obj_id=PUMA).get()
    assert abs(event.pgh_created_at - event.created_at) > datetime.timedelta(days=1)


def test_a_person_who_changed_a_model_before_another_one_does_not_publish_it(
    skewed: time_machine.Traveller,
) -> None:
    publish_first(skewed)
    first, last = Person("first", "Publisher"), Person("last", "Publisher")
    lower(first, "99")
    skewed.shift(MINUTE)
    lower(last, "98")
    assert CHANGED_IT in first.publish()
    assert CHANGED_IT in last.publish()
    assert Person("other", "Publisher").publish() == ""


def test_a_person_who_changed_a_source_before_another_one_does_not_publish_it(
    skewed: time_machine.Traveller,
) -> None:
    publish_first(skewed)
    first = Person("first", "Publisher")
    retitle(first, "Newer rules")
    skewed.shift(MINUTE)
    retitle(Person("last", "Publisher"), "Newest rules")
    assert CITED in first.publish()
    assert Person("other", "Publisher").publish() == ""


def test_what_a_person_changed_before_the_release_is_forgotten(skewed: time_machine.Traveller) -> None:
    early = Person("early", "Publisher")
    lower(early, "110")
    retitle(early, "Newer rules")
    skewed.shift(10 * MINUTE)
    publish_first(skewed)
    lower(Person("last", "Publisher"), "98")
    retitle(Person("last", "Publisher"), "Newest rules")
    assert early.publish() == ""


def test_a_change_that_was_not_yet_in_the_release_counts(skewed: time_machine.Traveller) -> None:
    """Its transaction was still open, or the clock of its machine is half a minute behind."""
    publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now())
    skewed.shift(-MINUTE / 2)
    first = Person("first", "Publisher")
    retitle(first, "Newer rules")
    skewed.shift(10 * MINUTE)
    retitle(Person("last", "Publisher"), "Newest rules")
    assert CITED in first.publish()
    assert Person("other", "Publisher").publish() == ""


def test_a_change_whose_transaction_began_long_before_the_release_counts(
    skewed: time_machine.Traveller,
) -> None:
    """An import can take many minutes. What the release says shows that the change is not in it."""
    skewed.shift(40 * MINUTE)
    publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now())
    skewed.shift(-30 * MINUTE)
    first = Person("first", "Publisher")
    retitle(first, "Newer rules")
    skewed.shift(40 * MINUTE)
    # The session has ended meanwhile.
    first = Person("first", "Publisher")
    assert CITED in first.publish()
    retitle(Person("last", "Publisher"), "Newest rules")
    assert CITED in first.publish()
    assert Person("other", "Publisher").publish() == ""


def test_a_change_of_a_model_that_was_not_yet_in_the_release_counts(skewed: time_machine.Traveller) -> None:
    publish_release(by=a_user("first-publisher"), note="First.", now=timezone.now())
    skewed.shift(-MINUTE / 2)
    first = Person("first", "Publisher")
    lower(first, "99")
    skewed.shift(10 * MINUTE)
    lower(Person("last", "Publisher"), "98")
    assert CHANGED_IT in first.publish()
