"""The screens of airlines and their policies."""

import datetime
import re

import pytest
from django.contrib.admin.models import LogEntry
from msgspec.structs import replace

from catalog.airlines import actions
from catalog.models import Airline, ChangeSet
from catalog.records import Airline as AirlineRecord
from catalog.records import PolicyChange
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user, an_airline

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


AIRLINES = "/admin/catalog/airline/"
NORTHWING = f"{AIRLINES}N1/change/"
POLICY_PERMISSIONS = ("add_airline", "change_airline", "view_airline", "delete_airline", "view_source")


@pytest.fixture
def editor(db: None) -> Visitor:
    return Visitor(*POLICY_PERMISSIONS)


def record(code: str = "N1") -> AirlineRecord:
    (found,) = Airline.objects.filter(pk=code).records()
    return found


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_the_list_answers_what_an_editor_asks(editor: Visitor) -> None:
    page = text_of(editor.page(AIRLINES))

    rules = Airline.objects.get(pk="N1").rules.count()
    assert f"Northwing N1 · XXN Northland (XA) confirmed {rules} 1, oldest read" in page
    assert "Untold Air U3 · XXU Farland (XC) unverified 1 1, never read" in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=xxs", {"S2"}),
        ("q=farland", {"U3"}),
        ("policy__confidence__exact=reported", {"S2"}),
        ("evidence=none", {"U3"}),
        ("country__code__exact=XA", {"N1"}),
    ],
)
def test_airlines_are_found_by_what_is_known_of_them(editor: Visitor, query: str, found: set[str]) -> None:
    assert set(re.findall(rf"{AIRLINES}(\w+)/change/", editor.page(f"{AIRLINES}?{query}"))) == found


def test_saving_what_the_form_shows_changes_nothing(editor: Visitor) -> None:
    for airline in Airline.objects.all():
        before = record(airline.pk)
        assert save(editor, f"{AIRLINES}{airline.pk}/change/").status_code == 302
        assert record(airline.pk) == before
    assert not Airline.objects.exclude(changed_at=None).exists()


def test_an_airline_is_recorded_with_its_policy(editor: Visitor) -> None:
    response = save(
        editor,
        f"{AIRLINES}add/",
        code="7Z",
        icao="XXZ",
        name="Zephyr",
        country="XC",
        policy_url="https://zephyr.example/batteries",
        summary="One unit.",
        confidence="reported",
        effective_from="2026-05-01",
        **{
            "notes-text": ["Ask twice."],
            "changes-date": ["2026-05-01", "2025-01-01"],
            "changes-what": ["One unit instead of two.", "Two units."],
            "changes-source": ["southern-star-report", "northwing-page"],
            "evidence-source": ["southern-star-report", "northwing-page"],
        },
    )

    assert response.status_code == 302
    assert not Airline.objects.filter(pk="7Z").exists()
    approve_what_waits()
    assert record("7Z") == an_airline(
        airline="7Z",
        icao="XXZ",
        name="Zephyr",
        country="XC",
        policy_url="https://zephyr.example/batteries",
        summary="One unit.",
        confidence="reported",
        effective_from=datetime.date(2026, 5, 1),
        notes=("Ask twice.",),
        sources=("southern-star-report", "northwing-page"),
        changes=(
            PolicyChange(
                date=datetime.date(2026, 5, 1), what="One unit instead of two.", source="southern-star-report"
            ),
            PolicyChange(date=datetime.date(2025, 1, 1), what="Two units.", source="northwing-page"),
        ),
    )


def test_a_policy_is_changed_and_the_log_says_from_what_to_what(editor: Visitor) -> None:
    before = record()
    save(editor, NORTHWING, confidence="reported", **{"changes-what": ["Two units, not three."]})

    (change,) = before.changes
    assert record() == before
    approve_what_waits()
    assert record() == replace(
        before, confidence="reported", changes=(replace(change, what="Two units, not three."),)
    )
    assert LogEntry.objects.get().change_message == (
        "confidence: confirmed → reported; changes: 2026-03-01 | Two units instead of three. | northwing-page"
        " → 2026-03-01 | Two units, not three. | northwing-page"
        f" (in change set {ChangeSet.objects.get().pk}: N1)"
    )


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"icao": "XXS"}, "icao", "another airline has this `icao` code"),
        ({"icao": "xxn"}, "icao", "is three upper-case letters"),
        ({"policy_url": "a drawer"}, "policy_url", "Enter a valid URL"),
        ({"policy_url": "https://localhost/x"}, "policy_url", "is an absolute web address"),
        ({"country": "ZZ"}, "country", "Select a valid choice"),
        ({"confidence": "sure"}, "confidence", "Select a valid choice"),
        ({"changes-date": ["someday"]}, "changes", "Row 1, Date: Enter a valid date."),
        ({"changes-what": [""]}, "changes", "Row 1, What changed: This field is required."),
        ({"evidence-source": ["nowhere"]}, "evidence", "names the source `nowhere`, which is not recorded"),
        ({"summary": ""}, "summary", "This field is required"),
    ],
)
def test_an_error_stands_at_its_field_and_nothing_typed_is_lost(
    editor: Visitor, changes: dict[str, object], field: str, sentence: str
) -> None:
    before = record()
    response = save(editor, NORTHWING, **{"notes-text": ["Typed with care."], **changes})

    page = response.content.decode()
    assert list(response.context_data["adminform"].form.errors) == [field]  # type: ignore[attr-defined]
    assert sentence in page
    assert "Typed with care." in page
    assert record() == before


def test_no_one_overwrites_what_another_person_changed_meanwhile(editor: Visitor) -> None:
    opened = fields_of(editor, NORTHWING)
    actions.change_airline(by=a_user("other"), airline=replace(record(), summary="By somebody else."))
    response = send(editor, NORTHWING, opened, summary="Mine.")

    assert "Another person changed this after you opened it" in response.content.decode()
    assert record().summary == "By somebody else."


def test_only_an_airline_without_rules_can_be_deleted(editor: Visitor) -> None:
    assert "1 rule (u3.cabin-up-to-100wh)" in editor.page(f"{AIRLINES}U3/delete/")
    actions.record_airline(by=editor.user, airline=an_airline(airline="Z9", icao="XXZ"))
    assert editor.submit(f"{AIRLINES}Z9/delete/", post="yes").status_code == 302
    assert Airline.objects.filter(pk="Z9").exists()
    approve_what_waits()
    assert not Airline.objects.filter(pk="Z9").exists()


def test_who_may_only_look_sees_everything_and_changes_nothing(editor: Visitor) -> None:
    page = Visitor("view_airline").page(NORTHWING)

    for shown in ("Northwing", "XXN", "confirmed", "northwing-page", "Two units instead of three."):
        assert shown in page
    assert "<textarea" not in page
    assert "data-rows" not in page
