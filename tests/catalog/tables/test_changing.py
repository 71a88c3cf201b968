"""The verbs that change and delete what the catalog holds."""

import datetime
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries

from catalog.airlines.actions import change_airline, change_airlines, delete_airline, record_airline
from catalog.devices.actions import (
    change_device,
    change_devices,
    delete_device,
    record_device,
    record_devices,
)
from catalog.devices.brands.actions import delete_brand, record_brand, rename_brand
from catalog.errors import AlreadyRecorded, NotRecorded, Refused, StillReferred, Unfit, WrongState
from catalog.models import (
    Airline,
    Brand,
    Certification,
    Device,
    DeviceEvidence,
    Jurisdiction,
    PolicyChange,
    Source,
)
from catalog.places.actions import change_jurisdiction, change_jurisdictions
from catalog.records import PolicyChange as Change
from catalog.sources.actions import change_source, change_sources, delete_source, reread_source
from catalog.tables.recorded import Recorded
from tests.support.factories import READ_ON, a_device, a_source, a_user, an_airline

pytestmark = pytest.mark.usefixtures("world_rows")

LATER = datetime.datetime(2030, 5, 1, 9, 0, tzinfo=datetime.UTC)


@pytest.fixture
def editor(db: None) -> User:
    """Somebody who wrote nothing of the test world."""
    return a_user("changer")


def record_of(model: type[Recorded], pk: str) -> Any:
    (record,) = model.objects.filter(pk=pk).records()
    return record


def test_a_model_reads_back_as_it_was_changed_in_all_its_parts(editor: User) -> None:
    changed = a_device(
        brand="Puma",
        model_name="Lynx 10K Pro",
        model_number="LX-10",
        aliases=("Pro", "LX10"),
        capacity_mah=None,
        nominal_voltage=None,
        watt_hour=Decimal("36.5"),
        watt_hour_basis="rated",
        certifications=("Qi2", "CCC"),
        release_year=2025,
        notes="Printed on the back.",
        sources=("puma-page", "lynx-page"),
    )
    with time_machine.travel(LATER, tick=False):
        change_device(by=editor, device=changed)

    row = Device.objects.get(pk="lynx-10k")
    assert row.to_record() == changed
    assert (row.created_by.username, row.changed_by, row.changed_at) == ("editor", editor, LATER)
    assert row.created_at < LATER


def test_an_airline_reads_back_as_it_was_changed_in_all_its_parts(editor: User) -> None:
    (kept,) = record_of(Airline, "N1").changes
    changed = an_airline(
        icao="XNW",
        name="Northwing Air",
        country="XB",
        policy_url="https://northwing.example/new",
        confidence="reported",
        effective_from=READ_ON,
        summary="One unit.",
        notes=("Call first.", "Ask twice."),
        sources=("xa-page", "northwing-page"),
        changes=(Change(date=READ_ON, what="One unit.", source="xa-page"), kept),
    )
    with time_machine.travel(LATER, tick=False):
        change_airline(by=editor, airline=changed)

    row = Airline.objects.get(pk="N1")
    assert row.to_record() == changed
    assert [(part.changed_by, part.changed_at) for part in (row, row.policy)] == [(editor, LATER)] * 2


def test_a_policy_change_that_stays_keeps_who_told_of_it(editor: User) -> None:
    airline = record_of(Airline, "N1")
    (old,) = airline.changes
    new = Change(date=READ_ON, what="One unit.", source="xa-page")
    change_airline(by=editor, airline=replace(airline, changes=(new, old)))

    authors = PolicyChange.objects.filter(policy="N1").values_list("what", "created_by__username")
    assert list(authors) == [("One unit.", "changer"), ("Two units instead of three.", "editor")]


def test_a_source_and_a_jurisdiction_read_back_as_they_were_changed(editor: User) -> None:
    source = a_source(title="New title", basis="secondary_read", page_date=READ_ON, read_url="urn:copy:1")
    place = replace(record_of(Jurisdiction, "XB"), regulator="Agency", member_of=("INTL", "XR"))
    change_source(by=editor, source=source)
    change_jurisdiction(by=editor, jurisdiction=place)

    assert record_of(Source, "northwing-page") == source
    assert record_of(Jurisdiction, "XB") == place
    assert Jurisdiction.objects.get(pk="XB").changed_by == editor


@pytest.mark.parametrize("order", [("puma-page", "lynx-page"), ("lynx-page", "puma-page"), ()])
def test_evidence_stays_in_the_order_of_the_list(editor: User, order: Sequence[str]) -> None:
    change_device(by=editor, device=a_device(sources=("lynx-page", "puma-page", "xa-page")))
    change_device(by=editor, device=a_device(sources=tuple(order)))

    links = DeviceEvidence.objects.filter(device="lynx-10k").values_list("position", "source_id")
    assert list(links) == list(enumerate(order))


def test_what_stays_as_it_is_is_not_written(editor: User) -> None:
    parts = list(Certification.objects.values_list("pk"))
    change_devices(by=editor, devices=Device.objects.all().records())
    change_airlines(by=editor, airlines=Airline.objects.all().records())
    change_sources(by=editor, sources=Source.objects.all().records())
    change_jurisdictions(by=editor, jurisdictions=Jurisdiction.objects.all().records())

    for model in (Device, Airline, Source, Jurisdiction, Brand):
        assert not model._default_manager.exclude(changed_at=None).exists()
    assert list(Certification.objects.values_list("pk")) == parts


def test_a_page_that_still_says_so_is_renewed(editor: User) -> None:
    with time_machine.travel(LATER, tick=False):
        reread_source(by=editor, source_id="xa-page", read_on=LATER.date())

    source = Source.objects.get(pk="xa-page")
    assert (source.read_on, source.changed_by, source.changed_at) == (LATER.date(), editor, LATER)


def test_a_renamed_brand_takes_its_models_along(editor: User) -> None:
    assert rename_brand(by=editor, slug="lynx", name="Lynx Power") == "lynx-power"

    assert not Brand.objects.filter(pk="lynx").exists()
    assert record_of(Device, "lynx-10k").brand == record_of(Device, "lynx-27k").brand == "Lynx Power"
    assert Device.objects.get(pk="lynx-10k").changed_by == editor
    brand = Brand.objects.get(pk="lynx-power")
    assert (brand.created_by.username, brand.changed_by) == ("editor", editor)
    # The next model by that name joins it.
    record_device(by=editor, device=a_device(model_id="lynx-2", brand="Lynx Power"))
    assert brand.devices.count() == 3


def test_a_brand_that_is_only_spelled_otherwise_keeps_its_slug(editor: User) -> None:
    assert rename_brand(by=editor, slug="lynx", name="LYNX") == "lynx"
    assert record_of(Device, "lynx-10k").brand == "LYNX"


def test_a_brand_can_be_recorded_before_its_models(editor: User) -> None:
    assert record_brand(by=editor, name="Wild Cat") == "wild-cat"
    assert Brand.objects.get(pk="wild-cat").created_by == editor


def test_what_nothing_refers_to_can_be_deleted(editor: User) -> None:
    delete_device(by=editor, model_id="heron-9")
    delete_source(by=editor, source_id="heron-pointer")
    delete_brand(by=editor, slug="heron")
    record_airline(by=editor, airline=an_airline(airline="Z9", icao="XXZ"))
    delete_airline(by=editor, code="Z9")

    assert not Device.objects.filter(pk="heron-9").exists()
    assert not Source.objects.filter(pk="heron-pointer").exists()
    assert not Brand.objects.filter(pk="heron").exists()
    assert not Airline.objects.filter(pk="Z9").exists()


def test_a_refusal_to_delete_names_the_first_and_counts_the_rest(editor: User) -> None:
    record_devices(by=editor, devices=[a_device(model_id=f"lynx-a{number}") for number in range(9)])
    with pytest.raises(StillReferred) as refused:
        delete_brand(by=editor, slug="lynx")
    assert str(refused.value) == (
        "lynx: is used by 11 models (lynx-10k, lynx-27k, lynx-a0, lynx-a1, lynx-a2 and 6 more)"
    )


REFUSED: list[tuple[str, type[Refused], Callable[[User], object], str]] = [
    (
        "changing a model that is not there",
        NotRecorded,
        lambda by: change_device(by=by, device=a_device(model_id="lynx-99")),
        "lynx-99: there is no such model",
    ),
    (
        "changing a model twice at once",
        Unfit,
        lambda by: change_devices(by=by, devices=[a_device(), a_device(model_name="Other")]),
        "lynx-10k: is there twice in one change",
    ),
    (
        "a model that would rest on an unknown source",
        NotRecorded,
        lambda by: change_device(by=by, device=a_device(sources=("nowhere",))),
        "lynx-10k: names the source `nowhere`, which is not recorded",
    ),
    (
        "a model that would rest on one source twice",
        Unfit,
        lambda by: change_device(by=by, device=a_device(sources=("lynx-page", "lynx-page"))),
        "lynx-10k: names a source twice",
    ),
    (
        "one bad model among several",
        Unfit,
        lambda by: change_devices(
            by=by,
            devices=[
                a_device(model_id="lynx-27k", model_name="Fine"),
                a_device(watt_hour=None),
                a_device(model_id="puma-30k", brand="Puma", model_name="Fine as well"),
            ],
        ),
        "lynx-10k: the basis is `unknown` exactly where there is no watt-hour figure",
    ),
    (
        "watt-hours finer than a hundredth",
        Unfit,
        lambda by: change_device(by=by, device=a_device(watt_hour=Decimal("99.999"))),
        "lynx-10k: `watt_hour`: Ensure that there are no more than 2 decimal places",
    ),
    (
        "an ICAO code that another airline has",
        Unfit,
        lambda by: change_airline(by=by, airline=an_airline(icao="XXS")),
        "N1: another airline has this `icao` code",
    ),
    (
        "a policy at no address",
        Unfit,
        lambda by: change_airline(by=by, airline=an_airline(policy_url="a drawer")),
        "N1: `policy_url`: Enter a valid URL",
    ),
    (
        "an airline in an unknown country",
        NotRecorded,
        lambda by: change_airline(by=by, airline=an_airline(country="XZ")),
        "N1: names the country `XZ`, which is not recorded",
    ),
    (
        "a source read before the date that its page bears",
        Unfit,
        lambda by: change_source(by=by, source=a_source(page_date=datetime.date(2027, 1, 1))),
        "northwing-page: a page is not read before the date that it bears",
    ),
    (
        "reading again what was never read",
        WrongState,
        lambda by: reread_source(by=by, source_id="untold-pointer", read_on=READ_ON),
        "untold-pointer: was never read, so it cannot be read again; record a first reading instead",
    ),
    (
        "reading a page in the future",
        Unfit,
        lambda by: reread_source(by=by, source_id="xa-page", read_on=datetime.date(2100, 1, 1)),
        "xa-page: it cannot have been read on 2100-01-01: that is in the future",
    ),
    (
        "reading a page again before it was read",
        Unfit,
        lambda by: reread_source(by=by, source_id="xa-page", read_on=datetime.date(2026, 1, 1)),
        "xa-page: was already read later than that, on 20 November 2026",
    ),
    (
        "a name that another brand has",
        AlreadyRecorded,
        lambda by: rename_brand(by=by, slug="lynx", name="PUMA"),
        "puma: the brand `Puma` is recorded already",
    ),
    (
        "a brand without a Latin name",
        Unfit,
        lambda by: rename_brand(by=by, slug="lynx", name="罗马仕"),
        "lynx: the brand `罗马仕` has no name in Latin letters and digits",
    ),
    (
        "a brand that is there",
        AlreadyRecorded,
        lambda by: record_brand(by=by, name="LYNX"),
        "lynx: the brand `Lynx` is recorded already",
    ),
    (
        "deleting a brand that has models",
        StillReferred,
        lambda by: delete_brand(by=by, slug="heron"),
        "heron: is used by 1 model (heron-9)",
    ),
    (
        "deleting a model that has a recall",
        StillReferred,
        lambda by: delete_device(by=by, model_id="puma-50k"),
        "puma-50k: is used by 1 recall (xb-puma-50k-2026)",
    ),
    (
        "deleting an airline that has rules",
        StillReferred,
        lambda by: delete_airline(by=by, code="U3"),
        "U3: is used by 1 rule (u3.cabin-up-to-100wh)",
    ),
    (
        "deleting a source that records of several kinds rest on",
        StillReferred,
        lambda by: delete_source(by=by, source_id="untold-pointer"),
        "untold-pointer: is used by 1 airline (U3) and 1 rule (u3.cabin-up-to-100wh)",
    ),
    (
        "deleting what is not there",
        NotRecorded,
        lambda by: delete_source(by=by, source_id="nowhere"),
        "nowhere: there is no such source",
    ),
]


@pytest.mark.parametrize(
    ("error", "write", "sentence"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_it_refuses_and_nothing_has_changed(
    editor: User, error: type[Refused], write: Callable[[User], object], sentence: str
) -> None:
    def everything() -> list[object]:
        return [model.objects.all().records() for model in (Source, Jurisdiction, Airline, Device)]

    before = everything()
    with pytest.raises(error) as refused:
        write(editor)
    assert str(refused.value) == sentence
    assert everything() == before
    assert set(Brand.objects.values_list("pk", flat=True)) == {"lynx", "puma", "heron"}


def test_hundreds_of_changes_cost_a_handful_of_queries(
    editor: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    devices = [a_device(model_id=f"lynx-b{number}") for number in range(400)]
    record_devices(by=editor, devices=devices)

    with django_assert_max_num_queries(24):
        change_devices(
            by=editor,
            devices=[
                replace(device, notes="New.", sources=("puma-page",), certifications=("CCC",))
                for device in devices
            ],
        )
    assert Device.objects.filter(notes="New.", evidence__source="puma-page").count() == 400
