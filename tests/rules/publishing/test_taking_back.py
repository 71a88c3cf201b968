"""A change set that is approved and in no release can be taken back: its records are as they were."""

import datetime
from decimal import Decimal

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec.structs import replace

from catalog.airports.bulk import AIRPORT_FACTS
from catalog.devices.actions import change_device
from catalog.devices.brands.bulk import BRANDS
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions
from catalog.editorial.selectors import audit_log
from catalog.errors import ReasonMissing, Refused, WrongState
from catalog.models import Brand, ChangeSet, Device
from catalog.sources.actions import reread_source
from catalog.tables.history import history
from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls, take_back_recalls
from recalls.models import Recall
from rules.next_release import compile_content
from rules.publishing.actions.plans import carry_out_plans
from rules.publishing.actions.releases import publish_release
from rules.publishing.actions.rolling_back import release_hold
from rules.publishing.actions.taking_back import take_back_change_set
from tests.rules.publishing.test_choosing import current
from tests.rules.publishing.test_gate import MINUTE, Person, cases, clock, published, world
from tests.support.choosing import plan, publish
from tests.support.factories import a_device, a_recall, a_user, an_airport_fact
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk", "world")

TABLES = {"device": DEVICES, "brand": BRANDS, "airportfact": AIRPORT_FACTS}
PUMA = "puma-30k"


def puma() -> Device:
    return Device.objects.get(pk=PUMA)


def approved(*devices: object, table: object = DEVICES) -> ChangeSet:
    """Approve a change set of some records."""
    found = actions.propose(table, devices, by=a_user("cataloger"), subject="records")  # type: ignore[arg-type]
    assert found is not None
    actions.approve(found.pk, by=a_user(APPROVER), tables=TABLES)
    return found


def take_back(found: ChangeSet, reason: str = "A slip.") -> str:
    """Take a change set back. Return the refusal; empty if there is none."""
    try:
        take_back_change_set(by=a_user("reviewer"), change_set=found.pk, reason=reason, tables=TABLES)
    except Refused as refused:
        return str(refused)
    return ""


def test_the_records_are_as_they_were_and_the_log_says_who_and_why() -> None:
    before = puma().to_record()
    found = approved(replace(before, watt_hour=Decimal("120.00"), aliases=("P30",)))
    assert compile_content() != current()

    assert take_back(found) == ""

    assert puma().to_record() == before
    assert compile_content() == current()
    found.refresh_from_db()
    assert (found.state, found.decided_by) == ("taken_back", a_user(APPROVER))
    for kind, subject in ((actions.KIND, str(found.pk)), ("device", PUMA)):
        entry = audit_log(kind, subject).last()
        assert entry is not None
        assert (entry.verb, str(entry.done_by), entry.reason) == ("take_back", "reviewer", "A slip.")
    last = history(Device, PUMA)[-1]
    assert last.context is not None
    assert last.context["taken_back"] == found.pk


def test_new_and_deleted_records_and_brands_are_undone_as_well() -> None:
    new = approved(a_device(model_id="lynx-new", model_name="Lynx New", sources=("lynx-page",)))
    assert take_back(new) == ""
    assert not Device.objects.filter(pk="lynx-new").exists()

    heron = Device.objects.get(pk="heron-9").to_record()
    gone = actions.propose_deletion(DEVICES, "heron-9", by=a_user("cataloger"))
    assert gone is not None
    actions.approve(gone.pk, by=a_user(APPROVER), tables=TABLES)
    assert take_back(gone) == ""
    assert Device.objects.get(pk="heron-9").to_record() == heron

    brand = Brand.objects.get(pk="puma").to_record()
    renamed = approved(replace(brand, name="PUMA"), table=BRANDS)
    assert take_back(renamed) == ""
    assert puma().to_record().brand == "Puma"
    # Another name can mean another id, and then it is changed again instead.
    other = approved(replace(brand, name="Puma Power"), table=BRANDS)
    assert "or has another id now" in take_back(other)


def test_what_a_release_contains_is_not_taken_back(world: time_machine.Traveller) -> None:
    found = approved(replace(puma().to_record(), watt_hour=Decimal("120.00")))
    world.shift(MINUTE)
    publish_release(by=a_user("publisher"), note="More energy.", now=timezone.now(), cases=())
    assert "is published already" in take_back(found)
    assert puma().watt_hour == Decimal("120.00")


def test_facts_that_readers_see_at_once_are_not_taken_back() -> None:
    assert "was public as soon as it was approved" in take_back(
        approved(an_airport_fact(), table=AIRPORT_FACTS)
    )


def test_nothing_that_was_written_since_is_lost() -> None:
    found = approved(replace(puma().to_record(), watt_hour=Decimal("120.00")))
    change_device(by=a_user("other"), device=replace(puma().to_record(), aliases=("P30",)))
    assert f"{PUMA}: was changed again after this was approved" in take_back(found)
    assert puma().watt_hour == Decimal("120.00")


def test_what_something_rests_on_is_not_taken_back() -> None:
    found = approved(a_device(model_id="lynx-new", model_name="Lynx New", sources=("lynx-page",)))
    draft_recall(by=a_user("recaller"), recall=a_recall(recall_id="xa-new", model_id="lynx-new"))
    assert "is used by 1 recall (xa-new): discard that or take it back first" in take_back(found)
    assert Device.objects.filter(pk="lynx-new").exists()


def test_a_model_that_only_a_withdrawn_recall_names_is_held_back(world: time_machine.Traveller) -> None:
    found = approved(a_device(model_id="lynx-new", model_name="Lynx New", sources=("lynx-page",)))
    draft_recall(by=a_user("recaller"), recall=a_recall(recall_id="xa-new", model_id="lynx-new"))
    submit_recalls(by=a_user("recaller"), recall_ids=["xa-new"])
    approve_recalls(by=a_user(APPROVER), recall_ids=["xa-new"])
    assert "take it back first" in take_back(found)
    take_back_recalls(by=a_user("reviewer"), recall_ids=["xa-new"], reason="Another model.")

    assert take_back(found) == ""

    # What no one could take back before is in no release, and the recall keeps the model that it named.
    assert compile_content() == current()
    assert Recall.objects.get(recall_id="xa-new").device_id == "lynx-new"
    logged = {entry.verb: entry.reason for entry in audit_log("device", "lynx-new")}
    assert logged["hold_back"] == logged["take_back"] == "A slip."
    publisher = Person("publisher", "Publisher")
    assert "Release the hold on lynx-new" in publisher.page()
    # Held back or not, whoever wrote it or let it go does not publish it.
    world.shift(MINUTE)
    release_hold(by=publisher.user, kind="devices", record_id="lynx-new", now=timezone.now())
    reread_source(by=a_user("reader"), source_id="lynx-page", read_on=timezone.localdate())
    assert "you changed it or released its hold" in publish(publisher.user, "devices:lynx-new")
    assert publish(Person("other", "Publisher").user, "devices:lynx-new") == ""


def test_it_takes_a_reason_and_an_approved_change_set() -> None:
    waiting = actions.propose(
        DEVICES, [replace(puma().to_record(), release_year=2020)], by=a_user("cataloger"), subject=PUMA
    )
    assert waiting is not None
    for reason, refusal in ((" ", ReasonMissing), ("So.", WrongState)):
        with pytest.raises(refusal):
            actions.take_back(waiting.pk, by=a_user("reviewer"), reason=reason, tables=TABLES)


def test_who_wrote_what_was_taken_back_is_an_author_when_it_comes_again() -> None:
    lower = replace(puma().to_record(), watt_hour=Decimal("99.00"))
    assert take_back(approved(lower)) == ""
    again = actions.propose(DEVICES, [lower], by=a_user("another"), subject=PUMA)
    assert again is not None
    assert set(again.authors) == {a_user("cataloger").pk, a_user("another").pk}


def test_a_plan_of_it_cannot_go(world: time_machine.Traveller) -> None:
    found = approved(replace(puma().to_record(), watt_hour=Decimal("120.00")))
    publisher = Person("publisher", "Publisher").user
    planned = plan(publisher, f"change set {found.pk}", after=datetime.timedelta(days=1))
    assert take_back(found) == ""
    world.move_to(planned.due)
    carry_out_plans(now=planned.due)
    planned.refresh_from_db()
    assert f"model {PUMA} was changed after it was planned" in planned.failure


def test_a_reviewer_does_it_on_the_screen() -> None:
    found = approved(replace(puma().to_record(), watt_hour=Decimal("120.00")))
    reviewer, editor = Person("reviewer", "Reviewer"), Person("editor", "Editor")
    before = f"/admin/rules/release/publish/before/?changeset={found.pk}"
    address = f"/admin/rules/release/publish/take-back/{found.pk}/"
    assert address in reviewer.page(before)
    assert address not in editor.page(before)
    assert editor.post(address, reason="So.").status_code == 403
    assert reviewer.post(address, reason=" ").status_code == 400
    assert reviewer.post(address, reason="A slip.").status_code == 302
    assert puma().watt_hour == Decimal("111.00")
    assert "Taken back" in reviewer.page(f"/admin/catalog/changeset/{found.pk}/change/")
    assert address not in reviewer.page(before)


def test_the_database_keeps_who_approved_it() -> None:
    found = approved(replace(puma().to_record(), watt_hour=Decimal("120.00")))
    for changes in ({"decided_by": a_user("reviewer"), "state": "taken_back"}, {"state": "discarded"}):
        with pytest.raises(IntegrityError, match="decided once"), transaction.atomic():
            ChangeSet.objects.filter(pk=found.pk).update(**changes)
