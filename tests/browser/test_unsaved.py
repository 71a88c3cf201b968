"""Work is never lost: when the session ends while somebody writes, and when two people change one draft."""

import json

from playwright.sync_api import Browser, Page, expect

from .conftest import Visit
from .moves import RULES, press, says

SUMMARY = "Two power banks at most, says the airline."


def write(page: Page, rule_id: str) -> None:
    """Begin a rule, and wait until the browser has kept it."""
    page.goto(f"{RULES}add/")
    page.get_by_label("Rule id").fill(rule_id)
    page.get_by_label("Summary").fill(SUMMARY)
    expect(page.locator("#desk-unsaved")).to_contain_text("Not saved yet: Rule id, Summary.")


def end_the_session(page: Page) -> dict[str, object]:
    """Have the session end as if its time were over; return its cookie."""
    (cookie,) = [one for one in page.context.cookies() if one["name"] == "sessionid"]
    page.context.clear_cookies(name="sessionid")
    return {name: value for name, value in cookie.items() if value is not None}


def test_what_was_being_written_when_the_session_ended_is_offered_after_signing_in(visit: Visit) -> None:
    page = visit("elena")
    write(page, "qr.kept")
    session = end_the_session(page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{RULES}add/")
    expect(page.get_by_label("Username")).to_be_visible()
    page.context.add_cookies([session])  # type: ignore[list-item]

    page.goto(f"{RULES}add/")
    expect(page.locator("#desk-restore")).to_contain_text("You have unsaved text of")
    expect(page.get_by_label("Rule id")).to_have_value("")
    press(page, "Restore")
    expect(page.get_by_label("Rule id")).to_have_value("qr.kept")
    expect(page.get_by_label("Summary")).to_have_value(SUMMARY)
    page.goto(f"{RULES}add/")
    page.get_by_role("button", name="Discard").click()
    page.reload()
    expect(page.locator("#desk-restore")).to_have_count(0)


def test_a_form_that_is_sent_after_the_session_ended_is_kept_and_sent_again(
    service: str, browser: Browser, signed_in: dict[str, str]
) -> None:
    # The page that keeps it is a refusal, which `visit` would call a problem.
    with browser.new_context(base_url=service, storage_state=json.loads(signed_in["elena"])) as context:
        send_again(context.new_page())


def send_again(page: Page) -> None:
    """Send a form after the session ended, sign in again, and send it once more."""
    write(page, "qr.sent-again")
    session = end_the_session(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.locator("input[name=summary]")).to_have_value(SUMMARY)
    page.context.add_cookies([session])  # type: ignore[list-item]
    press(page, "Send it again")
    # It lacks what a rule must say: the form is here again, with all that was typed.
    expect(page.get_by_label("Rule id")).to_have_value("qr.sent-again")
    expect(page.get_by_label("Summary")).to_have_value(SUMMARY)
    says(page, "Please correct the errors below")
