"""An approved change set is undone as a whole, by a change set that another person approves."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.bulk.importing import apply, preview
from catalog.devices.actions import change_device
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending import actions
from catalog.editorial.pending.importing import PendingWriter
from catalog.editorial.pending.undoing import undo
from catalog.errors import OwnWork, ReasonMissing, WrongState
from catalog.models import ChangeSet, Device
from tests.support.desk.approving import TABLES, approve_what_waits
from tests.support.desk.visiting import member
from tests.support.factories import a_device, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

FILE = b"""model_id,brand,model_name,watt_hour,watt_hour_basis,sources
puma-30k,Puma,Puma 30K Pro,98,rated,puma-page
puma-9k,Puma,Puma 9K,33.3,rated,puma-page
"""


@pytest.fixture
def editor(db: None) -> User:
    return a_user("an-editor")


def facts() -> dict[str, Any]:
    return {device.model_id: device for device in Device.objects.all().records()}


def imported(by: User) -> ChangeSet:
    plan = preview(DEVICES, "pumas.csv", FILE, by=by, writer=PendingWriter)
    done, _ = apply(DEVICES, "pumas.csv", FILE, by=by, agreed=plan.digest, writer=PendingWriter)
    assert done
    approve_what_waits()
    return ChangeSet.objects.get()


def test_an_import_and_its_undoing_leave_every_model_as_it_was(editor: User) -> None:
    before = facts()
    found = imported(editor)
    assert facts() != before
    opened = undo(found, by=editor, reason="The file was of last year.", tables=TABLES)
    assert opened.subject == f"undo change set {found.pk}"
    assert facts() != before, "nothing is written before another person approves"
    approve_what_waits()
    assert facts() == before


def test_the_undoing_of_an_undoing_brings_the_import_back(editor: User) -> None:
    found = imported(editor)
    after = facts()
    again = undo(found, by=editor, reason="A mistake.", tables=TABLES)
    approve_what_waits()
    undo(ChangeSet.objects.get(pk=again.pk), by=editor, reason="It was right.", tables=TABLES)
    approve_what_waits()
    assert facts() == after


def test_a_deleted_model_comes_back(editor: User) -> None:
    before = facts()
    deletion = actions.propose_deletion(DEVICES, "lynx-27k", by=editor)
    assert deletion is not None
    approve_what_waits()
    undo(ChangeSet.objects.get(pk=deletion.pk), by=editor, reason="It is sold.", tables=TABLES)
    approve_what_waits()
    assert facts() == {**before, "lynx-27k": replace(before["lynx-27k"], notes=None)}


def test_nobody_approves_their_own_undoing(editor: User) -> None:
    opened = undo(imported(editor), by=editor, reason="A mistake.", tables=TABLES)
    with pytest.raises(OwnWork):
        actions.approve(opened.pk, by=editor, tables=TABLES)


def test_a_record_that_changed_since_is_named_and_nothing_is_undone(editor: User) -> None:
    found = imported(editor)
    (puma,) = Device.objects.filter(pk="puma-30k").records()
    change_device(by=editor, device=replace(puma, watt_hour=Decimal("99.00")))
    with pytest.raises(WrongState, match="puma-30k changed since"):
        undo(found, by=editor, reason="A mistake.", tables=TABLES)
    assert ChangeSet.objects.count() == 1


def test_what_was_never_approved_is_not_undone_and_a_reason_is_needed(editor: User) -> None:
    waiting = actions.propose(DEVICES, [a_device(model_id="new-one")], by=editor, subject="a form")
    assert waiting is not None
    with pytest.raises(WrongState):
        undo(waiting, by=editor, reason="A mistake.", tables=TABLES)
    with pytest.raises(ReasonMissing):
        undo(waiting, by=editor, reason=" ", tables=TABLES)


def test_the_page_offers_it_to_those_who_may_change_the_records(editor: User) -> None:
    found = imported(editor)
    page = f"/admin/catalog/changeset/{found.pk}/change/"
    undoing = f"/admin/catalog/changeset/{found.pk}/undo/"
    for group in ("Reviewer", "Publisher", "Viewer"):
        visitor = member(group)
        assert undoing not in visitor.page(page)
        assert visitor.post(undoing, reason="x").status_code == 403
    visitor = member("Editor")
    assert undoing in visitor.page(page)
    assert visitor.post(undoing, reason=" ").status_code == 400
    assert visitor.post(undoing, reason="The file was of last year.").status_code == 302
    again = visitor.post(undoing, reason="Pressed twice.")
    assert again.status_code == 409
    assert "waits for approval already" in again.content.decode()
