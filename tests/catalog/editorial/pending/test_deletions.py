"""No one alone deletes a record of the catalog that decides answers: by its form, a list, or a POST."""

import pytest

from catalog.airlines.actions import record_airline
from catalog.devices.brands.actions import record_brand
from catalog.models import Airline, Brand, ChangeSet, Country, Device, Jurisdiction, Source
from catalog.sources.actions import record_source
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_source, a_user, an_airline

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

MODELS = (Airline, Country, Device, Jurisdiction, Source)


@pytest.fixture
def admin(db: None) -> Visitor:
    """Return a person with every permission."""
    record_airline(by=a_user(), airline=an_airline(airline="Q9", icao="QNI", country="XC"))
    return Visitor(superuser=True)


def counts() -> list[int]:
    return [model.objects.count() for model in MODELS]


def delete(person: Visitor, kind: str, key: str) -> int:
    return person.post(f"/admin/catalog/{kind}/{key}/delete/", post="yes").status_code


@pytest.mark.parametrize(("kind", "key"), [("device", "lynx-27k"), ("airline", "Q9")])
def test_a_deletion_waits_for_another_person(admin: Visitor, kind: str, key: str) -> None:
    before, reviewer = counts(), member("Reviewer")
    assert delete(admin, kind, key) == 302
    assert counts() == before
    found = ChangeSet.objects.get()
    address = f"/admin/catalog/changeset/{found.pk}"
    for page in (f"{address}/change/", f"/admin/catalog/{kind}/{key}/change/"):
        assert "waits for approval" in admin.page(page) or "deletion of this" in admin.page(page)
    assert admin.post(f"{address}/do/approve/").status_code == 409
    assert counts() == before
    assert reviewer.post(f"{address}/do/approve/").status_code == 302
    assert sum(counts()) == sum(before) - 1
    assert reviewer.get(f"{address}/change/").status_code == 200


def test_a_deletion_of_what_changed_meanwhile_is_refused(admin: Visitor) -> None:
    delete(admin, "device", "lynx-27k")
    Device.objects.filter(pk="lynx-27k").update(watt_hour=12)
    refused = member("Reviewer").post(f"/admin/catalog/changeset/{ChangeSet.objects.get().pk}/do/approve/")
    assert "has changed after this was saved" in refused.content.decode()
    assert Device.objects.filter(pk="lynx-27k").exists()


def test_a_returned_deletion_is_discarded_and_the_record_stays(admin: Visitor) -> None:
    delete(admin, "device", "lynx-27k")
    address = f"/admin/catalog/changeset/{ChangeSet.objects.get().pk}"
    assert member("Reviewer").post(f"{address}/do/return/", reason="It exists.").status_code == 302
    assert "Correct it" not in admin.page(f"{address}/change/")
    assert admin.post(f"{address}/do/discard/", reason="Right.").status_code == 302
    assert Device.objects.filter(pk="lynx-27k").exists()


@pytest.mark.parametrize(
    ("kind", "key"),
    [("device", "puma-50k"), ("airline", "N1"), ("source", "northwing-page"), ("brand", "puma")],
)
def test_what_other_records_name_is_not_deleted(admin: Visitor, kind: str, key: str) -> None:
    before = counts()
    assert delete(admin, kind, key) in (200, 302, 403)
    assert (counts(), ChangeSet.objects.count()) == (before, 0)


@pytest.mark.parametrize(("kind", "key"), [("country", "XA"), ("jurisdiction", "XA")])
def test_countries_and_jurisdictions_are_not_deleted_on_the_desk(admin: Visitor, kind: str, key: str) -> None:
    assert delete(admin, kind, key) == 403
    assert admin.post(f"/admin/catalog/{kind}/{key}/change/", name="Elsewhere").status_code == 403
    assert admin.post(f"/admin/catalog/{kind}/add/", code="XZ", name="Nowhere").status_code == 403


@pytest.mark.parametrize("kind", ["airline", "country", "device", "jurisdiction", "source", "brand"])
def test_no_list_deletes_many(admin: Visitor, kind: str) -> None:
    before = counts()
    model = {"airline": "Q9", "device": "lynx-27k", "source": "intl-page"}.get(kind, "XA")
    admin.post(f"/admin/catalog/{kind}/", action="delete_selected", _selected_action=model, post="yes")
    assert counts() == before


@pytest.mark.parametrize(("kind", "key"), [("device", "lynx-27k"), ("airline", "Q9")])
def test_editors_ask_for_a_deletion_and_other_groups_do_not(admin: Visitor, kind: str, key: str) -> None:
    before = counts()
    others = member("Reviewer", "Publisher", "Partner manager", "Viewer", "Auditor")
    assert delete(others, kind, key) == 403

    assert delete(member("Editor"), kind, key) == 302

    assert counts() == before
    assert ChangeSet.objects.get().state == "waiting"


def test_editors_delete_a_brand_and_a_source_that_no_record_names_at_once(admin: Visitor) -> None:
    record_brand(by=a_user(), name="Unused")
    record_source(by=a_user(), source=a_source(id="unused"))
    editor = member("Editor")

    for kind, model in (("brand", Brand), ("source", Source)):
        assert "unused" in editor.page(f"/admin/catalog/{kind}/unused/delete/")
        assert delete(member("Reviewer"), kind, "unused") == 403
        assert delete(editor, kind, "unused") == 302
        assert not model.objects.filter(pk="unused").exists()
    assert delete(editor, "source", "northwing-page") in (200, 302)
    assert Source.objects.filter(pk="northwing-page").exists()
