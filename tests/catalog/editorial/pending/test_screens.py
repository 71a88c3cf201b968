"""The screens of change sets: what an editor saves waits, and another person decides it."""

import re
from decimal import Decimal
from html import unescape

import pytest
from django.contrib.admin.models import LogEntry
from msgspec.structs import replace

from catalog.devices.actions import change_device
from catalog.models import Airline, ChangeSet, Device
from catalog.records import Device as DeviceRecord
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor, listed, member
from tests.support.factories import a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

DEVICES = "/admin/catalog/device/"
PUMA = f"{DEVICES}puma-30k/change/"
SETS = "/admin/catalog/changeset/"


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


@pytest.fixture
def reviewer(editor: Visitor) -> Visitor:
    return member("Reviewer")


def record(model_id: str = "puma-30k") -> DeviceRecord:
    (found,) = Device.objects.filter(pk=model_id).records()
    return found


def the_set() -> ChangeSet:
    found = ChangeSet.objects.first()
    assert found is not None
    return found


def page_of(found: ChangeSet) -> str:
    return f"{SETS}{found.pk}/change/"


def do(visitor: Visitor, found: ChangeSet, action: str, **fields: str) -> int:
    return visitor.post(f"{SETS}{found.pk}/do/{action}/", **fields).status_code


def text_of(page: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_a_saved_form_waits_and_another_person_approves_it(editor: Visitor, reviewer: Visitor) -> None:
    before = record()
    response = save(editor, PUMA, watt_hour="98", reason="The label gives 98 Wh.", notes="Mk2.")
    found = the_set()

    assert response["Location"] == page_of(found)
    assert record() == replace(before, notes="Mk2.")
    page = text_of(editor.page(page_of(found)))
    assert "the change waits for approval by another person" in page
    assert "Energy, Wh 111.00 98" in page
    assert "The label gives 98 Wh." in page
    assert "You wrote in it, so another person must approve it." in page
    assert f"{reviewer.user.username} can approve it." in page
    assert "do/approve/" not in editor.page(page_of(found))
    assert f"(in change set {found.pk}: puma-30k)" in LogEntry.objects.get().change_message

    assert "puma-page" in reviewer.page(page_of(found))
    assert do(reviewer, found, "approve") == 302
    assert record() == replace(before, notes="Mk2.", watt_hour=Decimal("98.00"))
    page = text_of(reviewer.page(page_of(found)))
    assert "Approved" in page
    assert f"Submitted by {editor.user.username}" in page
    assert f"Approved by {reviewer.user.username}" in page


def test_the_form_shows_the_change_that_waits_and_who_can_approve_it(
    editor: Visitor, reviewer: Visitor
) -> None:
    save(editor, PUMA, watt_hour="98")
    page = editor.page(PUMA)

    assert "A change waits for approval" in page
    assert "Energy, Wh 111.00 98" in text_of(page)
    assert f"{reviewer.user.username} can approve it." in text_of(page)
    assert 'name="watt_hour" value="111.00"' in page
    # A second change is refused, and nothing typed is lost.
    again = save(editor, PUMA, watt_hour="97", notes="Typed with care.").content.decode()
    assert "a change of it waits for approval already" in again
    assert "Typed with care." in again
    # Notes can still be saved.
    assert save(editor, PUMA, notes="Seen in a shop.")["Location"] == DEVICES
    assert record().notes == "Seen in a shop."
    assert "A change waits for approval" not in editor.page(f"{DEVICES}lynx-10k/change/")


def test_a_new_model_waits_as_a_whole(editor: Visitor, reviewer: Visitor) -> None:
    response = save(
        editor,
        f"{DEVICES}add/",
        model_id="lynx-pro",
        brand="lynx",
        model_name="Lynx Pro",
        capacity_mah="20000",
        nominal_voltage="3.7",
        watt_hour_basis="computed",
        **{"evidence-source": ["lynx-page"]},
    )
    found = the_set()
    assert response["Location"] == page_of(found)
    assert not Device.objects.filter(pk="lynx-pro").exists()
    assert not LogEntry.objects.exists()
    assert "lynx-pro new model" in text_of(reviewer.page(page_of(found)))

    do(reviewer, found, "approve")
    assert record("lynx-pro").watt_hour == Decimal("74.00")
    assert Device.objects.get(pk="lynx-pro").created_by == editor.user


@pytest.mark.parametrize("new", [False, True])
def test_a_returned_change_is_corrected_in_a_form_that_begins_with_it(
    editor: Visitor, reviewer: Visitor, new: bool
) -> None:
    if new:
        fields = {"model_id": "lynx-pro", "brand": "lynx", "model_name": "Lynx Pro", "capacity_mah": "20000"}
        more = {"nominal_voltage": "3.7", "watt_hour_basis": "computed"}
        save(editor, f"{DEVICES}add/", **fields, **more)
        opened = f"{DEVICES}add/"
    else:
        save(editor, PUMA, watt_hour="98", reason="The label.")
        opened = PUMA
    first = the_set()
    assert do(reviewer, first, "return", reason="Which label?") == 302

    page = editor.page(page_of(first))
    assert "Which label?" in page
    assert f'href="{opened}?corrects={first.pk}"' in page
    response = save(editor, f"{opened}?corrects={first.pk}", reason="The label on the back.")
    second = the_set()
    assert response["Location"] == page_of(second)
    assert ChangeSet.objects.get(pk=first.pk).state == "discarded"
    do(reviewer, second, "approve")
    assert record("lynx-pro").watt_hour == Decimal("74.00") if new else record().watt_hour == Decimal("98.00")


def test_the_button_says_what_changed_meanwhile_and_the_set_still_waits(
    editor: Visitor, reviewer: Visitor
) -> None:
    save(editor, PUMA, watt_hour="98")
    change_device(by=a_user("corpus"), device=replace(record(), watt_hour=Decimal("112.00")))
    response = reviewer.post(f"{SETS}{the_set().pk}/do/approve/")

    assert response.status_code == 409
    assert "`watt_hour` was 111.00 and is 112.00 now" in unescape(response.content.decode())
    assert the_set().state == "waiting"


@pytest.mark.parametrize(
    ("groups", "allowed"),
    [
        (("Editor",), {"discard"}),
        (("Reviewer",), {"approve", "return"}),
        (("Publisher",), set()),
        (("Viewer",), set()),
    ],
)
def test_each_button_needs_its_permission(
    editor: Visitor, groups: tuple[str, ...], allowed: set[str]
) -> None:
    for action in ("approve", "return", "discard"):
        save(editor, PUMA, watt_hour="98")
        found, visitor = the_set(), member(*groups)
        assert (f"do/{action}/" in visitor.page(page_of(found))) == (action in allowed)
        assert do(visitor, found, action, reason="Why not.") == (302 if action in allowed else 403)
        if the_set().state == "waiting":
            do(member("Editor"), found, "discard", reason="Next.")
        Device.objects.filter(pk="puma-30k").update(watt_hour=Decimal("111.00"))


def test_an_author_with_every_role_cannot_approve(editor: Visitor) -> None:
    both = member("Editor", "Reviewer", "Publisher")
    save(both, PUMA, watt_hour="98")
    response = both.post(f"{SETS}{the_set().pk}/do/approve/")

    assert response.status_code == 409
    assert "you cannot approve your own work" in response.content.decode()
    assert record().watt_hour == Decimal("111.00")


def test_the_queue_shows_what_waits_for_me(editor: Visitor, reviewer: Visitor) -> None:
    save(editor, PUMA, watt_hour="98")
    found = the_set()
    assert listed(reviewer, f"{SETS}?desk=waits") == [found.pk]
    assert listed(editor, f"{SETS}?desk=waits") == []
    assert listed(reviewer, f"{SETS}?state__exact=approved") == []
    do(reviewer, found, "return", reason="No.")
    assert listed(editor, f"{SETS}?desk=returned") == [found.pk]
    assert listed(editor, f"{SETS}?q=puma-30k") == [found.pk]


def test_the_confidence_and_the_summary_of_an_airline_wait(editor: Visitor, reviewer: Visitor) -> None:
    page = "/admin/catalog/airline/S2/change/"
    refused = save(editor, page, confidence="confirmed").content.decode()
    assert "only if one of the sources is an official page that was read" in unescape(refused)

    sources = {"evidence-source": ["southern-star-report", "northwing-page"]}
    save(editor, page, confidence="confirmed", summary="New words.", **sources)
    airline = Airline.objects.get(pk="S2")
    assert airline.policy.confidence == "reported"
    assert airline.policy.summary != "New words."
    do(reviewer, the_set(), "approve")
    policy = Airline.objects.get(pk="S2").policy
    assert (policy.confidence, policy.summary) == ("confirmed", "New words.")


def test_a_rated_energy_far_from_the_capacity_asks_for_the_reason_at_its_field(editor: Visitor) -> None:
    response = save(editor, PUMA, watt_hour="80")
    errors = response.context_data["adminform"].form.errors  # type: ignore[attr-defined]
    assert list(errors) == ["watt_hour"]
    assert "differs by more than 20 % from mAh times volts, 111.00 Wh" in errors["watt_hour"][0]
    assert save(editor, PUMA, watt_hour="80", reason="The label gives 80 Wh.").status_code == 302
