"""Facts of the catalog change only after another person's approval."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from msgspec.structs import replace

from catalog.airlines.bulk import AIRLINES
from catalog.devices.actions import change_device, delete_device, record_device
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions
from catalog.editorial.pending.selectors import last_changes, waiting_change
from catalog.editorial.selectors import audit_log
from catalog.errors import NotRecorded, OwnWork, ReasonMissing, Refused, Unfit, WrongState
from catalog.models import Airline, Brand, ChangeSet, Device, PendingChange, Source
from catalog.records import Device as DeviceRecord
from catalog.sources.actions import change_source
from rules.next_release import compile_content
from tests.support.desk.approving import TABLES
from tests.support.factories import a_device, a_user, an_airline

MILDER = {"watt_hour": Decimal("98.00"), "capacity_mah": 27_000}


pytestmark = pytest.mark.usefixtures("world_rows")


def record(model_id: str = "puma-30k") -> DeviceRecord:
    (found,) = Device.objects.filter(pk=model_id).records()
    return found


def save(by: User, *records: Any, table: Any = DEVICES, reason: str = "", **more: Any) -> ChangeSet:
    found = actions.propose(table, records, by=by, subject="a form", reason=reason, **more)
    assert found is not None
    return found


def approve(change_set: ChangeSet, by: User) -> None:
    actions.approve(change_set.pk, by=by, tables=TABLES)


def state(change_set: ChangeSet) -> str:
    return ChangeSet.objects.get(pk=change_set.pk).state


def test_nothing_of_a_waiting_change_reaches_a_release(editor: User) -> None:
    before = compile_content()
    save(editor, replace(record(), **MILDER), a_device(model_id="puma-new", brand="Ocelot"))

    assert compile_content() == before
    assert not Brand.objects.filter(name="Ocelot").exists()


def test_all_of_it_is_written_when_another_person_approves(editor: User, reviewer: User) -> None:
    milder = replace(record(), **MILDER)
    new = a_device(model_id="puma-new", brand="Ocelot", sources=("puma-page",))
    found = save(editor, milder, new)
    approve(found, reviewer)

    assert state(found) == "approved"
    assert {record(), record("puma-new")} == {milder, new}
    row = Device.objects.get(pk="puma-30k")
    assert row.changed_by == editor
    assert waiting_change(DEVICES, "puma-30k") is None


def test_notes_for_editors_are_written_at_once(editor: User) -> None:
    noted = replace(record(), notes="Seen in a shop.")
    assert actions.propose(DEVICES, [noted], by=editor, subject="a form") is None
    assert record() == noted

    save(editor, replace(noted, notes="Seen in two shops.", model_name="Renamed"))
    assert record() == replace(noted, notes="Seen in two shops.")


@pytest.mark.parametrize(
    "changes",
    [
        {"brand": "Lynx"},
        {"model_name": "Puma 20K"},
        {"model_number": "P20"},
        {"aliases": ("Puma 20K",)},
        {"release_year": 2019},
        {"certifications": ("CCC",)},
        {"sources": ("lynx-page",)},
    ],
)
def test_what_names_a_model_or_supports_it_waits_as_its_energy_does(
    editor: User, reviewer: User, changes: dict[str, Any]
) -> None:
    before = record()
    found = save(editor, replace(before, **changes))
    assert record() == before
    approve(found, reviewer)
    assert record() == replace(before, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Southwing"},
        {"icao": "XXM"},
        {"policy_url": "https://elsewhere.example/"},
        {"summary": "No limit."},
        {"changes": ()},
    ],
)
def test_what_names_an_airline_or_is_shown_as_its_policy_waits(
    editor: User, reviewer: User, changes: dict[str, Any]
) -> None:
    (before,) = Airline.objects.filter(pk="N1").records()
    found = save(editor, replace(before, **changes), table=AIRLINES)
    (now,) = Airline.objects.filter(pk="N1").records()
    assert now == before
    approve(found, reviewer)
    (now,) = Airline.objects.filter(pk="N1").records()
    assert now == replace(before, **changes)


def test_authors_cannot_approve_their_own_change_set(editor: User) -> None:
    found = save(editor, replace(record(), **MILDER))
    with pytest.raises(OwnWork, match="you cannot approve your own work"):
        approve(found, editor)
    assert record().watt_hour == Decimal("111.00")


def test_the_database_refuses_an_author_as_the_approver(editor: User, reviewer: User) -> None:
    found = save(editor, replace(record(), **MILDER))
    row = ChangeSet.objects.filter(pk=found.pk)
    with pytest.raises(IntegrityError, match="approver_is_not_author"), transaction.atomic():
        row.update(state="approved", decided_by=editor, decided_at=found.created_at)
    with pytest.raises(IntegrityError, match="content of a change set stays"), transaction.atomic():
        row.update(authors=[reviewer.pk])
    with pytest.raises(IntegrityError, match="content of a change set stays"), transaction.atomic():
        found.changes.update(after={"watt_hour": "1.00"})
    with pytest.raises(IntegrityError, match="is not deleted"), transaction.atomic():
        PendingChange.objects.all().delete()
    approve(found, reviewer)
    with pytest.raises(IntegrityError, match="decided once"), transaction.atomic():
        row.update(state="waiting", decided_by=None, decided_at=None)


def test_a_returned_change_set_is_not_written_and_its_author_corrects_it(
    editor: User, reviewer: User
) -> None:
    found = save(editor, replace(record(), **MILDER))
    with pytest.raises(ReasonMissing):
        actions.return_to_author(found.pk, by=reviewer, reason=" ")
    actions.return_to_author(found.pk, by=reviewer, reason="The page says 111 Wh.")
    assert (state(found), record().watt_hour) == ("returned", Decimal("111.00"))
    with pytest.raises(WrongState, match="is returned already"):
        approve(found, reviewer)

    corrected = save(editor, replace(record(), watt_hour=Decimal("112.00")), replaces=found.pk)
    assert state(found) == "discarded"
    approve(corrected, reviewer)
    assert record().watt_hour == Decimal("112.00")


def test_who_wrote_in_a_returned_change_set_cannot_approve_its_correction(
    editor: User, reviewer: User
) -> None:
    found = save(editor, replace(record(), **MILDER))
    actions.return_to_author(found.pk, by=reviewer, reason="Not yet.")
    other = a_user("other")
    again = save(other, replace(record(), **MILDER), replaces=found.pk)

    for author in (editor, other):
        with pytest.raises(OwnWork):
            approve(again, author)
    approve(again, reviewer)


def test_a_discarded_change_set_is_not_written_and_frees_its_records(editor: User, reviewer: User) -> None:
    found = save(editor, replace(record(), **MILDER))
    with pytest.raises(WrongState, match=f"change set {found.pk}"):
        save(a_user("other"), replace(record(), watt_hour=Decimal("1.00")), reason="x")
    actions.discard(found.pk, by=editor, reason="Wrong model.")
    with pytest.raises(WrongState, match="is discarded already"):
        approve(found, reviewer)
    save(editor, replace(record(), **MILDER))


def test_a_record_that_changed_meanwhile_stops_all_of_it_and_nothing_is_lost(
    editor: User, reviewer: User
) -> None:
    found = save(editor, replace(record(), **MILDER), replace(record("lynx-27k"), watt_hour=Decimal("98.00")))
    change_device(by=a_user("corpus"), device=replace(record(), watt_hour=Decimal("112.00")))

    with pytest.raises(WrongState, match=r"`watt_hour` was 111.00 and is 112.00 now"):
        approve(found, reviewer)
    assert (state(found), record("lynx-27k").watt_hour) == ("waiting", Decimal("99.90"))
    # Notes may change meanwhile.
    change_device(
        by=a_user("corpus"), device=replace(record(), watt_hour=Decimal("111.00"), notes="Meanwhile.")
    )
    approve(found, reviewer)
    assert (record().watt_hour, record().notes) == (Decimal("98.00"), "Meanwhile.")


def test_a_new_record_that_is_there_meanwhile_or_a_deleted_one_stops_it(editor: User, reviewer: User) -> None:
    new = save(editor, a_device(model_id="puma-new"))
    record_device(by=a_user("corpus"), device=a_device(model_id="puma-new"))
    with pytest.raises(WrongState, match="was recorded after this was saved"):
        approve(new, reviewer)
    gone = save(editor, a_device(model_id="heron-9"))
    delete_device(by=a_user("corpus"), model_id="heron-9")
    with pytest.raises(WrongState, match="was deleted after this was saved"):
        approve(gone, reviewer)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"sources": ("nowhere",)}, NotRecorded),
        ({"watt_hour_basis": "unknown"}, Unfit),
        ({"watt_hour": Decimal(0)}, Unfit),
    ],
)
def test_what_the_tables_refuse_is_refused_when_it_is_saved(
    editor: User, changes: dict[str, Any], refusal: type[Refused]
) -> None:
    with pytest.raises(refusal):
        actions.propose(
            DEVICES, [replace(record(), **(MILDER | changes))], by=editor, subject="x", reason="y"
        )
    assert not ChangeSet.objects.exists()


def test_a_record_waits_in_one_change_set_at_most_whatever_writes(editor: User) -> None:
    found = save(editor, a_device(model_id="puma-new"))
    second = PendingChange(change_set=found, kind="device", record_id="puma-new", after={})
    with pytest.raises(IntegrityError), transaction.atomic():
        second.save()


def test_the_log_has_every_step_of_the_change_set_and_of_its_records(editor: User, reviewer: User) -> None:
    first = save(editor, replace(record(), **MILDER), reason="Read the page.")
    actions.return_to_author(first.pk, by=reviewer, reason="Which page?")
    second = save(editor, replace(record(), **MILDER), replaces=first.pk)
    approve(second, reviewer)

    def told(kind: str, subject: str) -> list[tuple[str, str, str]]:
        return [(entry.verb, entry.done_by.username, entry.reason) for entry in audit_log(kind, subject)]

    replaced = ("discard", "editor", f"Replaced by change set {second.pk}.")
    of_first = [
        ("submit", "editor", "Read the page."),
        ("return", reviewer.username, "Which page?"),
        replaced,
    ]
    assert told("change set", str(first.pk)) == of_first
    of_second = [("submit", "editor", ""), ("approve", reviewer.username, "")]
    assert told("change set", str(second.pk)) == of_second
    assert sorted(told("device", "puma-30k")) == sorted(of_first + of_second)


def test_who_is_behind_the_present_facts_is_known(editor: User, reviewer: User) -> None:
    assert last_changes(DEVICES, ["puma-30k"]) == {}
    found = save(editor, replace(record(), **MILDER))
    assert last_changes(DEVICES, ["puma-30k"]) == {}
    approve(found, reviewer)
    (last,) = last_changes(DEVICES, ["puma-30k", "lynx-10k"]).values()
    assert (last.change_set, last.authors, last.approved_by) == (found.pk, {editor.pk}, reviewer.pk)
    change_device(by=a_user("corpus"), device=replace(record(), notes="Other words."))
    assert "puma-30k" in last_changes(DEVICES, ["puma-30k"])
    # No one approved these facts.
    change_device(by=a_user("corpus"), device=replace(record(), watt_hour=Decimal("97.00")))
    assert last_changes(DEVICES, ["puma-30k"]) == {}


def test_an_airlines_home_code_confidence_and_notes_wait(editor: User, reviewer: User) -> None:
    """Partners read the notes of an airline."""
    (before,) = Airline.objects.filter(pk="N1").records()
    after = replace(before, country="XB", notes=("New.",))
    found = save(editor, after, table=AIRLINES)
    (now,) = Airline.objects.filter(pk="N1").records()
    assert now == before
    approve(found, reviewer)
    (now,) = Airline.objects.filter(pk="N1").records()
    assert now == after


def test_a_rated_energy_far_from_the_capacity_needs_a_reason(editor: User) -> None:
    far = replace(record(), watt_hour=Decimal("88.00"))
    with pytest.raises(ReasonMissing, match=r"differs by more than 20 % from mAh times volts, 111.00 Wh"):
        save(editor, far)
    # Exactly 20 % is near enough.
    near = save(editor, replace(record(), watt_hour=Decimal("88.80")))
    actions.discard(near.pk, by=editor, reason="Tried.")
    assert save(editor, far, reason="The label gives 88 Wh.").reason == "The label gives 88 Wh."


def test_an_old_deviation_needs_no_new_reason(editor: User) -> None:
    change_device(by=editor, device=replace(record(), watt_hour=Decimal("50.00")))
    assert actions.propose(DEVICES, [replace(record(), notes="New.")], by=editor, subject="x") is None


def test_confirmed_needs_an_official_page_that_was_read(editor: User, reviewer: User) -> None:
    (before,) = Airline.objects.filter(pk="S2").records()
    with pytest.raises(Unfit, match="an official page that was read"):
        save(editor, replace(before, confidence="confirmed"), table=AIRLINES)
    sourced = replace(before, confidence="confirmed", sources=("southern-star-report", "northwing-page"))
    found = save(editor, sourced, table=AIRLINES)
    # The page is read no longer when it is approved.
    page = Source.objects.get(pk="northwing-page").to_record()
    change_source(by=editor, source=replace(page, basis="secondary_read"))
    with pytest.raises(Unfit, match="an official page that was read"):
        approve(found, reviewer)


def test_a_confirmed_airline_keeps_its_official_page(editor: User) -> None:
    (before,) = Airline.objects.filter(pk="N1").records()
    with pytest.raises(Unfit, match="an official page that was read"):
        actions.propose(
            AIRLINES, [replace(before, sources=("southern-star-report",))], by=editor, subject="x"
        )
    with pytest.raises(Unfit, match="an official page that was read"):
        save(editor, an_airline(airline="N2", icao="XXM", sources=("untold-pointer",)), table=AIRLINES)
