"""The verbs of the catalog: what they write, and what they refuse."""

from collections.abc import Callable, Sequence
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.airlines.actions import record_airline, record_airlines
from catalog.devices.actions import record_device, record_devices
from catalog.errors import AlreadyRecorded, NotRecorded, Refused, Unfit
from catalog.models import Airline, Brand, Country, Device, Jurisdiction, Source
from catalog.places.actions import record_countries, record_country, record_jurisdiction, record_jurisdictions
from catalog.records import PolicyChange, Record
from catalog.sources.actions import record_source, record_sources
from catalog.tables.recorded import Recorded
from tests.support import world
from tests.support.factories import READ_ON, a_country, a_device, a_jurisdiction, a_source, a_user, an_airline
from tests.support.world import build_world


@pytest.fixture
def editor(db: None) -> User:
    return a_user()


def test_every_record_of_the_test_world_reads_back_as_it_was_written(editor: User) -> None:
    build_world(by=editor)
    tables: list[tuple[type[Recorded], str, Sequence[Record]]] = [
        (Country, "code", world.COUNTRIES),
        (Jurisdiction, "code", world.JURISDICTIONS),
        (Source, "id", world.SOURCES),
        (Airline, "airline", world.AIRLINES),
        (Device, "model_id", world.DEVICES),
    ]
    for model, key, written in tables:
        read = {getattr(record, key): record for record in model.objects.all().records()}
        assert read == {getattr(record, key): record for record in written}


def test_sources_marks_and_changes_keep_the_order_in_which_they_were_written(editor: User) -> None:
    names = ["zulu-page", "alpha-page", "mike-page"]
    record_sources(by=editor, sources=[a_source(id=name) for name in names])
    record_country(by=editor, country=a_country())
    record_device(by=editor, device=a_device(sources=tuple(names), certifications=("Qi2", "CCC")))
    record_airline(by=editor, airline=an_airline(sources=tuple(names), notes=("z", "a")))
    device, airline = Device.objects.get().to_record(), Airline.objects.get().to_record()
    assert device.sources == airline.sources == tuple(names)
    assert device.certifications == ("Qi2", "CCC")
    assert airline.notes == ("z", "a")


def test_a_row_says_who_recorded_it_and_when(editor: User) -> None:
    before = timezone.now()
    record_source(by=editor, source=a_source())
    source = Source.objects.get()
    assert source.created_by == editor
    assert before <= source.created_at <= timezone.now()


def test_a_record_that_is_there_already_is_refused_and_stays_as_it_is(editor: User) -> None:
    record_source(by=editor, source=a_source(title="First"))
    with pytest.raises(AlreadyRecorded, match=r"^northwing-page: is already recorded$"):
        record_source(by=editor, source=a_source(title="Second"))
    assert Source.objects.get().title == "First"


def test_one_bad_record_among_many_is_named_and_none_is_written(editor: User) -> None:
    sources = [a_source(id="page-one"), a_source(id="page-two", jurisdiction="xa"), a_source(id="page-three")]
    with pytest.raises(Unfit, match=r"^page-two: the jurisdiction is two to four upper-case letters$"):
        record_sources(by=editor, sources=sources)
    assert not Source.objects.exists()


REFUSED: list[tuple[str, type[Refused], Callable[[User], None], str]] = [
    (
        "a device that rests on an unknown source",
        NotRecorded,
        lambda by: record_device(by=by, device=a_device(sources=("northwing-page", "nowhere"))),
        "lynx-10k: names the source `nowhere`, which is not recorded",
    ),
    (
        "a device that rests on one source twice",
        Unfit,
        lambda by: record_device(by=by, device=a_device(sources=("northwing-page", "northwing-page"))),
        "lynx-10k: names a source twice",
    ),
    (
        "a name with a character that turns the direction of what follows",
        Unfit,
        lambda by: record_device(by=by, device=a_device(model_name="Lynx \u202e10K")),
        "lynx-10k: `model_name`: has a character that is not seen, U+202E: delete it",
    ),
    (
        "another name with a space that has no width",
        Unfit,
        lambda by: record_device(by=by, device=a_device(aliases=("LX\u200b10",))),
        "lynx-10k: `aliases`: has a character that is not seen, U+200B: delete it",
    ),
    (
        "watt-hours finer than a hundredth, which are not rounded",
        Unfit,
        lambda by: record_device(by=by, device=a_device(watt_hour=Decimal("100.004"))),
        "lynx-10k: `watt_hour`: Ensure that there are no more than 2 decimal places",
    ),
    (
        "watt-hours of nothing",
        Unfit,
        lambda by: record_device(by=by, device=a_device(watt_hour=Decimal(0))),
        "lynx-10k: `watt_hour` is above zero",
    ),
    (
        "a brand without a Latin name",
        Unfit,
        lambda by: record_device(by=by, device=a_device(brand="罗马仕")),
        "lynx-10k: the brand `罗马仕` has no name in Latin letters and digits",
    ),
    (
        "a brand in two spellings",
        Unfit,
        lambda by: record_devices(by=by, devices=[a_device(), a_device(model_id="lynx-2", brand="LYNX")]),
        "lynx-2: the brand `LYNX` is already recorded as `Lynx`",
    ),
    (
        "an airline of an unknown country",
        NotRecorded,
        lambda by: record_airline(by=by, airline=an_airline(country="XZ")),
        "N1: names the country `XZ`, which is not recorded",
    ),
    (
        "a second airline with the same ICAO code",
        Unfit,
        lambda by: record_airlines(by=by, airlines=[an_airline(), an_airline(airline="N2")]),
        "N2: another airline has this `icao` code",
    ),
    (
        "a policy change that rests on an unknown source",
        NotRecorded,
        lambda by: record_airline(by=by, airline=an_airline(changes=(_change("nowhere"),))),
        "N1: names the source `nowhere`, which is not recorded",
    ),
    (
        "a member of an unknown region",
        NotRecorded,
        lambda by: record_jurisdiction(by=by, jurisdiction=a_jurisdiction(member_of=("XR",))),
        "XA: names the jurisdiction `XR`, which is not recorded",
    ),
    (
        "a country in lower case",
        Unfit,
        lambda by: record_countries(by=by, countries=[a_country(code="xb")]),
        "xb: the code is two upper-case letters",
    ),
    (
        "a source at no web address",
        Unfit,
        lambda by: record_source(by=by, source=a_source(id="drawer", url="a drawer")),
        "drawer: `url`: Enter a valid URL",
    ),
]


def _change(source: str) -> PolicyChange:
    return PolicyChange(date=READ_ON, what="Two units.", source=source)


@pytest.mark.parametrize(
    ("error", "write", "sentence"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_it_refuses(editor: User, error: type[Refused], write: Callable[[User], None], sentence: str) -> None:
    record_country(by=editor, country=a_country())
    record_source(by=editor, source=a_source())
    with pytest.raises(error) as refused:
        write(editor)
    assert str(refused.value) == sentence
    # Nothing of it stays.
    assert not Device.objects.exists()
    assert not Brand.objects.exists()
    assert not Airline.objects.exists()
    assert not Jurisdiction.objects.exists()
    assert (Country.objects.count(), Source.objects.count()) == (1, 1)


def test_a_region_and_its_members_can_be_recorded_together_in_any_order(editor: User) -> None:
    member, region = a_jurisdiction(member_of=("XR",)), a_jurisdiction(code="XR", name="The Two Lands")
    record_jurisdictions(by=editor, jurisdictions=[member, region])
    assert Jurisdiction.objects.get(code="XA").to_record() == member


def test_a_second_model_of_a_brand_joins_it(editor: User) -> None:
    record_source(by=editor, source=a_source())
    record_device(by=editor, device=a_device())
    record_device(by=editor, device=a_device(model_id="lynx-2"))
    assert Brand.objects.get().devices.count() == 2


def test_a_thousand_records_cost_as_many_queries_as_one(
    editor: User, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    record_source(by=editor, source=a_source())
    with django_assert_max_num_queries(20):  # type: ignore[attr-defined]
        record_devices(by=editor, devices=[a_device(model_id=f"lynx-{number}") for number in range(1000)])
    with django_assert_max_num_queries(5):  # type: ignore[attr-defined]
        assert len(Device.objects.all().records()) == 1000
