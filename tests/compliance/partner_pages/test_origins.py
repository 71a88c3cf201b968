"""Origins at /partners and at the desk: no form ends or brings back any of them unseen, and all are few."""

import html

import pytest
from pytest_django import Settings

from checks.hostile.forms import Form
from compliance.models import Notice, Partner
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.signing_in import Browser
from tests.support.desk.visiting import ACME, Visitor
from tests.support.partner_people import a_person, signed_in

ORIGINS = "/partners/origins"
FIRST = "https://app.acme.example"


@pytest.fixture
def person(acme: Partner) -> Browser:
    """The browser of a person of the partner."""
    return signed_in(a_person())[0]


@pytest.fixture
def manager(settings: Settings) -> Visitor:
    """A partner manager, without a second factor."""
    settings.DESK_SECOND_FACTOR = False
    return Visitor("view_partner", "change_partner")


def origins() -> list[str]:
    """Return the origins of the partner."""
    return Partner.objects.get(pk="acme").allowed_origins


def mails() -> list[str]:
    """Return the mails about origins to the contact of the partner, the first one first."""
    found = Notice.objects.filter(recipient="ops@acme.example", text__contains="origins were changed")
    return list(found.order_by("pk").values_list("text", flat=True))


def test_a_form_without_the_field_of_origins_changes_nothing_and_says_so(person: Browser) -> None:
    form = fields_of(person, ORIGINS)  # type: ignore[arg-type]
    del form["allowed_origins"]
    answer = person.client.post(ORIGINS, form)
    assert answer.status_code == 400
    assert "The form came without its origins, so nothing was changed." in answer.content.decode()
    assert origins() == [FIRST]


def test_an_empty_field_of_origins_ends_all_of_them(person: Browser) -> None:
    assert person.submit(ORIGINS, allowed_origins="").status_code == 303
    assert origins() == []
    assert "They are now: none, so only servers may use a key." in mails()[0]


def test_of_two_people_the_second_sees_first_what_the_first_did(person: Browser) -> None:
    form = fields_of(person, ORIGINS)  # type: ignore[arg-type]
    assert person.submit(ORIGINS, allowed_origins="https://new.acme.example").status_code == 303
    typed = f"{FIRST}\nhttps://mine.acme.example"
    refused = person.client.post(ORIGINS, {**form, "allowed_origins": typed})
    page = html.unescape(refused.content.decode())
    assert refused.status_code == 409
    assert "changed after you opened this page. They are now: https://new.acme.example." in page
    assert typed in page
    assert origins() == ["https://new.acme.example"]


def test_who_has_seen_the_change_can_save_the_same_form(person: Browser) -> None:
    form = fields_of(person, ORIGINS)  # type: ignore[arg-type]
    person.submit(ORIGINS, allowed_origins="https://new.acme.example")
    typed = {"allowed_origins": "https://mine.acme.example"}
    refused = person.client.post(ORIGINS, {**form, **typed})
    assert 'name="seen" value="https://new.acme.example"' in refused.content.decode()
    assert person.client.post(ORIGINS, {**form, **typed, "seen": origins()[0]}).status_code == 303
    assert origins() == ["https://mine.acme.example"]


def test_a_form_of_the_desk_that_was_opened_before_brings_no_removed_origin_back(
    person: Browser, manager: Visitor
) -> None:
    stale = fields_of(manager, f"{ACME}change/")
    person.submit(ORIGINS, allowed_origins="https://new.acme.example")
    refused = send(manager, f"{ACME}change/", stale, name="Acme Tours")
    page = refused.content.decode()
    assert refused.status_code == 200
    assert "Another person changed this after you opened it" in page
    assert "Acme Tours" in page
    assert origins() == ["https://new.acme.example"]
    assert Partner.objects.get(pk="acme").name == "Acme Travel"


def test_who_sees_both_values_at_the_desk_chooses_between_them(person: Browser, manager: Visitor) -> None:
    stale = fields_of(manager, f"{ACME}change/")
    person.submit(ORIGINS, allowed_origins="https://new.acme.example")
    refused = send(manager, f"{ACME}change/", stale, name="Acme Tours")
    again = Form(refused.content.decode()).fields
    chosen = {"keep-name": "mine", "keep-allowed_origins": "theirs"}
    assert send(manager, f"{ACME}change/", again, **chosen).status_code == 302
    assert (Partner.objects.get(pk="acme").name, origins()) == ("Acme Tours", ["https://new.acme.example"])


def test_the_contact_gets_a_mail_for_origins_that_a_manager_changes_and_for_nothing_else(
    acme: Partner, manager: Visitor
) -> None:
    assert save(manager, f"{ACME}change/", name="Acme Tours").status_code == 302
    assert mails() == []
    answer = save(manager, f"{ACME}change/", allowed_origins="https://desk.acme.example")
    assert answer.status_code == 302
    (mail,) = mails()
    assert "They are now: https://desk.acme.example." in mail


def many(number: int) -> str:
    """Return so many origins, one on each line."""
    return "\n".join(f"https://{at}.acme.example" for at in range(number))


def test_a_partner_has_twenty_origins_at_most_at_both_places(person: Browser, manager: Visitor) -> None:
    assert person.submit(ORIGINS, allowed_origins=many(20)).status_code == 303
    for answer in (
        person.submit(ORIGINS, allowed_origins=many(21)),
        save(manager, f"{ACME}change/", allowed_origins=many(21)),
    ):
        assert "These are 21 origins, and 20 are the most." in answer.content.decode()
    assert len(origins()) == 20
    assert "at most 20" in person.page(ORIGINS)
    assert "at most 20" in manager.page(f"{ACME}change/")


def test_an_origin_has_a_host_that_can_exist(person: Browser) -> None:
    label = "a" * 63
    longest = f"https://{label}.{label}.{label}.{'a' * 61}"
    assert person.submit(ORIGINS, allowed_origins=longest).status_code == 303
    refused = person.submit(ORIGINS, allowed_origins=f"{longest}a")
    assert "its host has more than 253 characters" in refused.content.decode()
    assert origins() == [longest]
