"""Two records of one model become one: one stays with all names, the other goes once someone else agrees."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from catalog.devices.actions import record_device
from catalog.devices.merging import merged
from catalog.models import ChangeSet, Device
from tests.support.desk.approving import approve_what_waits
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_device, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

MERGE = "/admin/catalog/device/merge/"


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def address(keep: str, gone: str) -> str:
    return f"{MERGE}?{urlencode({'keep': keep, 'gone': gone})}"


def twice(**changes: Any) -> None:
    """Record `lynx-ten`, a second record of `lynx-10k`."""
    facts = {"model_id": "lynx-ten", "brand": "Lynx", "model_name": "Lynx Ten", "model_number": "LX-10-B"}
    record_device(by=a_user("writer"), device=replace(a_device(), **(facts | changes)))


def test_the_one_that_stays_has_every_name_of_both_and_the_other_is_gone(editor: Visitor) -> None:
    twice(aliases=("Ten of Lynx",))
    before = set(Device.objects.get(pk="lynx-10k").aliases)
    response = editor.post(address("lynx-10k", "lynx-ten"), reason="One unit, printed twice.")
    assert response.status_code == 302
    assert Device.objects.filter(pk="lynx-ten").exists(), "nothing is written before another person agrees"

    approve_what_waits()

    kept = Device.objects.get(pk="lynx-10k")
    assert set(kept.aliases) == before | {"Lynx Ten", "LX-10-B", "Ten of Lynx"}
    assert not Device.objects.filter(pk="lynx-ten").exists()
    assert ChangeSet.objects.get().reason == "One unit, printed twice."


def test_a_known_figure_is_never_replaced_or_mixed() -> None:
    known = a_device(watt_hour=Decimal("37.00"), watt_hour_basis="rated", capacity_mah=10_000)
    other = a_device(watt_hour=Decimal("99.00"), watt_hour_basis="rated", capacity_mah=27_000)
    assert merged(known, other).watt_hour == Decimal("37.00")
    assert merged(known, other).capacity_mah == 10_000
    without = replace(known, watt_hour=None, watt_hour_basis="unknown")
    assert merged(without, other).watt_hour is None, "its capacity is known, so it is not that of the other"


def test_unknown_energy_comes_from_the_other_with_its_basis() -> None:
    nothing = a_device(watt_hour=None, watt_hour_basis="unknown", capacity_mah=None, nominal_voltage=None)
    other = a_device(watt_hour=Decimal("99.00"), watt_hour_basis="computed", capacity_mah=26_757)
    taken = merged(nothing, other)
    assert (taken.watt_hour, taken.watt_hour_basis, taken.capacity_mah) == (
        Decimal("99.00"),
        "computed",
        26_757,
    )


def test_the_page_shows_what_changes_before_anyone_proposes_it(editor: Visitor) -> None:
    twice()
    page = editor.page(address("lynx-10k", "lynx-ten"))
    assert "Merge lynx-ten into lynx-10k" in page
    assert "LX-10-B" in page


def test_a_model_with_a_recall_does_not_go_and_the_reason_stays_in_the_form(editor: Visitor) -> None:
    twice()
    response = editor.post(address("lynx-ten", "lynx-10k"), reason="They are one.")
    assert response.status_code == 409
    assert "is used by" in response.content.decode()
    assert "They are one." in response.content.decode()
    assert not ChangeSet.objects.exists()


@pytest.mark.parametrize(
    ("keep", "gone", "said"),
    [
        ("lynx-10k", "lynx-10k", "not merged with itself"),
        ("lynx-10k", "no-such", "no such model"),
        ("", "", "not merged with itself"),
        ("lynx-10k", "<script>", "no such model"),
        ("lynx-10k", "lynx-27k", "lynx-10k: has 37.00 Wh, and lynx-27k has 99.90 Wh: these are two models"),
        ("lynx-10k", "puma-30k", "lynx-10k: has Lynx, and puma-30k has Puma: these are two models"),
    ],
)
def test_what_cannot_be_merged_is_said(editor: Visitor, keep: str, gone: str, said: str) -> None:
    assert editor.get(address(keep, gone)).status_code == 302
    assert said in editor.page("/admin/catalog/device/duplicates/")


def test_only_who_may_change_models_may_merge_them() -> None:
    for group in ("Reviewer", "Publisher", "Viewer"):
        visitor = member(group)
        assert visitor.get(address("lynx-10k", "heron-9")).status_code == 403
        assert visitor.post(address("lynx-10k", "heron-9"), reason="x").status_code == 403
        assert "Merge two other models" not in visitor.page("/admin/catalog/device/duplicates/")


def test_without_a_reason_nothing_is_proposed(editor: Visitor) -> None:
    twice()
    assert editor.post(address("lynx-10k", "lynx-ten"), reason=" ").status_code == 400
    assert not ChangeSet.objects.exists()
