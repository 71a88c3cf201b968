"""More ways for one person with all roles to get a milder answer out alone: all of them are refused."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from msgspec.structs import replace

from catalog.airlines.actions import change_airline
from catalog.devices.actions import change_device
from catalog.errors import Refused
from catalog.models import Airline, Device, Jurisdiction, Source
from catalog.places.actions import change_jurisdictions
from catalog.sources.actions import change_source, record_source, reread_source
from recalls.editing.actions import approve_recalls, submit_recalls, withdraw_recalls
from rules.editing.actions import (
    approve_rules,
    approve_rules_again,
    discard_rules,
    draft_rule,
    submit_rules,
    take_back_rules,
    withdraw_rules,
)
from rules.models import Release, Rule
from rules.next_release import compile_content
from rules.releases.ledger import canonical_text, digest
from tests.rules.publishing.test_gate import (
    AGAIN,
    ALL,
    ITS_SOURCE,
    MINUTE,
    NO_SECOND,
    ONE_UNIT,
    OWN,
    OWN_PUBLISHING,
    OWN_READING,
    PUBLISH,
    START,
    UNREAD,
    Person,
    cases,
    clock,
    loosen,
    published,
    read_again,
    world,
)
from tests.support.desk.publishing import shown_alone
from tests.support.factories import a_rule, a_source, a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

Clock = time_machine.Traveller
FUTURE = "that is in the future"
CHANGED = "you changed it or released its hold, so another person must publish it"
ALONE = "one person alone publishes only what makes no verdict less strict"


def refusal(action: Callable[..., object], **named: Any) -> str:
    """Return why an action is refused; empty if it is not."""
    try:
        action(**named)
    except Refused as refused:
        return str(refused)
    return ""


def alone(person: Person, **fields: str) -> str:
    answer = person.post(f"{PUBLISH}alone/", **{**shown_alone(), "reason": "Hurry.", **fields})
    return "" if answer.status_code == 302 else answer.content.decode()


def plan(person: Person) -> str:
    answer = person.post(
        f"{PUBLISH}plan/",
        note="Later.",
        base=str(Release.objects.current()),
        content_sha256=digest(canonical_text(compile_content())),
        due=f"{START + datetime.timedelta(days=1):%Y-%m-%dT%H:%M}",
    )
    return "" if answer.status_code == 302 else answer.content.decode()


def ready(me: Person, clock: Clock) -> None:
    """Do all that a looser rule needs, but for its publisher."""
    loosen(me.user, approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))


def publish_own(me: Person, clock: Clock) -> str:
    ready(me, clock)
    return me.publish()


def plan_own(me: Person, clock: Clock) -> str:
    ready(me, clock)
    return plan(me)


def plan_without_second(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER))
    return plan(me)


def publish_alone_after_one_approval(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER))
    return alone(me, rule=ONE_UNIT)


def publish_alone_in_review(me: Person, clock: Clock) -> str:
    loosen(me.user)
    return alone(me, rule=ONE_UNIT)


def withdraw_alone(me: Person, clock: Clock) -> str:
    withdraw_rules(by=me.user, rule_ids=[ONE_UNIT], reason="Over.")
    submit_rules(by=me.user, rule_ids=[ONE_UNIT])
    return alone(me, rule=ONE_UNIT)


def withdraw_a_recall_alone(me: Person, clock: Clock) -> str:
    withdraw_recalls(by=me.user, recall_ids=["xb-puma-30k-2026"], reason="Over.")
    submit_recalls(by=me.user, recall_ids=["xb-puma-30k-2026"])
    return alone(me, recall="xb-puma-30k-2026")


def withdraw_a_recall_with_one_approval(me: Person, clock: Clock) -> str:
    withdraw_recalls(by=me.user, recall_ids=["xb-puma-30k-2026"], reason="Over.")
    submit_recalls(by=me.user, recall_ids=["xb-puma-30k-2026"])
    approve_recalls(by=a_user(APPROVER), recall_ids=["xb-puma-30k-2026"])
    return me.publish()


def approve_own(me: Person, clock: Clock) -> str:
    loosen(me.user)
    return refusal(approve_rules, by=me.user, rule_ids=[ONE_UNIT])


def approve_many_with_own(me: Person, clock: Clock) -> str:
    loosen(me.user)
    withdraw_rules(by=a_user("other"), rule_ids=["n1.two-units"], reason="Over.")
    submit_rules(by=a_user("other"), rule_ids=["n1.two-units"])
    return refusal(approve_rules, by=me.user, rule_ids=["n1.two-units", ONE_UNIT])


def approve_again_in_another_session(me: Person, clock: Clock) -> str:
    loosen(a_user("other"), approver=me.user)
    return refusal(approve_rules_again, by=Person(str(me.user), *ALL).user, rule_ids=[ONE_UNIT])


def approve_own_a_second_time(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER))
    return refusal(approve_rules_again, by=me.user, rule_ids=[ONE_UNIT])


def read_ones_own_evidence(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(me.user)
    return Person("publisher", "Publisher").publish()


def let_another_address_count_as_read(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))
    source = Source.objects.get(pk=ITS_SOURCE).to_record()
    change_source(by=me.user, source=replace(source, url="https://daily.xb.example/another-page"))
    return Person("publisher", "Publisher").publish()


def retitle_the_evidence(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    source = Source.objects.get(pk=ITS_SOURCE).to_record()
    change_source(by=a_user("reader"), source=replace(source, title="Newer, it seems"))
    return Person("publisher", "Publisher").publish()


def read_in_the_future(me: Person, clock: Clock) -> str:
    day = timezone.localdate() + datetime.timedelta(days=1)
    return refusal(reread_source, by=me.user, source_id=ITS_SOURCE, read_on=day)


def change_to_the_future(me: Person, clock: Clock) -> str:
    source = Source.objects.get(pk=ITS_SOURCE).to_record()
    return refusal(change_source, by=me.user, source=replace(source, read_on=datetime.date(2027, 12, 31)))


def record_in_the_future(me: Person, clock: Clock) -> str:
    source = a_source(id="new-page", read_on=datetime.date(2027, 12, 31))
    return refusal(record_source, by=me.user, source=source)


def write_the_future_into_the_table(me: Person, clock: Clock) -> str:
    try:
        with transaction.atomic():
            Source.objects.update(read_on=F("read_on") + datetime.timedelta(days=400))
    except IntegrityError as refused:
        return str(refused)
    return ""


def draft_the_rule_again(me: Person, clock: Clock) -> str:
    loosen(me.user)
    from rules.editing.actions import return_rules

    return_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT], reason="No.")
    discard_rules(by=me.user, rule_ids=[ONE_UNIT], reason="Anew.")
    return refusal(draft_rule, by=me.user, rule=a_rule(rule_id=ONE_UNIT))


def take_back_and_let_another_copy(me: Person, clock: Clock) -> str:
    loosen(me.user, approver=a_user(APPROVER))
    take_back_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT], reason="Wait.")
    loosen(a_user("friend"), approver=me.user, second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))
    return Person("publisher", "Publisher").publish()


def replace_a_rule_under_another_name(me: Person, clock: Clock) -> str:
    withdraw_rules(by=me.user, rule_ids=[ONE_UNIT], reason="Renamed.")
    submit_rules(by=me.user, rule_ids=[ONE_UNIT])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT])
    return me.publish()


def lower_an_energy(me: Person, clock: Clock) -> str:
    device = Device.objects.get(pk="puma-30k").to_record()
    change_device(by=me.user, device=replace(device, watt_hour=Decimal("99.00")))
    return me.publish()


def invent_an_energy(me: Person, clock: Clock) -> str:
    device = Device.objects.get(pk="heron-9").to_record()
    change_device(by=me.user, device=replace(device, watt_hour=Decimal(20), watt_hour_basis="rated"))
    return me.publish()


def move_a_country(me: Person, clock: Clock) -> str:
    place = Jurisdiction.objects.get(pk="XA").to_record()
    change_jurisdictions(by=me.user, jurisdictions=[replace(place, member_of=())])
    device = Device.objects.get(pk="puma-30k").to_record()
    change_device(by=me.user, device=replace(device, watt_hour=Decimal("98.00")))
    return me.publish()


def move_a_country_and_nothing_else(me: Person, clock: Clock) -> str:
    place = Jurisdiction.objects.get(pk="XA").to_record()
    change_jurisdictions(by=me.user, jurisdictions=[replace(place, member_of=())])
    return me.publish()


def write_the_rule_anew_under_another_name(me: Person, clock: Clock) -> str:
    old = Rule.objects.get(rule_id=ONE_UNIT).to_record()
    new = replace(old, rule_id="s2.two-units", params=replace(old.params, max_units=2))
    draft_rule(by=me.user, rule=new)
    withdraw_rules(by=me.user, rule_ids=[ONE_UNIT], reason="Renamed.")
    submit_rules(by=me.user, rule_ids=[ONE_UNIT, "s2.two-units"])
    approve_rules(by=a_user(APPROVER), rule_ids=[ONE_UNIT, "s2.two-units"])
    return me.publish()


def confirm_an_airline(me: Person, clock: Clock) -> str:
    airline = Airline.objects.get(pk="U3").to_record()
    change_airline(by=me.user, airline=replace(airline, confidence="confirmed", sources=("intl-page",)))
    return me.publish()


def publish_in_an_emergency_without_a_reason(me: Person, clock: Clock) -> str:
    return alone(me, reason=" ")


ATTACKS: list[tuple[str, Callable[[Person, Clock], str]]] = [
    (OWN_PUBLISHING, publish_own),
    (OWN_PUBLISHING, plan_own),
    (NO_SECOND, plan_without_second),
    (ALONE, publish_alone_after_one_approval),
    (ALONE, publish_alone_in_review),
    (ALONE, withdraw_alone),
    (ALONE, withdraw_a_recall_alone),
    (NO_SECOND, withdraw_a_recall_with_one_approval),
    (OWN, approve_own),
    (OWN, approve_many_with_own),
    (AGAIN, approve_again_in_another_session),
    (OWN, approve_own_a_second_time),
    (OWN_READING, read_ones_own_evidence),
    (OWN_READING, let_another_address_count_as_read),
    (UNREAD, retitle_the_evidence),
    (FUTURE, read_in_the_future),
    (FUTURE, change_to_the_future),
    (FUTURE, record_in_the_future),
    ("source_is_read_before_it_is_recorded", write_the_future_into_the_table),
    ("is already recorded", draft_the_rule_again),
    ("wrote in an earlier revision of it", take_back_and_let_another_copy),
    (NO_SECOND, replace_a_rule_under_another_name),
    (CHANGED, lower_an_energy),
    (CHANGED, invent_an_energy),
    (CHANGED, move_a_country),
    (CHANGED, move_a_country_and_nothing_else),
    (NO_SECOND, write_the_rule_anew_under_another_name),
    (CHANGED, confirm_an_airline),
    ("a release needs a reason", publish_in_an_emergency_without_a_reason),
]


@pytest.mark.parametrize(("sentence", "attack"), ATTACKS, ids=[attack.__name__ for _, attack in ATTACKS])
def test_it_is_refused(
    world: Clock,
    sentence: str,
    attack: Callable[[Person, Clock], str],
) -> None:
    first = Release.objects.current()
    assert sentence in attack(Person("mallory", *ALL), world)
    assert Release.objects.current() == first
