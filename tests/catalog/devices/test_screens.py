"""The screens of models: what an editor sees, fills in, and is told."""

import datetime
import re
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from msgspec.structs import replace

from catalog.devices import actions
from catalog.models import ChangeSet, Device
from catalog.records import Certificate
from catalog.records import Device as DeviceRecord
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_device, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


DEVICES = "/admin/catalog/device/"
LYNX = f"{DEVICES}lynx-10k/change/"
EDITING = ("add_device", "change_device", "view_device", "delete_device", "view_source", "view_brand")


@pytest.fixture
def editor(db: None) -> Visitor:
    return Visitor(*EDITING)


def record(model_id: str = "lynx-10k") -> DeviceRecord:
    (found,) = Device.objects.filter(pk=model_id).records()
    return found


def text_of(page: str) -> str:
    """Return what a reader of a page sees, without the markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_the_list_answers_what_an_editor_asks(editor: Visitor) -> None:
    page = text_of(editor.page(DEVICES))

    assert "Lynx Lynx 10K lynx-10k - 10,000 mAh 37.00 Wh computed 1 1, oldest read" in page
    assert "Heron Heron 9 heron-9 - not known not known - 1, never read" in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=LX10", {"lynx-10k"}),
        ("q=puma", {"puma-30k", "puma-50k"}),
        ("q=lynx+27", {"lynx-27k"}),
        ("energy=unknown", {"heron-9"}),
        ("energy=middle", {"puma-30k"}),
        ("energy=high", {"puma-50k"}),
        ("recalled=yes", {"lynx-10k", "puma-30k", "puma-50k"}),
        ("recalled=no", {"lynx-27k", "heron-9"}),
        ("evidence=none", {"heron-9"}),
        ("brand__slug__exact=lynx", {"lynx-10k", "lynx-27k"}),
        ("watt_hour_basis__exact=computed", {"lynx-10k"}),
    ],
)
def test_models_are_found_by_what_is_known_of_them(editor: Visitor, query: str, found: set[str]) -> None:
    page = editor.page(f"{DEVICES}?{query}")
    assert set(re.findall(rf"{DEVICES}([a-z0-9-]+)/change/", page)) == found


def test_a_computed_figure_too_near_a_limit_is_found(editor: Visitor) -> None:
    device = a_device(
        model_id="lynx-edge", capacity_mah=26_000, watt_hour=Decimal("96.20"), sources=("lynx-page",)
    )
    actions.record_device(by=editor.user, device=device)
    page = editor.page(f"{DEVICES}?energy=near")
    assert set(re.findall(rf"{DEVICES}([a-z0-9-]+)/change/", page)) == {"lynx-edge"}


def test_saving_what_the_form_shows_changes_nothing(editor: Visitor) -> None:
    for device in Device.objects.all():
        before = record(device.pk)
        assert save(editor, f"{DEVICES}{device.pk}/change/").status_code == 302
        assert record(device.pk) == before
    assert not Device.objects.exclude(changed_at=None).exists()


def test_a_model_is_recorded_by_who_is_signed_in(editor: Visitor) -> None:
    response = save(
        editor,
        f"{DEVICES}add/",
        model_id="lynx-pro",
        brand="lynx",
        model_name="Lynx Pro",
        capacity_mah="20000",
        nominal_voltage="3.7",
        watt_hour_basis="computed",
        **{"aliases-text": ["LX-Pro", "", "LXP"], "evidence-source": ["puma-page", "lynx-page"]},
    )

    assert response.status_code == 302
    assert not Device.objects.filter(pk="lynx-pro").exists()
    approve_what_waits()
    # The energy was left to be computed.
    assert record("lynx-pro") == a_device(
        model_id="lynx-pro",
        model_name="Lynx Pro",
        capacity_mah=20_000,
        watt_hour=Decimal(74),
        aliases=("LX-Pro", "LXP"),
        sources=("puma-page", "lynx-page"),
    )
    assert Device.objects.get(pk="lynx-pro").created_by == editor.user


def test_lists_are_changed_and_keep_their_order(editor: Visitor) -> None:
    before = record()
    save(
        editor,
        LYNX,
        **{
            "certifications-text": ["Qi2", "CCC"],
            "aliases-text": [],
            "evidence-source": ["xa-page", "lynx-page"],
        },
    )

    assert record() == before
    approve_what_waits()
    assert record() == replace(
        before, certifications=("Qi2", "CCC"), aliases=(), sources=("xa-page", "lynx-page")
    )
    assert LogEntry.objects.get().change_message == (
        "aliases: LX10 → nothing; certifications: CCC → Qi2\nCCC; sources: lynx-page → xa-page\nlynx-page"
        f" (in change set {ChangeSet.objects.get().pk}: lynx-10k)"
    )


def test_certificates_are_recorded_in_order_and_what_is_left_empty_is_not_known(editor: Visitor) -> None:
    before = record()
    save(
        editor,
        LYNX,
        **{
            "certificates-mark": ["CCC", "CCC"],
            "certificates-status": ["valid", "suspended"],
            "certificates-number": ["2024010907", ""],
            "certificates-lookup_url": ["https://register.example/", ""],
            "certificates-since": ["2024-05-01", "2026-03-01"],
            "certificates-until": ["2026-02-28", ""],
            "certificates-source": ["xa-page", "lynx-page"],
        },
    )

    certificates = (
        Certificate(
            mark="CCC",
            status="valid",
            source="xa-page",
            number="2024010907",
            lookup_url="https://register.example/",
            since=datetime.date(2024, 5, 1),
            until=datetime.date(2026, 2, 28),
        ),
        Certificate(mark="CCC", status="suspended", source="lynx-page", since=datetime.date(2026, 3, 1)),
    )
    assert record() == before
    approve_what_waits()
    assert record() == replace(before, certificates=certificates)
    assert "CCC | suspended | lynx-page |  |  | 2026-03-01 | " in LogEntry.objects.get().change_message

    # The form that is sent back as it was shown changes nothing of them.
    save(editor, LYNX, model_name="Renamed")
    approve_what_waits()
    assert (record().model_name, record().certificates) == ("Renamed", certificates)


@pytest.mark.parametrize(
    ("wrong", "reads"),
    [
        ({"certificates-status": [""]}, "Certificate 1, Status: This field is required."),
        ({"certificates-source": ["lost"]}, "names the source `lost`, which is not recorded"),
        (
            {"certificates-since": ["2026-03-02"], "certificates-until": ["2026-03-01"]},
            "the status of a certificate does not end before it starts",
        ),
    ],
)
def test_a_certificate_that_cannot_be_is_refused_and_nothing_is_written(
    editor: Visitor, wrong: dict[str, Any], reads: str
) -> None:
    before = record()
    sent = {
        "certificates-mark": ["CCC"],
        "certificates-status": ["revoked"],
        "certificates-number": [""],
        "certificates-lookup_url": [""],
        "certificates-since": [""],
        "certificates-until": [""],
        "certificates-source": ["lynx-page"],
    }
    page = save(editor, LYNX, **(sent | wrong)).content.decode()
    assert reads in unescape(page)
    assert record() == before


def test_the_id_of_a_model_stays(editor: Visitor) -> None:
    save(editor, LYNX, model_id="other", model_name="Other")
    approve_what_waits()
    assert record().model_name == "Other"
    assert not Device.objects.filter(pk="other").exists()


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"watt_hour": "99.999"}, "watt_hour", "no more than 2 decimal places"),
        ({"watt_hour_basis": "unknown"}, "watt_hour_basis", "exactly where there is no watt-hour figure"),
        ({"nominal_voltage": ""}, "watt_hour_basis", "computed watt-hours need mAh and volts"),
        ({"release_year": "1066"}, "release_year", "is between 1990 and 2100"),
        ({"capacity_mah": "0"}, "capacity_mah", "is above zero"),
        ({"evidence-source": ["nowhere"]}, "evidence", "names the source `nowhere`, which is not recorded"),
        ({"evidence-source": ["lynx-page", "lynx-page"]}, "evidence", "names a source twice"),
        ({"certifications-text": ["CCC", "CCC"]}, "certifications", "names a certification twice"),
        ({"aliases-text": ["x" * 201]}, "aliases", "Row 1, Alias: Ensure this value has at most 200"),
        ({"model_name": ""}, "model_name", "This field is required"),
    ],
)
def test_an_error_stands_at_its_field_and_nothing_typed_is_lost(
    editor: Visitor, changes: dict[str, object], field: str, sentence: str
) -> None:
    before = record()
    response = save(editor, LYNX, **{"notes": "Typed with care.", **changes})

    page = response.content.decode()
    assert response.status_code == 200
    errors = response.context_data["adminform"].form.errors  # type: ignore[attr-defined]
    assert list(errors) == [field]
    assert sentence in page.replace("&#x27;", "'")
    assert "Typed with care." in page
    assert record() == before


def test_a_new_model_with_a_misspelled_id_is_refused_at_the_id(editor: Visitor) -> None:
    response = save(
        editor,
        f"{DEVICES}add/",
        model_id="Lynx Pro",
        brand="lynx",
        model_name="Pro",
        watt_hour_basis="unknown",
    )
    errors = response.context_data["adminform"].form.errors  # type: ignore[attr-defined]
    assert errors == {"model_id": ["the model id is 2 to 80 lower-case letters, digits and hyphens"]}


def test_no_one_overwrites_what_another_person_changed_meanwhile(editor: Visitor) -> None:
    opened = fields_of(editor, LYNX)
    actions.change_device(by=a_user("other"), device=replace(record(), notes="By somebody else."))
    response = send(editor, LYNX, opened, model_name="Mine")

    assert "Another person changed this after you opened it" in response.content.decode()
    assert (record().notes, record().model_name) == ("By somebody else.", "Lynx 10K")


def test_a_model_that_may_be_recorded_twice_is_saved_with_a_warning_that_leads_there(editor: Visitor) -> None:
    changes = {"model_name": "LYNX 27,000", "capacity_mah": "27000", "watt_hour": "99.90", "model_number": ""}
    response = save(editor, LYNX, **changes)
    page = editor.page(response["Location"])

    approve_what_waits()
    assert record().model_name == "LYNX 27,000"
    assert "may be recorded twice" in page
    assert f'href="{DEVICES}lynx-27k/change/"' in page
    assert "has the same name" in page


def test_the_page_of_duplicates_names_each_pair_and_why(editor: Visitor) -> None:
    assert "No two of 5 models" in editor.page(f"{DEVICES}duplicates/")
    twin = a_device(model_id="lynx-twin", model_name="Twin", aliases=("LX-10",), sources=("lynx-page",))
    actions.record_device(by=editor.user, device=twin)
    page = text_of(editor.page(f"{DEVICES}duplicates/"))

    assert "1 pair among 6 models" in page
    assert "lynx-10k Lynx Lynx 10K, 10000 mAh lynx-twin Lynx Twin, 10000 mAh an alias" in page


def test_only_a_model_without_a_recall_can_be_deleted(editor: Visitor) -> None:
    page = editor.page(f"{DEVICES}puma-50k/delete/")
    assert "1 recall (xb-puma-50k-2026)" in page
    editor.client.post(f"{DEVICES}puma-50k/delete/", fields_of(editor, LYNX) | {"post": ["yes"]})
    assert Device.objects.filter(pk="puma-50k").exists()

    response = editor.submit(f"{DEVICES}heron-9/delete/", post="yes")
    assert response.status_code == 302
    assert Device.objects.filter(pk="heron-9").exists()
    approve_what_waits()
    assert not Device.objects.filter(pk="heron-9").exists()


def test_who_may_only_look_sees_everything_and_changes_nothing(editor: Visitor) -> None:
    page = Visitor("view_device", "view_source").page(LYNX)

    for shown in ("Lynx 10K", "LX10", "CCC", "lynx-page", "37.00"):
        assert shown in page
    assert 'name="model_name"' not in page
    assert "data-rows" not in page
