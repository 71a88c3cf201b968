"""The people of a partner at the desk: invited, seen and removed by partner managers."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.errors import NotRecorded, WrongState
from compliance.models import Invitation, Notice, Partner, PartnerPerson
from compliance.partners.actions.partners import close_partner
from compliance.partners.people.actions import accept, invite
from tests.support.desk.signing_in import PASSWORD, staff
from tests.support.desk.visiting import ACME, Visitor
from tests.support.factories import a_user
from tests.support.partner_people import LINK, a_person

pytestmark = pytest.mark.usefixtures("fresh_desk")


@pytest.fixture
def manager(db: None) -> Visitor:
    """Somebody who manages partners."""
    return Visitor("view_partner", "change_partner")


def test_a_manager_invites_a_person_who_gets_a_mail(manager: Visitor, acme: Partner) -> None:
    answer = manager.submit(f"{ACME}invite/", email=" Pia@Acme.example")
    assert (answer.status_code, answer["Location"]) == (302, f"{ACME}change/")
    invitation = Invitation.objects.get()
    assert (invitation.email, invitation.created_by) == ("pia@acme.example", manager.user)
    mail = Notice.objects.get(recipient="pia@acme.example")
    found = LINK.search(mail.text)
    assert found is not None
    secret = found[1].rpartition("/")[2]
    assert "Acme Travel" in mail.text
    page = manager.page(f"{ACME}change/")
    assert "Invited pia@acme.example." in page
    # The link is only in the mail.
    assert secret not in page
    assert secret not in manager.page(f"{ACME}history/")
    assert "Invited pia@acme.example." in LogEntry.objects.get().change_message


def test_an_account_of_the_desk_is_refused_and_what_was_typed_stays(manager: Visitor, acme: Partner) -> None:
    staff("rosa", email="rosa@desk.example")
    refused = manager.submit(f"{ACME}invite/", email="rosa@desk.example")
    assert refused.status_code == 409
    page = refused.content.decode()
    assert "belongs to an account of the service already" in page
    assert 'value="rosa@desk.example"' in page
    assert not Notice.objects.filter(recipient="rosa@desk.example").exists()


def test_a_manager_removes_people_and_takes_invitations_back(manager: Visitor, acme: Partner) -> None:
    a_person("pia@acme.example")
    manager.submit(f"{ACME}invite/", email="nia@acme.example")
    page = manager.page(f"{ACME}change/")
    assert "pia@acme.example" in page
    assert "nia@acme.example" in page
    manager.submit(f"{ACME}remove-person/", person="invited:nia@acme.example")
    assert not Invitation.objects.exists()
    manager.submit(f"{ACME}remove-person/", person="pia@acme.example")
    person = PartnerPerson.objects.get()
    assert person.removed_by == manager.user
    assert (person.user.is_active, person.user.has_usable_password()) == (False, False)
    # No one else can be chosen.
    staff("editor")
    assert manager.submit(f"{ACME}remove-person/", person="editor").status_code == 400
    assert User.objects.get(username="editor").is_active


def test_only_partner_managers_invite(acme: Partner) -> None:
    reader = Visitor("view_partner")
    for step in ("invite", "remove-person"):
        assert reader.get(f"{ACME}{step}/").status_code == 403
        assert reader.post(f"{ACME}{step}/", email="x@acme.example").status_code == 403
    assert not Invitation.objects.exists()


def test_a_person_of_a_partner_gets_no_rights_at_the_desk(acme: Partner) -> None:
    person = a_person("pia@acme.example")
    superuser = Visitor(superuser=True)
    fields = {"username": "pia@acme.example", "email": "pia@acme.example", "is_active": "on"}
    for rights in ({"is_staff": "on"}, {"is_superuser": "on"}):
        page = superuser.submit(f"/admin/auth/user/{person.user_id}/change/", **fields, **rights)
        assert "belongs to a person of a partner" in page.content.decode()
    plain = superuser.submit(f"/admin/auth/user/{person.user_id}/change/", **fields)
    assert "belongs to a person of a partner" not in plain.content.decode()
    person.user.refresh_from_db()
    assert [person.user.is_staff, person.user.is_superuser] == [False, False]


def test_a_closed_partner_invites_no_one_and_its_invitations_end(acme: Partner) -> None:
    manager, now = a_user("manager"), timezone.now()
    invite(by=manager, now=now, partner="acme", email="pia@acme.example")
    found = LINK.search(Notice.objects.get(recipient="pia@acme.example").text)
    assert found is not None
    close_partner(by=manager, now=timezone.now(), slug="acme")
    with pytest.raises(WrongState):
        invite(by=manager, now=now, partner="acme", email="nia@acme.example")
    with pytest.raises(NotRecorded):
        accept(secret=found[1].rpartition("/")[2], password=PASSWORD, now=timezone.now())
    assert not Invitation.objects.exists()
