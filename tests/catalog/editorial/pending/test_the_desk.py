"""The desk counts change sets, and one editor alone cannot lower an energy in a release."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from catalog.devices.actions import change_device
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.selectors import last_changes
from catalog.models import ChangeSet, Device, Source
from catalog.sources.actions import change_source
from rules.next_release import compile_content
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import listed, member
from tests.support.factories import a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")
PUMA = "/admin/catalog/device/puma-30k/change/"


def energy_to_publish() -> tuple[Decimal | None, str]:
    (puma,) = [device for device in compile_content().devices if device.model_id == "puma-30k"]
    return puma.watt_hour, puma.watt_hour_basis


def test_the_desk_counts_the_change_sets_that_wait_for_a_person(db: None) -> None:
    editor, reviewer, both = member("Editor"), member("Reviewer"), member("Editor", "Reviewer")
    assert "Change sets of the catalog" not in reviewer.page("/admin/")
    save(editor, PUMA, watt_hour="98")
    found = ChangeSet.objects.get()

    lists = "/admin/catalog/changeset/?desk="
    for person in (reviewer, both):
        page = person.page("/admin/")
        assert "Change sets of the catalog to approve" in page
        assert f'href="{lists}waits"' in page
        assert listed(person, f"{lists}waits") == [found.pk]
    assert "Change sets of the catalog" not in editor.page("/admin/")

    reviewer.post(f"/admin/catalog/changeset/{found.pk}/do/return/", reason="Read the label.")
    assert "Change sets of the catalog returned to you" in editor.page("/admin/")
    assert "Change sets of the catalog" not in reviewer.page("/admin/")


def test_no_one_alone_lowers_an_energy_from_computed_to_rated_on_evidence_never_read(db: None) -> None:
    computed = Device.objects.filter(pk="puma-30k").records()[0]
    computed = replace(computed, capacity_mah=40_000, watt_hour=Decimal("148.00"), watt_hour_basis="computed")
    change_device(by=a_user("corpus"), device=computed)
    page = Source.objects.get(pk="puma-page").to_record()
    change_source(by=a_user("corpus"), source=replace(page, basis="general_knowledge"))
    attacker, reviewer = member("Editor", "Reviewer", "Publisher"), member("Reviewer")

    # A third less than mAh times volts needs a reason, and then another person.
    assert save(attacker, PUMA, watt_hour="98", watt_hour_basis="rated").status_code == 200
    save(attacker, PUMA, watt_hour="98", watt_hour_basis="rated", reason="I know it.")
    found = ChangeSet.objects.get()
    assert energy_to_publish() == (Decimal("148.00"), "computed")
    for action in ("approve", "publish"):
        attacker.post(f"/admin/catalog/changeset/{found.pk}/do/{action}/", reason="Mine.")
        assert energy_to_publish() == (Decimal("148.00"), "computed")

    # The reviewer sees that the evidence was never read.
    assert "never read" in reviewer.page(f"/admin/catalog/changeset/{found.pk}/change/")
    reviewer.post(f"/admin/catalog/changeset/{found.pk}/do/return/", reason="Read the label first.")
    assert energy_to_publish() == (Decimal("148.00"), "computed")
    assert last_changes(DEVICES, ["puma-30k"]) == {}

    # After the page was read, the change is saved again, and it says who wrote and who approved it.
    change_source(by=attacker.user, source=page)
    save(attacker, f"{PUMA}?corrects={found.pk}", reason="The label on the page gives 98 Wh.")
    again = ChangeSet.objects.get(state="waiting")
    reviewer.post(f"/admin/catalog/changeset/{again.pk}/do/approve/")
    assert energy_to_publish() == (Decimal("98.00"), "rated")
    last = last_changes(DEVICES, ["puma-30k"])["puma-30k"]
    assert (last.authors, last.approved_by) == ({attacker.user.pk}, reviewer.user.pk)


def test_a_change_set_whose_record_changed_since_offers_no_approval(db: None) -> None:
    editor, reviewer = member("Editor"), member("Reviewer")
    save(editor, PUMA, watt_hour="98")
    page = f"/admin/catalog/changeset/{ChangeSet.objects.get().pk}/change/"
    assert "do/approve/" in reviewer.page(page)
    device = Device.objects.filter(pk="puma-30k").records()[0]
    change_device(by=a_user("corpus"), device=replace(device, release_year=2021))
    stale = reviewer.page(page)
    assert "It cannot be approved any more: puma-30k has changed after this was saved" in stale
    assert "do/approve/" not in stale
    assert "do/return/" in stale
