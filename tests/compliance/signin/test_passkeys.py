"""Passkeys over HTTP: what a browser sends is read as strictly as what a stranger sends.

That real browsers make and use them is in tests/browser/test_passkeys.py.
"""

import base64
import json
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import RequestFactory
from django_otp_webauthn.models import WebAuthnCredential
from pytest_django import Settings

from compliance.notices.models import Notice
from compliance.signin import actions
from compliance.signin.passkeys import actions as passkeys
from compliance.signin.passkeys.actions import MOST_PASSKEYS, WrongPasskey
from compliance.signin.passkeys.ceremony import Ceremony, can_be_used
from tests.support.desk.signing_in import CODE, FACTOR, INDEX, App, Browser, staff, where, with_app
from tests.support.factories import a_user

PASSKEYS, GIVE = f"{FACTOR}passkeys/", f"{FACTOR}passkey/"
ADD, REMOVE = f"{PASSKEYS}add/", f"{PASSKEYS}remove/"

pytestmark = [pytest.mark.usefixtures("fresh_desk", "clock", "quick_passwords"), pytest.mark.django_db]

TEXT = base64.urlsafe_b64encode(b"not of any authenticator").rstrip(b"=").decode()
MADE: dict[str, Any] = {
    "id": TEXT,
    "rawId": TEXT,
    "type": "public-key",
    "clientExtensionResults": {"credProps": {"rk": True}},
    "response": {"clientDataJSON": TEXT, "attestationObject": TEXT, "transports": ["internal"]},
}
USED: dict[str, Any] = {
    **MADE,
    "response": {"clientDataJSON": TEXT, "authenticatorData": TEXT, "signature": TEXT, "userHandle": TEXT},
}

NO_TEXTS: list[Any] = ["ä", "a", "%%%%", "=", "AA=A", "\ud800", "", None, 7, [], {}, True, "A" * 9000]
"""What is no base64url, or no text at all."""


def changed(body: dict[str, Any]) -> list[str]:
    """Return bodies with one part wrong each, and texts that are no body."""
    bodies = [
        "", " ", "{", "[]", "null", "1", '"text"', "{}", '{"id": NaN}', "[" * 3000, '{"response": []}',
    ]  # fmt: skip
    for name in (*body, *body["response"]):
        for wrong in NO_TEXTS:
            copy = json.loads(json.dumps(body))
            (copy if name in copy else copy["response"])[name] = wrong
            bodies.append(json.dumps(copy))
        copy = json.loads(json.dumps(body))
        (copy if name in copy else copy["response"]).pop(name)
        bodies.append(json.dumps(copy))
    return [*bodies, json.dumps(body)]


@pytest.fixture
def editor() -> User:
    return staff(email="editor@desk.example")


def at_localhost() -> Browser:
    return Browser(SERVER_NAME="localhost", SERVER_PORT="8000")


def inside(user: User) -> tuple[Browser, App]:
    """Return a browser of a person who has an app and has signed in with it."""
    app, _ = with_app(user)
    browser = at_localhost()
    browser.sign_in("editor")
    browser.submit(CODE, code=app.code(1))
    return browser, app


def a_passkey(user: User, name: str = "phone") -> WebAuthnCredential:
    number = WebAuthnCredential.objects.count()
    return WebAuthnCredential.objects.create(
        user=user, name=name, credential_id=b"id %d" % number, public_key=b"key", transports=[]
    )


def send(browser: Browser, path: str, answer: str) -> HttpResponse:
    token = browser.client.cookies["csrftoken"].value
    return browser.client.post(path, {"answer": answer, "csrfmiddlewaretoken": token})  # type: ignore[return-value]


def begin(browser: Browser, app: App, clock: time_machine.Traveller) -> HttpResponse:
    clock.shift(90)
    return browser.submit(PASSKEYS, name="my phone", proof=app.code())


def test_adding_one_needs_a_name_and_a_valid_code(editor: User, clock: time_machine.Traveller) -> None:
    browser, app = inside(editor)
    assert browser.submit(PASSKEYS, name="", proof=app.code(2)).status_code == 400
    assert browser.submit(PASSKEYS, name="phone", proof=app.wrong()).status_code == 400
    begun = begin(browser, app, clock)
    assert begun.status_code == 200
    page = begun.content.decode()
    options = json.loads(
        page.partition('<script id="passkey-options" type="application/json">')[2].partition("</")[0]
    )
    assert (options["rp"]["id"], options["user"]["name"]) == ("localhost", "editor")
    assert not WebAuthnCredential.objects.exists()


def test_no_answer_of_a_browser_is_a_failure_of_ours(editor: User) -> None:
    with_app(editor)
    known = a_passkey(editor)
    of_known = base64.urlsafe_b64encode(bytes(known.credential_id)).rstrip(b"=").decode()
    ceremony = Ceremony(RequestFactory().get("/", headers={"host": "localhost:8000"}))
    state = {"challenge": TEXT, "require_user_verification": False}
    for answer in changed(MADE):
        with pytest.raises(WrongPasskey):
            passkeys.add_passkey(user=editor, ceremony=ceremony, state=state, answer=answer, name="phone")
    for body in (USED, {**USED, "id": of_known, "rawId": of_known}):
        for answer in changed(body):
            with pytest.raises(WrongPasskey):
                passkeys.prove_by_passkey(user=editor, ceremony=ceremony, state=state, answer=answer)
    assert WebAuthnCredential.objects.get() == known


@pytest.mark.parametrize("text", ["ä", "a", "%%%%"])
def test_a_passkey_whose_text_is_no_base64url_is_refused_with_400(editor: User, text: str) -> None:
    browser, _ = inside(editor)
    session = browser.client.session
    session["passkey_new"] = {
        "state": {"challenge": TEXT, "require_user_verification": False},
        "name": "phone",
    }
    session.save()
    refused = send(browser, ADD, json.dumps({**MADE, "id": text, "rawId": text}))
    assert refused.status_code == 400
    assert "This passkey was not accepted: try again." in refused.content.decode()

    waiting = at_localhost()
    waiting.sign_in("editor")
    waiting.page(GIVE)
    assert send(waiting, GIVE, json.dumps({**USED, "id": text, "rawId": text})).status_code == 400
    assert send(waiting, GIVE, "").status_code == 400
    assert where(waiting.get(INDEX)) == CODE


def test_an_answer_counts_only_for_a_ceremony_that_was_begun_and_once(editor: User) -> None:
    browser, _ = inside(editor)
    assert send(browser, ADD, json.dumps(MADE)).status_code == 400
    assert browser.get(ADD).status_code == 405
    assert browser.client.post(ADD, {"answer": "{}"}).status_code == 403


def test_before_the_second_factor_no_passkey_is_added_or_removed(editor: User) -> None:
    with_app(editor)
    passkey = a_passkey(editor)
    browser = at_localhost()
    browser.sign_in("editor")
    assert "Use a passkey" in browser.page(CODE)
    for path in (PASSKEYS, ADD, REMOVE):
        token = browser.client.cookies["csrftoken"].value
        fields = {
            "csrfmiddlewaretoken": token,
            "passkey": passkey.pk,
            "answer": "{}",
            "name": "x",
            "proof": "1",
        }
        assert where(browser.client.post(path, fields | {"csrfmiddlewaretoken": token})) == CODE
    assert WebAuthnCredential.objects.get() == passkey


def test_people_remove_their_own_and_no_one_elses(editor: User) -> None:
    browser, _ = inside(editor)
    own, foreign = a_passkey(editor, "phone"), a_passkey(a_user("colleague"), "foreign")
    page = browser.page(PASSKEYS)
    assert "Remove phone" in page
    assert "foreign" not in page
    for number in (foreign.pk, "²", "0x10", "", "9" * 30, "-1"):
        browser.submit(PASSKEYS, to=REMOVE, passkey=str(number))
    assert WebAuthnCredential.objects.count() == 2
    assert where(browser.submit(PASSKEYS, to=REMOVE, passkey=str(own.pk))) == PASSKEYS
    assert WebAuthnCredential.objects.get() == foreign
    assert "The passkey “phone” was removed." in Notice.objects.latest("pk").text


def test_a_reset_of_the_second_factor_removes_passkeys_too(editor: User) -> None:
    with_app(editor)
    a_passkey(editor)
    actions.reset_second_factor(by=a_user("manager"), user=editor)
    assert not WebAuthnCredential.objects.exists()


def test_without_an_app_or_at_an_ip_address_the_page_says_what_to_do(editor: User) -> None:
    browser = at_localhost()
    browser.sign_in("editor")
    assert "First set up an app" in browser.page(PASSKEYS)
    with_app(editor)
    there = Browser(SERVER_NAME="127.0.0.1", SERVER_PORT="8000")
    there.sign_in("editor")
    a_passkey(editor)
    # The test client always calls port 80.
    assert "http://localhost:80/admin/second-factor/passkey/" in there.page(GIVE)


def test_a_person_has_at_most_so_many(editor: User, clock: time_machine.Traveller) -> None:
    browser, app = inside(editor)
    for number in range(MOST_PASSKEYS):
        a_passkey(editor, f"number {number}")
    begin(browser, app, clock)
    refused = send(browser, ADD, json.dumps(MADE))
    assert refused.status_code == 400
    assert "You have 10 passkeys: remove one first." in refused.content.decode()


def test_the_settings_of_a_public_service_name_its_host(settings: Settings) -> None:
    settings.SITE_URL = "https://battery.example"
    settings.OTP_WEBAUTHN_RP_ID = "battery.example"
    settings.ALLOWED_HOSTS = ["battery.example"]
    settings.OTP_WEBAUTHN_ALLOWED_ORIGINS = ["https://battery.example"]
    call_command("check")
    request = RequestFactory().get("/", headers={"host": "battery.example"})
    assert Ceremony(request).get_allowed_origins() == ["https://battery.example"]
    assert can_be_used(request)
