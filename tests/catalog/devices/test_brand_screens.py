"""The screens of brands, and of the places that are only looked at."""

import pytest

from catalog.editorial.pending.actions import return_to_author
from catalog.models import Brand, ChangeSet, Device
from catalog.tables.history import history
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


BRANDS = "/admin/catalog/brand/"


@pytest.fixture
def editor(db: None) -> Visitor:
    return Visitor(
        "add_brand", "change_brand", "view_brand", "delete_brand", "view_country", "view_jurisdiction"
    )


def test_the_list_leads_to_the_models_of_a_brand(editor: Visitor) -> None:
    assert '/admin/catalog/device/?brand__slug__exact=puma">2</a>' in editor.page(BRANDS)


def test_a_brand_is_recorded_renamed_and_deleted(editor: Visitor) -> None:
    assert save(editor, f"{BRANDS}add/", name="Wild Cat")["Location"] == BRANDS
    assert save(editor, f"{BRANDS}wild-cat/change/", name="Wilder Cat")["Location"] == BRANDS
    assert Brand.objects.get(pk="wild-cat").name == "Wild Cat"
    approve_what_waits()
    assert Brand.objects.get(pk="wilder-cat").changed_by == editor.user
    assert editor.submit(f"{BRANDS}wilder-cat/delete/", post="yes").status_code == 302
    assert set(Brand.objects.values_list("pk", flat=True)) == {"lynx", "puma", "heron"}


def test_the_models_go_along_when_another_person_approves(editor: Visitor) -> None:
    save(editor, f"{BRANDS}puma/change/", name="Puma Power", reason="The maker calls it so.")
    assert Device.objects.filter(brand="puma").count() == 2
    page = editor.page(f"{BRANDS}puma/change/")
    assert "A change waits for approval" in page
    assert "The maker calls it so." in page
    approve_what_waits()
    assert Device.objects.filter(brand="puma-power").count() == 2


def test_two_brands_do_not_swap_their_names_before_another_person_agrees(editor: Visitor) -> None:
    for slug, name in (("puma", "Heron Power"), ("lynx", "Puma Power")):
        save(editor, f"{BRANDS}{slug}/change/", name=name)
    assert set(Brand.objects.values_list("name", flat=True)) == {"Lynx", "Puma", "Heron"}
    assert ChangeSet.objects.filter(state="waiting").count() == 2


def test_a_returned_name_is_corrected_in_a_form_that_begins_with_it(editor: Visitor) -> None:
    save(editor, f"{BRANDS}puma/change/", name="Puma Powr")
    returned = ChangeSet.objects.get()
    return_to_author(returned.pk, by=a_user("reviewer"), reason="A letter is missing.")
    opened = f"{BRANDS}puma/change/?corrects={returned.pk}"
    assert 'value="Puma Powr"' in editor.page(opened)
    save(editor, opened, name="Puma Power")
    approve_what_waits()
    assert Brand.objects.get(pk="puma-power").changed_by == editor.user


def test_a_reason_is_asked_for_only_where_another_person_approves(editor: Visitor) -> None:
    assert 'name="reason"' not in editor.page(f"{BRANDS}add/")
    assert 'name="reason"' in editor.page(f"{BRANDS}puma/change/")


@pytest.mark.parametrize("name", ["Pumma", "P.U.M.A", "Puma Power"])
def test_a_name_like_a_recorded_one_is_asked_about_once(editor: Visitor, name: str) -> None:
    asked = save(editor, f"{BRANDS}add/", name=name)
    assert "It is like Puma. Is it another brand?" in asked.content.decode()
    assert Brand.objects.count() == 3
    if name != "P.U.M.A":
        assert save(editor, f"{BRANDS}add/", name=name, is_new="on")["Location"] == BRANDS
        assert Brand.objects.filter(name=name).exists()


def test_the_history_of_a_brand_says_who_renamed_it(editor: Visitor) -> None:
    save(editor, f"{BRANDS}add/", name="Wild Cat")
    saved = list(history(Brand, "wild-cat"))
    assert [change.context for change in saved] == [{"user": editor.user.pk}]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("LYNX", "the brand `Lynx` is recorded already"),
        ("罗马仕", "has no name in Latin letters"),
        ("Lynx", "already exists"),
    ],
)
def test_a_name_that_cannot_be_is_refused_at_the_name(editor: Visitor, name: str, sentence: str) -> None:
    response = save(editor, f"{BRANDS}puma/change/", name=name)

    assert list(response.context_data["adminform"].form.errors) == ["name"]  # type: ignore[attr-defined]
    assert sentence in response.content.decode()


def test_a_brand_with_models_stays(editor: Visitor) -> None:
    assert "1 model (heron-9)" in editor.page(f"{BRANDS}heron/delete/")


@pytest.mark.parametrize("place", ["country/XA", "jurisdiction/XA"])
def test_places_are_only_looked_at_even_by_those_who_may_do_everything(editor: Visitor, place: str) -> None:
    boss = Visitor(superuser=True)

    page = editor.page(f"/admin/catalog/{place}/change/")
    assert "Northland" in page
    assert 'name="name"' not in boss.page(f"/admin/catalog/{place}/change/")
    for step in (f"{place}/delete/", f"{place.partition('/')[0]}/add/"):
        assert boss.get(f"/admin/catalog/{step}").status_code == 403
