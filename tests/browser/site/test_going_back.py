"""What was filled in is there again after going back, and the link to an answer is shared or copied."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import SOON_MS

ANSWER = "/check?model=anker-a1289&airline=CZ&from=Shenzhen&to=Beijing"


@pytest.fixture
def page(browser: Browser, service: str) -> Iterator[Page]:
    """A page of a new visitor on a phone."""
    with browser.new_context(
        base_url=service, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    ) as context:
        yield context.new_page()


def fill(page: Page) -> None:
    """Fill in a whole question, of which one airline is chosen from the suggestions."""
    page.locator("#model").fill("anker-a1289")
    page.locator("#airline").press_sequentially("China Sou")
    # While a person types, the first suggestions are those for less of the name.
    page.locator("#airline-options [role=option]", has_text="China Southern").first.click()
    page.locator("#from").fill("Shenzhen")
    page.locator("#to").fill("Beijing")
    # Suggestions cover what is below them until the field is left.
    page.locator("#to").press("Tab")
    page.locator(".pill", has_text="On my person").click()


def is_filled(page: Page) -> None:
    expect(page.locator("#model")).to_have_value("anker-a1289", timeout=SOON_MS)
    expect(page.locator("#airline")).to_have_value("China Southern Airlines", timeout=SOON_MS)
    expect(page.locator("#from")).to_have_value("Shenzhen", timeout=SOON_MS)
    expect(page.get_by_label("On my person")).to_be_checked(timeout=SOON_MS)


@pytest.mark.parametrize("path", ["/", "/trip"])
def test_the_form_is_as_it_was_filled_in_after_going_back_and_asks_the_same(page: Page, path: str) -> None:
    page.goto(path)
    fill(page)
    page.locator("#to").press("Enter")
    expect(page.locator(".banner .word")).to_be_visible(timeout=SOON_MS)
    expect(page).to_have_url(re.compile("airline=CZ&from=Shenzhen&to=Beijing"), timeout=SOON_MS)
    answer = page.url
    page.go_back()
    expect(page.locator(".banner")).to_have_count(0, timeout=SOON_MS)
    is_filled(page)
    page.locator("#to").press("Enter")
    expect(page.locator(".banner .word")).to_be_visible(timeout=SOON_MS)
    expect(page).to_have_url(answer, timeout=SOON_MS)


def test_what_was_completed_is_there_after_going_back_to_what_was_missing(page: Page) -> None:
    page.goto("/check?count=2")
    fill(page)
    page.locator("#to").press("Enter")
    expect(page.locator(".banner .word")).to_be_visible(timeout=SOON_MS)
    page.go_back()
    expect(page.locator(".problem").first).to_be_visible(timeout=SOON_MS)
    is_filled(page)
    page.go_forward()
    expect(page.locator(".banner .word")).to_be_visible(timeout=SOON_MS)


def test_a_link_to_a_place_on_the_page_loads_nothing(page: Page) -> None:
    page.goto("/check?airline=CZ")
    page.locator("#from").fill("Shenzhen")
    page.locator(".problem a").first.click()
    page.evaluate("window.here = true")
    page.go_back()
    page.wait_for_timeout(300)
    assert page.evaluate("window.here")
    expect(page.locator("#from")).to_have_value("Shenzhen")


@pytest.mark.parametrize("path", [ANSWER, ANSWER.replace("/check", "/trip")])
def test_the_link_to_an_answer_is_copied_where_the_browser_cannot_share(page: Page, path: str) -> None:
    page.add_init_script("delete Navigator.prototype.share")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(path)
    page.get_by_role("button", name="Copy the link to this answer").click()
    expect(page.locator(".share [role=status]")).to_have_text("The link was copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_an_answer_is_shared_where_the_browser_can_also_after_it_was_swapped_in(page: Page) -> None:
    page.add_init_script("navigator.share = async shared => { window.shared = shared; }")
    page.goto("/")
    page.locator("#q").fill("Anker 737 on Emirates from Dubai to London")
    page.locator("#q").press("Enter")
    page.get_by_role("button", name="Share this answer").click(timeout=SOON_MS)
    assert page.evaluate("window.shared") == {"title": page.title(), "url": page.url}


def test_a_suggestion_names_the_airline_of_a_flight_number_and_the_name_that_was_meant(page: Page) -> None:
    page.goto("/")
    options = {
        "EK001": "Emirates (EK) if Emirates itself operates EK001",
        "lufthanza": "Lufthansa LH · Germany",
    }
    for typed, offered in options.items():
        page.locator("#airline").fill(typed)
        expect(page.locator("#airline-options [role=option]").first).to_have_text(offered, timeout=SOON_MS)
    page.locator("#from").fill("Bangkock")
    expect(page.locator("#from-options [role=option]").first).to_contain_text("Bangkok", timeout=SOON_MS)


@pytest.mark.parametrize("path", ["/", "/ja", "/trip"])
def test_another_language_keeps_what_was_filled_in(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#model").fill("anker-a1289")
    page.locator("#from").fill("Shenzhen")
    page.locator(".pill:has([value=on_person])").click()
    page.locator(".languages summary").click()
    page.locator(".languages a", has_text="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de", timeout=SOON_MS)
    expect(page.locator("#model")).to_have_value(re.compile("Anker 737"), timeout=SOON_MS)
    expect(page.locator("#from")).to_have_value(re.compile("^Shenzhen"), timeout=SOON_MS)
    expect(page.locator("[name=bag][value=on_person]")).to_be_checked(timeout=SOON_MS)
    expect(page.locator(".banner")).to_have_count(0, timeout=SOON_MS)
    expect(page).not_to_have_url(re.compile("serial|key|confirmed"))
