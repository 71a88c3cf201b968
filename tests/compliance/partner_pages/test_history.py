"""What people of partners do at /partners is in the history of the partner at the desk, without secrets."""

import html
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from pytest_django import Settings

from compliance.models import Partner
from rules.corpus import Published
from tests.compliance.partner_pages.belongings import Belongings, belongings
from tests.support.desk.signing_in import Browser
from tests.support.desk.visiting import ACME, PLAIN_KEY, Visitor
from tests.support.partner_people import a_person, invited, signed_in

PIA = "pia@acme.example"
SECRET = re.compile(r"whsec_\S+")


@pytest.fixture
def mine(acme: Partner, starter_release: Published) -> Belongings:
    """What the partner has."""
    return belongings(acme)


@pytest.fixture
def person(mine: Belongings) -> Browser:
    """The browser of a person of the partner."""
    return signed_in(a_person(PIA))[0]


def notes() -> list[str]:
    """Return what the history says of the person, the first note first."""
    found = LogEntry.objects.filter(user__username=PIA, object_id="acme").order_by("pk")
    return [entry.get_change_message() for entry in found]


def test_each_step_is_noted_once_with_who_did_it_and_what(person: Browser, mine: Belongings) -> None:
    hook = {"url": "https://hooks.acme.example/new", "events": "ruleset.published"}
    for route, fields, said in (
        ("/partners/origins", {"allowed_origins": "https://new.acme.example"}, "Origins: added https://new."),
        ("/partners/keys/new", {"days": "7"}, "Made the key btk_"),
        ("/partners/keys/<str:public_id>/end", {}, f"Ended the key {mine.key}."),
        ("/partners/keys/replace", {"overlap_days": "0"}, "Made the key btk_"),
        ("/partners/webhooks/new", hook, "Registered the webhook whk_"),
        ("/partners/webhooks/<str:webhook_id>/test", {}, f"Sent a test to the webhook {mine.webhook}."),
        ("/partners/deliveries/<uuid:delivery_id>/again", {}, f"Sent the delivery {mine.delivery}"),
        (
            "/partners/webhooks/<str:webhook_id>/events",
            {"events": "ruleset.published"},
            f"The webhook {mine.webhook} gets ruleset.published.",
        ),
        ("/partners/webhooks/<str:webhook_id>/end", {}, f"Ended the webhook {mine.webhook}."),
        ("/partners/watches/<uuid:watch_id>/end", {}, f"Ended the watch {mine.watch.watch_id}."),
    ):
        before = len(notes())
        answer = person.submit(mine.path(route), **fields)
        assert answer.status_code in {200, 303}, (route, answer.content.decode())
        assert len(notes()) == before + 1, route
        assert notes()[-1].startswith(said), notes()[-1]
    assert "removed https://app.acme.example" in notes()[0]
    assert not any(PLAIN_KEY.search(note) or SECRET.search(note) for note in notes())


def test_a_refused_step_leaves_no_note(person: Browser, mine: Belongings) -> None:
    wrong = person.submit("/partners/origins", allowed_origins="nonsense")
    stale = person.submit("/partners/origins", allowed_origins="https://a.example", seen="other")
    assert (wrong.status_code, stale.status_code) == (400, 409)
    assert notes() == []


def test_the_page_of_a_partner_at_the_desk_shows_what_both_sides_changed(
    person: Browser, mine: Belongings, settings: Settings
) -> None:
    person.submit("/partners/origins", allowed_origins="https://new.acme.example")
    settings.DESK_SECOND_FACTOR = False
    manager = Visitor("view_partner", "change_partner", "view_partnerkey", "change_partnerkey")
    assert manager.submit(f"/admin/compliance/partnerkey/{quote(mine.key.pk)}/revoke/").status_code == 302
    page = html.unescape(manager.page(f"{ACME}change/"))
    assert f"{PIA}: Origins: added https://new.acme.example; removed https://app.acme.example." in page
    assert f"{manager.user}: Revoked." in page
    assert PIA in manager.page(f"{ACME}history/")


def test_whoever_accepts_an_invitation_is_in_the_history(acme: Partner) -> None:
    new = "another-horse-battery"
    Browser().submit(invited(PIA), new_password1=new, new_password2=new)
    assert notes() == ["Accepted the invitation."]
