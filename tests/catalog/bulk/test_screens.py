"""Importing and exporting in the admin: what is previewed is what is done, by those who may."""

import re

import msgspec
import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from catalog.bulk import files
from catalog.devices import actions
from catalog.models import Device, Source
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.uploading import AGREED, agree, upload
from tests.support.desk.uploading import MODELS as IMPORT
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_device, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


DEVICES = "/admin/catalog/device/"
HEAD = "model_id,brand,model_name,watt_hour,watt_hour_basis,sources\n"
GOOD = HEAD + "puma-30k,Puma,Puma 30K Pro,111,rated,puma-page\npuma-9k,Puma,Puma 9K,33.3,rated,puma-page\n"
BAD = GOOD + "puma-8k,Puma,Puma 8K,0,rated,puma-page\n"


@pytest.fixture
def editor(db: None) -> Visitor:
    return Visitor("add_device", "change_device", "view_device")


def text_of(page: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def names() -> dict[str, str]:
    return dict(Device.objects.values_list("model_id", "model_name"))


def test_a_preview_shows_each_row_and_writes_nothing(editor: Visitor) -> None:
    before = names()
    page = text_of(upload(editor, GOOD))

    assert "1 new, 1 changed" in page
    assert "2 puma-30k changed: waits for approval model_name: Puma 30K → Puma 30K Pro" in page
    assert "3 puma-9k new: waits for approval model_id: puma-9k brand: Puma" in page
    assert names() == before


def test_the_button_does_what_was_shown(editor: Visitor) -> None:
    response = agree(editor, upload(editor, GOOD))

    assert response["Location"] == DEVICES
    approve_what_waits()
    assert (names()["puma-30k"], names()["puma-9k"]) == ("Puma 30K Pro", "Puma 9K")
    assert Device.objects.get(pk="puma-9k").created_by == editor.user
    said = "Read models.csv: 1 new, 1 changed, 0 the same. 2 records wait for approval, in change set "
    assert said in editor.page(DEVICES)
    logged = LogEntry.objects.values_list("object_id", "user", "change_message")
    assert set(logged) == {("puma-30k", editor.user.pk, "Imported from models.csv.")}


def test_with_an_error_there_is_no_button_and_the_row_says_why(editor: Visitor) -> None:
    response = upload(editor, BAD)

    assert "4 puma-8k error `watt_hour` is above zero" in text_of(response)
    assert "Nothing can be imported while there is an error" in text_of(response)
    assert not AGREED.search(response.content.decode())


def test_a_cell_with_a_control_character_is_an_error_of_its_row(editor: Visitor) -> None:
    response = upload(editor, GOOD.replace("Puma 9K", "Puma\x0b9K"))

    assert "3 puma-9k error `model_name`: has a control character, U+000B, after “Puma”" in text_of(response)
    assert not AGREED.search(response.content.decode())


def test_where_nothing_would_change_there_is_no_button(editor: Visitor) -> None:
    response = upload(editor, editor.get(f"{DEVICES}export/csv/").content)

    assert "5 same" in text_of(response)
    assert "There is nothing to import" in text_of(response)
    assert not AGREED.search(response.content.decode())


def test_a_button_is_good_once(editor: Visitor) -> None:
    preview = upload(editor, GOOD)
    agree(editor, preview)
    again = agree(editor, preview)

    assert again["Location"] == IMPORT
    assert "the file is no longer stored" in editor.page(IMPORT)


def test_a_button_of_one_file_does_nothing_for_another(editor: Visitor) -> None:
    first = upload(editor, GOOD)
    upload(editor, GOOD.replace("Pro", "Max"))
    response = agree(editor, first)

    assert "records have changed since the preview" in text_of(response)
    assert "Puma 30K Max" in text_of(response)
    assert names()["puma-30k"] == "Puma 30K"
    # What is shown now can be agreed to.
    agree(editor, response)
    approve_what_waits()
    assert names()["puma-30k"] == "Puma 30K Max"


def test_what_another_person_changed_meanwhile_is_shown_again(editor: Visitor) -> None:
    preview = upload(editor, GOOD)
    (puma,) = Device.objects.filter(pk="puma-30k").records()
    other = msgspec.structs.replace(puma, model_name="Otherwise")
    actions.change_device(by=a_user("other"), device=other)
    response = agree(editor, preview)

    assert "model_name: Otherwise → Puma 30K Pro" in text_of(response)
    assert names()["puma-30k"] == "Otherwise"


def test_a_file_for_one_table_is_not_imported_into_another(editor: Visitor) -> None:
    boss = Visitor(superuser=True)
    response = agree(boss, upload(boss, GOOD), path="/admin/catalog/source/import/")

    assert response["Location"] == "/admin/catalog/source/import/"
    assert "puma-9k" not in names()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("models.xls", GOOD, "The name of the file must end in .csv, .xlsx or .json."),
        ("models.csv", "speed\n1", "There is no column `speed`."),
        ("models.csv", "", "The submitted file is empty."),
        ("models.csv", "x" * (files.MAX_BYTES + 1), "The file is larger than 32 MB; import it in parts."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_on_the_page(
    editor: Visitor, name: str, content: str, reason: str
) -> None:
    response = upload(editor, content, name)

    assert response.status_code == 400
    assert reason in response.content.decode()


def test_what_a_file_holds_is_shown_as_text(editor: Visitor) -> None:
    response = upload(editor, GOOD.replace("Puma 9K", "<script>alert(1)</script>"))
    assert "&lt;script&gt;alert(1)" in response.content.decode()
    assert "<script>alert(1)" not in response.content.decode()


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
def test_what_the_list_shows_is_exported(editor: Visitor, file_format: str) -> None:
    response = editor.get(f"{DEVICES}export/{file_format}/?q=puma")

    assert response["Content-Disposition"] == f'attachment; filename="models.{file_format}"'
    sheet = files.read(f"a.{file_format}", response.content, type(a_device()))
    assert [row.values["model_id"] for row in sheet.rows] == ["puma-30k", "puma-50k"]


def test_the_list_leads_to_the_export_of_what_it_shows(editor: Visitor) -> None:
    assert f'href="{DEVICES}export/csv/?energy=high"' in editor.page(f"{DEVICES}?energy=high")
    response = editor.get(f"{DEVICES}export/json/?energy=high")
    assert [device["model_id"] for device in response.json()] == ["puma-50k"]  # type: ignore[attr-defined]


def test_a_workbook_that_would_take_too_long_is_refused_on_the_list(
    editor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_WORKBOOK_ROWS", 4)
    response = editor.get(f"{DEVICES}export/xlsx/")

    assert response["Location"] == "../../"
    assert "A workbook of more than 4 rows takes too long" in editor.page(DEVICES)
    assert editor.get(f"{DEVICES}export/csv/").status_code == 200


@pytest.mark.parametrize("path", ["export/pdf/", "export/csv/?no_such_filter=1"])
def test_no_other_export_is_there(editor: Visitor, path: str) -> None:
    assert editor.get(f"{DEVICES}{path}").status_code == 404


@pytest.mark.parametrize(
    ("permissions", "may_export", "may_import"),
    [
        ((), False, False),
        (("view_device",), True, False),
        (("view_device", "add_device"), True, False),
        (("change_device",), True, False),
        (("change_device", "add_device"), True, True),
        (("view_source", "add_source", "change_source"), False, False),
    ],
)
def test_each_step_needs_its_permissions(
    editor: Visitor, permissions: tuple[str, ...], may_export: bool, may_import: bool
) -> None:
    visitor = Visitor(*permissions)
    content = SimpleUploadedFile("models.csv", GOOD.encode())

    assert visitor.get(f"{DEVICES}export/csv/").status_code == (200 if may_export else 403)
    assert visitor.get(f"{DEVICES}duplicates/").status_code == (200 if may_export else 403)
    assert visitor.get(IMPORT).status_code == (200 if may_import else 403)
    if may_export:
        page = visitor.page(DEVICES)
        assert (IMPORT in page, f"{DEVICES}export/csv/" in page) == (may_import, True)
    visitor.client.handler.enforce_csrf_checks = False
    assert visitor.client.post(IMPORT, {"file": content}).status_code == (200 if may_import else 403)
    assert visitor.client.post(IMPORT, {"agreed": "x"}).status_code == (200 if may_import else 403)
    assert "puma-9k" not in names()


def test_a_forged_request_does_nothing(editor: Visitor) -> None:
    agreed = AGREED.search(upload(editor, GOOD).content.decode())
    assert agreed is not None

    assert editor.client.post(IMPORT, {"agreed": agreed[1]}).status_code == 403
    assert "puma-9k" not in names()


def test_who_is_not_signed_in_is_sent_away(editor: Visitor) -> None:
    editor.client.logout()
    for path in (IMPORT, f"{DEVICES}export/csv/", f"{DEVICES}duplicates/"):
        assert editor.get(path).status_code == 302


@pytest.mark.parametrize("table", ["airline", "source"])
def test_airlines_and_sources_travel_the_same_way(editor: Visitor, table: str) -> None:
    boss = Visitor(superuser=True)
    exported = boss.get(f"/admin/catalog/{table}/export/csv/").content
    page = text_of(upload(boss, exported, f"{table}.csv", f"/admin/catalog/{table}/import/"))
    assert "There is nothing to import" in page
    changed = exported.replace(b"https://untold.example/", b"https://untold.example/batteries")
    assert (
        agree(
            boss,
            upload(boss, changed, f"{table}.csv", f"/admin/catalog/{table}/import/"),
            f"/admin/catalog/{table}/import/",
        )["Location"]
        == f"/admin/catalog/{table}/"
    )
    approve_what_waits()
    assert b"untold.example/batteries" in boss.get(f"/admin/catalog/{table}/export/csv/").content
    assert Source.objects.count() == 10
