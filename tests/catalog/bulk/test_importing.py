"""Importing files: what a dry run says, and that the import does exactly that or nothing."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries

from catalog.airlines.actions import change_airline
from catalog.airlines.bulk import AIRLINES
from catalog.bulk import files, importing
from catalog.bulk.importing import Change, Plan
from catalog.bulk.tables import Table
from catalog.devices.actions import change_device
from catalog.devices.bulk import DEVICES
from catalog.models import Device
from catalog.sources.bulk import SOURCES
from tests.support.factories import a_device, a_source, a_user, an_airline
from tests.support.reading_here import reading_here

pytestmark = pytest.mark.usefixtures("world_rows")

TABLES = [DEVICES, AIRLINES, SOURCES]
HEAD = "model_id,brand,model_name,watt_hour,watt_hour_basis,sources\r\n"


@pytest.fixture
def editor(db: None) -> User:
    """Somebody who wrote nothing of the test world."""
    return a_user("importer")


def records_of(table: Table) -> list[Any]:
    return list(table.model.objects.order_by("pk").records())


def preview(editor: User, *lines: str, name: str = "models.csv", table: Table = DEVICES) -> Plan:
    return importing.preview(table, name, (HEAD + "\r\n".join(lines)).encode(), by=editor)


def apply(
    editor: User, content: bytes, name: str = "models.csv", table: Table = DEVICES
) -> tuple[bool, Plan]:
    plan = importing.preview(table, name, content, by=editor)
    return importing.apply(table, name, content, by=editor, agreed=plan.digest)


def test_a_dry_run_tells_each_row_and_writes_nothing(editor: User) -> None:
    before = records_of(DEVICES)
    plan = preview(
        editor,
        "lynx-27k,Lynx,Lynx 27K,99.9,rated,lynx-page",
        "puma-30k,Puma,Puma 30K Pro,111,rated,puma-page",
        "puma-9k,Puma,Puma 9K,33.30,rated,",
        "puma-10k,Puma,Puma 10K,,rated,puma-page",
    )

    assert [(row.number, row.record_id, row.kind, row.changes, row.reason) for row in plan.outcomes] == [
        (2, "lynx-27k", "same", (), ""),
        (3, "puma-30k", "changed", (("model_name", "Puma 30K", "Puma 30K Pro"),), ""),
        (
            4,
            "puma-9k",
            "new",
            (
                ("model_id", "", "puma-9k"),
                ("brand", "", "Puma"),
                ("model_name", "", "Puma 9K"),
                ("watt_hour", "", "33.30"),
                ("watt_hour_basis", "", "rated"),
            ),
            "",
        ),
        (5, "puma-10k", "error", (), "the basis is `unknown` exactly where there is no watt-hour figure"),
    ]
    assert not plan.can_be_applied
    assert records_of(DEVICES) == before


def test_what_was_previewed_is_what_is_imported(editor: User) -> None:
    content = (
        HEAD + "puma-30k,Puma,Puma 30K Pro,111,rated,puma-page\npuma-9k,Puma,Nine,33.3,rated,"
    ).encode()
    plan = importing.preview(DEVICES, "models.csv", content, by=editor)
    done, applied = importing.apply(DEVICES, "models.csv", content, by=editor, agreed=plan.digest)

    assert (done, applied) == (True, plan)
    assert Device.objects.get(pk="puma-30k").model_name == "Puma 30K Pro"
    assert Device.objects.get(pk="puma-9k").created_by == editor


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (",Puma,Nine,33.3,rated,", "`model_id` is missing"),
        ("puma-9k,,Nine,33.3,rated,", "the brand `` has no name in Latin letters and digits"),
        ("puma-9k,Puma,Nine,much,rated,", "`watt_hour` is a number such as 37 or 36.48, not `much`"),
        (
            "puma-9k,Puma,Nine,33.3,guessed,",
            "`watt_hour_basis` is one of rated, computed, unknown, not `guessed`",
        ),
        ("puma-9k,Puma,Nine,33.3,rated,nowhere", "names the source `nowhere`, which is not recorded"),
        ("Puma 9K,Puma,Nine,33.3,rated,", "the model id is 2 to 80 lower-case letters, digits and hyphens"),
        ("puma-9k,PUMA,Nine,33.3,rated,", "the brand `PUMA` is already recorded as `Puma`"),
        (
            "puma-30k,Puma,Nine,33.333,rated,",
            "`watt_hour`: Ensure that there are no more than 2 decimal places",
        ),
        (
            "puma-9k,Puma,=1+1,33.3,rated,",
            "`model_name` begins like a formula; if it is text, put an apostrophe before it",
        ),
        (
            "puma-9k,Puma,C:\\temp,33.3,rated,",
            "`model_name` has a backslash without a meaning; write \\\\ for one in `C:\\temp`",
        ),
        ("puma-9k,Puma,Nine,33.3,rated,,more", "has more cells than there are columns: more"),
        (f"puma-9k,{'Puma' * 20},Nine,33.3,rated,", None),
    ],
)
def test_one_error_and_nothing_is_imported(editor: User, line: str, reason: str | None) -> None:
    before = records_of(DEVICES)
    content = (
        HEAD + "puma-50k,Puma,Fine,185,rated,puma-page\n" + line + "\nlynx-9,Lynx,Fine,9,rated,"
    ).encode()
    done, plan = apply(editor, content)

    assert not done
    assert [row.kind for row in plan.outcomes] == ["changed", "error", "new"]
    assert plan.outcomes[1].number == 3
    if reason:
        assert plan.outcomes[1].reason == reason
    assert records_of(DEVICES) == before


def test_a_record_that_stands_there_twice_is_an_error(editor: User) -> None:
    plan = preview(editor, "puma-9k,Puma,Nine,33.3,rated,", "puma-9k,Puma,Neun,33.3,rated,")
    assert [row.reason for row in plan.outcomes] == ["", "`model_id` is also in row 2"]


def test_every_one_of_several_errors_is_found(editor: User) -> None:
    lines = [f"puma-{number},Puma,Fine,{'0' if number % 7 == 0 else '9'},rated," for number in range(300)]
    plan = preview(editor, *lines)

    assert [row.record_id for row in plan.outcomes if row.kind == "error"] == [
        f"puma-{number}" for number in range(0, 300, 7)
    ]
    assert plan.count("new") == 300 - plan.count("error")


def test_a_file_that_is_wrong_altogether_is_not_checked_to_its_end(editor: User) -> None:
    lines = [f"puma-{number},Puma,Bad,0,rated," for number in range(importing.MOST_ERRORS + 50)]
    plan = preview(editor, *lines)
    assert (plan.count("error"), plan.count("unchecked")) == (importing.MOST_ERRORS, 50)
    assert not plan.can_be_applied


def test_a_missing_column_leaves_what_is_recorded_and_an_empty_cell_empties_it(editor: User) -> None:
    change_device(by=editor, device=a_device(notes="Kept.", sources=("lynx-page",), aliases=("LX10",)))
    done, _ = apply(editor, b"model_id,aliases,release_year\nlynx-10k,,2023\n")

    assert done
    (device,) = Device.objects.filter(pk="lynx-10k").records()
    assert (device.notes, device.aliases, device.release_year) == ("Kept.", (), 2023)
    assert device.sources == ("lynx-page",)


def test_a_new_record_needs_its_columns(editor: User) -> None:
    _, plan = apply(editor, b"model_id,release_year\nlynx-99,2023\n")
    assert plan.outcomes[0].reason == "`brand` is missing; a new row needs it"


def test_json_changes_only_the_fields_that_it_has(editor: User) -> None:
    content = json.dumps(
        [{"model_id": "lynx-10k", "notes": "New."}, {"model_id": "lynx-27k", "speed": 3}]
    ).encode()
    _, plan = apply(editor, content, "models.json")

    assert plan.outcomes[0].changes == (Change("notes", "", "New."),)
    assert "unknown field `speed`" in plan.outcomes[1].reason


def agree_then(change: Callable[[User], object], editor: User) -> bool:
    content = (HEAD + "puma-30k,Puma,Puma 30K Pro,111,rated,puma-page").encode()
    plan = importing.preview(DEVICES, "models.csv", content, by=editor)
    change(editor)
    done, _ = importing.apply(DEVICES, "models.csv", content, by=editor, agreed=plan.digest)
    return done


def test_what_has_changed_since_the_preview_is_asked_again(editor: User) -> None:
    (puma,) = Device.objects.filter(pk="puma-30k").records()

    assert not agree_then(
        lambda by: change_device(by=by, device=replace(puma, model_name="Otherwise")), editor
    )
    assert Device.objects.get(pk="puma-30k").model_name == "Otherwise"


def test_what_was_agreed_for_one_file_is_nothing_for_another(editor: User) -> None:
    plan = preview(editor, "puma-9k,Puma,Nine,33.3,rated,")
    other = (HEAD + "puma-9k,Puma,Neun,33.3,rated,").encode()

    done, _ = importing.apply(DEVICES, "models.csv", other, by=editor, agreed=plan.digest)

    assert not done
    assert not Device.objects.filter(pk="puma-9k").exists()


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_what_is_exported_can_be_imported_and_changes_nothing(
    editor: User, table: Table, file_format: str
) -> None:
    content = files.write(file_format, records_of(table), table.record_type)
    plan = importing.preview(table, f"export.{file_format}", content, by=editor)

    assert {row.kind for row in plan.outcomes} == {"same"}
    assert len(plan.outcomes) == table.model.objects.count()


def _texts(*refused: Literal["Cf", "Zl", "Zp"], lines: str = "") -> st.SearchStrategy[str]:
    """Return texts without control characters, which no action takes, but with these."""
    known = st.characters(
        exclude_characters="\ufffe\uffff", exclude_categories=["Cs", "Cc", *refused], include_characters=lines
    )
    return st.text(known, min_size=1, max_size=30)


ONE_LINE = _texts("Cf", "Zl", "Zp")
"""Names, in which nothing is hidden."""
TEXTS = _texts(lines="\t\n\r")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=ONE_LINE.filter(str.strip),
    notes=st.none() | TEXTS,
    aliases=st.lists(ONE_LINE.filter(str.strip), max_size=3).map(tuple),
    summary=TEXTS.filter(str.strip),
    what=TEXTS.filter(str.strip),
)
def test_a_round_trip_changes_nothing_whatever_editors_have_typed(
    editor: User, name: str, notes: str | None, aliases: tuple[str, ...], summary: str, what: str
) -> None:
    (airline,) = AIRLINES.model.objects.filter(pk="N1").records()
    (change,) = airline.changes
    change_device(
        by=editor, device=a_device(model_name=name, notes=notes, aliases=aliases, sources=("lynx-page",))
    )
    change_airline(
        by=editor, airline=replace(airline, summary=summary, changes=(replace(change, what=what),))
    )
    for table in (DEVICES, AIRLINES):
        for file_format in ("csv", "xlsx", "json"):
            content = files.write(file_format, records_of(table), table.record_type)
            with reading_here():
                plan = importing.preview(table, f"export.{file_format}", content, by=editor)
            assert {row.kind for row in plan.outcomes} == {"same"}


@pytest.mark.parametrize(
    ("table", "record", "change"),
    [
        (DEVICES, a_device(model_id="new-one", sources=("lynx-page",)), {"notes": "New."}),
        (AIRLINES, an_airline(airline="Z1", icao="XXZ", notes=("a", "b")), {"notes": ("b",)}),
        (SOURCES, a_source(id="new-page"), {"title": "Other"}),
    ],
    ids=["devices", "airlines", "sources"],
)
def test_each_kind_is_recorded_and_changed(
    editor: User, table: Table, record: Any, change: dict[str, object]
) -> None:
    for version in (record, replace(record, **change)):
        content = files.write("csv", [version], table.record_type)
        assert apply(editor, content, table=table)[0]
        (found,) = table.model.objects.filter(pk=getattr(record, table.key)).records()
        assert found == version


def test_a_thousand_rows_cost_a_constant_number_of_queries_for_each_batch(
    editor: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    lines: Sequence[str] = [f"puma-{number},Puma,Fine,9,rated,puma-page" for number in range(1000)]
    with django_assert_max_num_queries(1000 // importing.BATCH * 20 + 10):
        assert preview(editor, *lines).count("new") == 1000
