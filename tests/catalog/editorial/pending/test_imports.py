"""Imports of models and airlines: all but notes becomes one change set for the whole file."""

import re
from decimal import Decimal
from html import unescape

import pytest
from django.http import HttpResponse
from pytest_django import DjangoAssertNumQueries

from catalog.bulk import importing
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions
from catalog.editorial.pending.importing import PendingWriter
from catalog.models import Brand, ChangeSet, Device
from tests.support.desk.approving import TABLES
from tests.support.desk.uploading import AGREED, MODELS, agree, upload
from tests.support.desk.visiting import TOKEN, Visitor, member
from tests.support.factories import a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

HEAD = "model_id,brand,model_name,watt_hour,watt_hour_basis,sources,notes\n"
FILE = HEAD + (
    "puma-30k,Puma,Puma 30K Pro,98,rated,puma-page,Seen.\n"
    "puma-50k,Puma,Puma 50K,185,rated,puma-page,Seen.\n"
    "puma-9k,Puma,Puma 9K,33.3,rated,puma-page,\n"
)


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def text_of(page: HttpResponse) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split()))


def figures() -> dict[str, tuple[str, Decimal | None, str | None]]:
    rows = Device.objects.values_list("model_id", "model_name", "watt_hour", "notes")
    return {model_id: (name, energy, notes) for model_id, name, energy, notes in rows}


def test_the_preview_says_what_waits_and_the_rest_is_written(editor: Visitor) -> None:
    preview = upload(editor, FILE)
    page = text_of(preview)
    assert "2 records wait for approval." in page
    assert "2 puma-30k changed: waits for approval" in page
    assert "3 puma-50k changed notes" in page
    assert "4 puma-9k new: waits for approval" in page
    assert not ChangeSet.objects.exists()

    agree(editor, preview)
    found = ChangeSet.objects.get()
    assert (found.subject, found.created_by, found.changes.count()) == ("models.csv", editor.user, 2)
    assert figures()["puma-30k"] == ("Puma 30K", Decimal("111.00"), "Seen.")
    assert figures()["puma-50k"] == ("Puma 50K", Decimal("185.00"), "Seen.")
    assert "puma-9k" not in figures()
    listed = editor.page("/admin/catalog/device/")
    assert f"Change set {found.pk}</a> waits for approval by another person. Records in it: 2." in listed

    actions.approve(found.pk, by=a_user("approver"), tables=TABLES)
    assert figures()["puma-30k"] == ("Puma 30K Pro", Decimal("98.00"), "Seen.")
    assert figures()["puma-9k"] == ("Puma 9K", Decimal("33.30"), None)


def test_an_import_of_400_rows_is_one_change_set_that_is_approved_once(
    editor: Visitor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rows = "".join(f"puma-x{number},Puma,Puma X{number},37,rated,puma-page,\n" for number in range(400))
    agree(editor, upload(editor, HEAD + rows))
    found = ChangeSet.objects.get()
    assert found.changes.count() == 400
    assert Device.objects.count() == 5

    reviewer = member("Reviewer")
    with django_assert_max_num_queries(80):
        assert "puma-x399" in reviewer.page(f"/admin/catalog/changeset/{found.pk}/change/")
    with django_assert_max_num_queries(80):
        actions.approve(found.pk, by=reviewer.user, tables=TABLES)
    assert Device.objects.count() == 405


def test_a_row_whose_record_waits_already_is_refused_with_its_reason(editor: Visitor) -> None:
    agree(editor, upload(editor, FILE))
    page = text_of(upload(editor, FILE.replace(",98,", ",97,")))
    assert "2 puma-30k error a change of it waits for approval already" in page
    assert "Nothing can be imported while there is an error" in page


def test_a_rated_energy_far_from_the_capacity_needs_the_reason_of_the_file(editor: Visitor) -> None:
    far = HEAD + "puma-30k,Puma,Puma 30K,60,rated,puma-page,\n"
    assert "2 puma-30k error `watt_hour` differs by more than 20 %" in text_of(upload(editor, far))
    agree(editor, upload(editor, far, reason="The label gives 60 Wh."))
    assert ChangeSet.objects.get().reason == "The label gives 60 Wh."


def test_a_new_brand_is_asked_about(editor: Visitor) -> None:
    file = HEAD + "ocelot-9k,Ocelot,Nine,33.3,rated,puma-page,\n"
    preview = upload(editor, file)
    assert "New brand: Ocelot ." in text_of(preview)
    assert 'name="names_confirmed" required' in preview.content.decode()

    refused = agree(editor, preview)
    assert "Nothing was imported: confirm the new brands first." in text_of(refused)
    assert not ChangeSet.objects.exists()

    page = refused.content.decode()
    token, agreed = TOKEN.search(page), AGREED.search(page)
    assert token is not None
    assert agreed is not None
    sent = {"csrfmiddlewaretoken": token[1], "agreed": agreed[1], "names_confirmed": "on"}
    assert editor.client.post(MODELS, sent).status_code == 302
    assert not Brand.objects.filter(name="Ocelot").exists()
    actions.approve(ChangeSet.objects.get().pk, by=a_user("approver"), tables=TABLES)
    assert Brand.objects.filter(name="Ocelot").exists()


def test_an_import_by_a_program_writes_at_once(editor: Visitor) -> None:
    plan = importing.preview(DEVICES, "models.csv", FILE.encode(), by=editor.user)
    importing.apply(DEVICES, "models.csv", FILE.encode(), by=editor.user, agreed=plan.digest)
    assert figures()["puma-30k"] == ("Puma 30K Pro", Decimal("98.00"), "Seen.")
    assert not ChangeSet.objects.exists()


def test_a_preview_leaves_nothing(editor: Visitor) -> None:
    plan = importing.preview(DEVICES, "a.csv", FILE.encode(), by=editor.user, writer=PendingWriter)
    assert (plan.waiting, plan.can_be_applied) == (2, True)
    assert not ChangeSet.objects.exists()
    assert figures()["puma-50k"][2] is None
