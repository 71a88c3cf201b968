"""An editor adds a passkey with Chromium's virtual authenticator, and signs in with it in place of a code."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from compliance.services.embedded import REPOSITORY
from tests.support.desk.signing_in import PASSWORD, App

from .chromium import note_problems
from .moves import follow, press

IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"

MAKE = """
import django; django.setup()
import json
from tests.support.desk.signing_in import staff, with_app
app, codes = with_app(staff("priya", email="priya@desk.example"))
print(json.dumps([app.key, codes]))
"""


@pytest.fixture(scope="module")
def priya(service: str, environment: dict[str, str]) -> tuple[App, list[str]]:
    """The app and the recovery codes of an editor who has no passkey yet."""
    made = subprocess.run(
        [sys.executable, "-c", MAKE],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    key, codes = json.loads(made.stdout)
    return App(key), codes


class Phone:
    """A page of a phone, whose authenticator is Chromium's virtual one."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.devtools: CDPSession = page.context.new_cdp_session(page)
        self.devtools.send("WebAuthn.enable")
        added: Any = self.devtools.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": "internal",
                    "hasResidentKey": True,
                    "hasUserVerification": True,
                    "isUserVerified": True,
                    "automaticPresenceSimulation": True,
                }
            },
        )
        self.authenticator = added["authenticatorId"]

    def has(self) -> int:
        """Return how many passkeys the authenticator has."""
        kept: Any = self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})
        return len(kept["credentials"])

    def refuses(self) -> None:
        """Let the authenticator not recognize the person any more."""
        self.devtools.send(
            "WebAuthn.setUserVerified", {"authenticatorId": self.authenticator, "isUserVerified": False}
        )

    def sign_in(self) -> None:
        """Give name and password."""
        self.page.goto("/admin/login/")
        self.page.get_by_label("Username").fill("priya")
        self.page.get_by_label("Password").fill(PASSWORD)
        press(self.page, "Log in")

    def shows(self, name: str) -> None:
        """Check that the page is no wider than the phone, and take a picture where one is wanted."""
        assert not self.page.evaluate(IS_WIDER)
        if folder := os.environ.get("SCREENSHOTS"):
            self.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.fixture
def phone(service: str, browser: Browser) -> Iterator[Phone]:
    # WebAuthn knows no IP addresses.
    address = f"http://localhost:{urlsplit(service).port}"
    context = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    page = context.new_page()
    problems = note_problems(page)
    yield Phone(page)
    context.close()
    assert problems == []


def test_a_passkey_is_added_used_in_place_of_a_code_and_removed(
    phone: Phone, priya: tuple[App, list[str]]
) -> None:
    app, codes = priya
    page = phone.page
    phone.sign_in()
    page.get_by_label("Code").fill(app.code(1))
    press(page, "Continue")
    page.wait_for_url("**/admin/")

    page.goto("/admin/second-factor/")
    phone.shows("second-factor")
    follow(page, "Passkeys")
    phone.shows("passkeys-none")
    page.get_by_label("Name").fill("My phone")
    page.get_by_label("Code from your app").fill(codes[0])
    press(page, "Add a passkey")
    phone.shows("passkey-new")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_text("The passkey “My phone” was added.")).to_be_visible()
    phone.shows("passkeys-one")
    assert phone.has() == 1

    page.goto("/admin/sessions/")
    phone.shows("sessions")
    press(page, "Sign out everywhere")
    page.wait_for_url("**/admin/login/**")

    phone.sign_in()
    phone.shows("verify")
    follow(page, "Use a passkey")
    phone.shows("passkey")
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url("**/admin/")
    page.goto("/admin/second-factor/passkeys/")
    expect(page.get_by_text("last used")).to_be_visible()

    press(page, "Remove My phone")
    expect(page.get_by_text("The passkey was removed.")).to_be_visible()
    page.goto("/admin/sessions/")
    press(page, "Sign out everywhere")
    phone.sign_in()
    expect(page.get_by_label("Code")).to_be_visible()
    expect(page.get_by_role("link", name="Use a passkey")).to_have_count(0)


def test_a_browser_without_the_passkey_says_so_and_the_app_still_works(
    phone: Phone, priya: tuple[App, list[str]], environment: dict[str, str]
) -> None:
    given = (
        "import django; django.setup()\n"
        "from django.contrib.auth.models import User\n"
        "from django_otp_webauthn.models import WebAuthnCredential\n"
        "WebAuthnCredential.objects.create(user=User.objects.get(username='priya'), name='Lost key',"
        " credential_id=b'lost', public_key=b'key', transports=[])\n"
    )
    subprocess.run([sys.executable, "-c", given], cwd=REPOSITORY, env=environment, check=True)
    page = phone.page
    phone.sign_in()
    follow(page, "Use a passkey")
    page.get_by_role("button", name="Use your passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("The browser gave no passkey")
    phone.shows("passkey-failed")
    follow(page, "Use the app")
    follow(page, "Use a recovery code")
    page.get_by_label("Recovery code").fill(priya[1][1])
    press(page, "Continue")
    page.wait_for_url("**/admin/")
