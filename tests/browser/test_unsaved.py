"""Work is never lost: when the session ends while somebody writes, and when two people change one draft."""

import json

from playwright.sync_api import Browser, Page, ViewportSize, expect

from .barriers import barriers
from .conftest import Picture, Visit
from .moves import RULES, fill_in_one_unit, follow, press, says
from .test_every_desk_screen import IS_WIDER

PHONE: ViewportSize = {"width": 390, "height": 844}
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


def test_what_was_being_written_when_the_session_ended_is_offered_after_signing_in(
    visit: Visit, picture: Picture
) -> None:
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
    offered, form = page.locator("#desk-restore").bounding_box(), page.locator("#rule_form").bounding_box()
    assert offered is not None
    assert form is not None
    assert offered["y"] + offered["height"] <= form["y"]
    picture("restore", page)
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


def test_what_one_person_wrote_is_not_sent_in_the_name_of_another(
    service: str, browser: Browser, signed_in: dict[str, str]
) -> None:
    elena, paula = json.loads(signed_in["elena"]), json.loads(signed_in["paula"])
    with browser.new_context(base_url=service, storage_state=elena, viewport=PHONE) as context:
        page = context.new_page()
        write(page, "qr.of-elena")
        context.clear_cookies()
        context.add_cookies(paula["cookies"])
        with page.expect_navigation():
            page.get_by_role("button", name="Save", exact=True).click()

        expect(page.get_by_role("heading", name="Another person is signed in now")).to_be_visible()
        expect(page.get_by_text("elena wrote what is below, and paula is signed in now")).to_be_visible()
        assert barriers(page) == []
        assert not page.evaluate(IS_WIDER)
        # Still paula: nothing is sent as elena's.
        press(page, "Send it again")
        expect(page.get_by_role("heading", name="Another person is signed in now")).to_be_visible()
        context.clear_cookies()
        context.add_cookies(elena["cookies"])
        press(page, "Send it again")
        expect(page.get_by_label("Rule id")).to_have_value("qr.of-elena")
        expect(page.get_by_label("Summary")).to_have_value(SUMMARY)


def test_the_other_person_sends_it_in_their_own_name_if_they_say_so(
    service: str, browser: Browser, signed_in: dict[str, str]
) -> None:
    elena, paula = json.loads(signed_in["elena"]), json.loads(signed_in["paula"])
    with browser.new_context(base_url=service, storage_state=elena) as context:
        page = context.new_page()
        write(page, "qr.taken")
        context.clear_cookies()
        context.add_cookies(paula["cookies"])
        with page.expect_navigation():
            page.get_by_role("button", name="Save", exact=True).click()
        press(page, "Send it as paula, in your own name")
        # She writes no rules.
        expect(page.get_by_role("heading", name="Another person is signed in now")).to_have_count(0)
        expect(page.get_by_role("heading", name="Your account may not do this")).to_be_visible()


def test_the_text_of_a_draft_that_another_person_discarded_goes_into_a_new_one(
    service: str, browser: Browser, signed_in: dict[str, str], visit: Visit
) -> None:
    other = visit("elena")
    other.goto(f"{RULES}add/")
    fill_in_one_unit(other, rule_id="qr.discarded", summary="One unit.")
    press(other, "Save")
    address = other.url
    state = json.loads(signed_in["elena"])
    with browser.new_context(base_url=service, storage_state=state, viewport=PHONE) as context:
        page = context.new_page()
        page.goto(address)
        page.get_by_label("Summary").fill(SUMMARY)
        follow(other, "Discard the draft")
        other.get_by_label("Reason").fill("Not needed.")
        press(other, "Discard the draft")
        with page.expect_navigation():
            page.get_by_role("button", name="Save", exact=True).click()

        says(page, "Meanwhile this draft of qr.discarded was discarded by elena")
        says(page, "The reason: “Not needed.”")
        says(page, SUMMARY)
        assert barriers(page) == []
        assert not page.evaluate(IS_WIDER)
        press(page, "Make a new rule of it")
        expect(page.get_by_label("Rule id")).to_have_value("qr.discarded")
        expect(page.get_by_label("Summary")).to_have_value(SUMMARY)
        with page.expect_navigation():
            page.get_by_role("button", name="Save", exact=True).click()
        says(page, "qr.discarded")
        assert page.url != address
