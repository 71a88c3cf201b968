"""Partners help themselves, the whole way on a phone: from the invitation at the desk to signing out."""

import base64
import email
import json
import re
import time
import urllib.request
from collections.abc import Callable
from email.policy import default
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.api_requests import VERIFY, a_request
from tests.support.desk.signing_in import PASSWORD, App

from .barriers import HABITS, barriers
from .conftest import PATIENCE_MS, Visit
from .moves import follow, press

WIDTH = 390
ADDRESS = "pia@skyline.example"
LINK = re.compile(r"https?://[^/\s]+(/partners/invitation/\S+)")
IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


def until(find: Callable[[], str | None]) -> str:
    """Return what is found, once it is there."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while (found := find()) is None:
        assert time.monotonic() < end
        time.sleep(0.2)
    return found


def link_in(mails: Path) -> str | None:
    """Return the path of the link in the mail of the invitation, once it was sent."""
    for file in mails.glob("*.log"):
        for text in file.read_bytes().split(b"\n" + b"-" * 79 + b"\n"):
            mail = email.message_from_bytes(text, policy=default)
            found = LINK.search(mail.get_content()) if mail["To"] == ADDRESS else None
            if found:
                return found[1]
    return None


def fits(page: Page, heading: str) -> None:
    """Be on a page that everyone can use at this width."""
    expect(page.locator("h1")).to_contain_text(heading)
    assert barriers(page, HABITS) == []
    assert not page.evaluate(IS_WIDER)


def record_and_invite(desk: Page) -> None:
    """Record a partner at the desk, and invite a person of it."""
    desk.goto("/admin/compliance/partner/add/")
    desk.locator("#id_slug").fill("skyline")
    desk.locator("#id_name").fill("Skyline Travel")
    desk.locator("#id_contact_email").fill("ops@skyline.example")
    desk.locator("#id_rate_per_minute").fill("600")
    desk.locator("#id_terms_url").fill("https://skyline.example/terms")
    press(desk, "Save")
    desk.goto("/admin/compliance/partner/skyline/invite/")
    desk.get_by_label("Mail address").fill(ADDRESS)
    press(desk, "Send the invitation")
    # Its page lists the same among the newest changes.
    expect(desk.get_by_text(f"Invited {ADDRESS}.", exact=True)).to_be_visible()


def enter(page: Page, link: str) -> App:
    """Accept an invitation: a password, then an app."""
    page.goto(link)
    fits(page, "Choose a password")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password confirmation").fill(PASSWORD)
    press(page, "Set the password")
    fits(page, "Set up your second factor")
    app = App(base64.b32decode(page.locator("#secret").inner_text().replace("-", "")).hex())
    page.get_by_label("Code that the app shows").fill(app.code())
    press(page, "Confirm")
    fits(page, "Your recovery codes")
    follow(page, "I have saved them")
    fits(page, "Skyline Travel")
    return app


def ask(service: str, key: str) -> str:
    """Ask for a verdict with a key, and return it."""
    request = urllib.request.Request(
        f"{service}{VERIFY}",
        json.dumps(a_request()).encode(),
        {"content-type": "application/json", "x-service-key": key},
    )
    with urllib.request.urlopen(request) as answer:
        verdict: str = json.load(answer)["verdict"]
        return verdict


def test_a_partner_makes_a_key_asks_with_it_and_sees_the_use(visit: Visit, service: str, mails: Path) -> None:
    record_and_invite(visit("marek"))
    link = until(lambda: link_in(mails))
    page = visit(None, width=WIDTH, dark=True)
    app = enter(page, link)

    follow(page, "Keys")
    fits(page, "Keys")
    follow(page, "Make a key")
    fits(page, "Make a key")
    page.get_by_label("Days until the new key expires").fill("30")
    press(page, "Make the key")
    fits(page, "Your new key")
    key = page.locator("#plain-key").inner_text()
    # A new key works within a second.
    time.sleep(1.5)
    assert ask(service, key) in {"allowed", "conditional"}
    follow(page, "I have copied it")
    fits(page, "Keys")
    expect(page.locator("tbody")).to_contain_text(key.rpartition("_")[0])
    assert key not in page.content()

    def used() -> str | None:
        page.goto("/partners/usage")
        return page.locator(".lead").inner_text() if page.locator("figure svg").count() else None

    assert until(used) == "1 verdict in 30 days."
    fits(page, "Usage")

    follow(page, "Origins")
    fits(page, "Origins")
    page.get_by_label("Origins").fill("HTTPS://Skyline.example")
    press(page, "Save the origins")
    expect(page.get_by_label("Origins")).to_have_value("https://skyline.example")

    follow(page, "Webhooks")
    fits(page, "Webhooks")
    follow(page, "Register a webhook")
    fits(page, "Register a webhook")
    page.get_by_label("Address").fill("https://hooks.skyline.example/battery")
    page.get_by_label("A release is published").check()
    press(page, "Register the webhook")
    fits(page, "Your new webhook")
    expect(page.locator("#plain-secret")).to_contain_text("whsec_")
    follow(page, "I have copied it")
    follow(page, "Send a test")
    fits(page, "Send a test")
    press(page, "Send a test")
    fits(page, "Webhook whk_")
    expect(page.locator("tbody")).to_contain_text("webhook.test")
    follow(page, "End")
    fits(page, "End the webhook")
    press(page, "End this webhook")
    expect(page.locator("tbody")).to_contain_text("ended by the partner")

    for name in ("Watches", "Account"):
        follow(page, name)
        fits(page, "Your account" if name == "Account" else name)
    for name in (
        "Change your password",
        "Second factor, recovery codes and passkeys",
        "Where you are signed in",
    ):
        page.goto("/partners/account")
        follow(page, name)
        fits(page, "")

    press(page, "Sign out")
    fits(page, "Sign in for partners")
    page.get_by_label("Mail address").fill(ADDRESS)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in")
    fits(page, "Second factor")
    page.get_by_label("Code from your app").fill(app.code(1))
    press(page, "Continue")
    fits(page, "Skyline Travel")
    press(page, "Sign out")
