"""The desk with the keyboard alone: past the navigation, to a page, to a button."""

import re

from playwright.sync_api import expect

from .conftest import Visit
from .moves import RULES


def test_the_first_row_of_a_list_is_four_keys_away(visit: Visit) -> None:
    page = visit("elena")
    page.goto(RULES)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the rows")).to_be_focused()
    page.keyboard.press("Enter")
    first = page.locator("#result_list tbody").first
    expect(first.locator(":focus")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(first.locator("a:focus")).to_have_count(1)


def test_letters_lead_to_pages_to_the_search_and_to_the_button_that_approves(visit: Visit) -> None:
    page = visit("ravi")
    page.goto("/admin/")
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.wait_for_url(f"**{RULES}")
    page.keyboard.press("/")
    expect(page.locator("#searchbar")).to_be_focused()
    page.keyboard.type("g?a")
    expect(page.locator("#searchbar")).to_have_value("g?a")
    expect(page.locator("#desk-keys")).to_be_hidden()
    page.locator("#searchbar").blur()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.get_by_label("Use these keys in this browser").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#desk-keys")).to_be_hidden()
    expect(page).to_have_url(re.compile(RULES))
