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


def test_the_slash_searches_the_whole_desk_where_there_is_no_list(visit: Visit) -> None:
    page = visit("elena")
    page.goto("/admin/")
    page.keyboard.press("/")
    expect(page.get_by_label("Search the desk")).to_be_focused()
    page.keyboard.type("qr.max-units")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/search/?q=qr.max-units")
    # Other tests of this process may have revised it.
    page.locator("#content-main").get_by_role("link", name=re.compile(r"^qr\.max-units(,|$)")).click()
    page.wait_for_url("**/admin/rules/rule/*/change/")


def test_a_list_searches_itself_and_g_with_the_slash_still_searches_the_whole_desk(visit: Visit) -> None:
    page = visit("elena")
    page.goto(RULES)
    page.keyboard.press("g")
    page.keyboard.press("/")
    page.wait_for_url("**/admin/search/")
    page.keyboard.press("/")
    expect(page.get_by_label("An id, a name or words")).to_be_focused()
    page.keyboard.type("emirates")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Airlines")).to_be_visible()


def test_a_phone_searches_the_whole_desk(visit: Visit) -> None:
    page = visit("elena", width=390, height=844)
    page.goto("/admin/")
    # The navigation is folded away, and the field in it.
    page.keyboard.press("/")
    page.wait_for_url("**/admin/search/")
    page.get_by_label("An id, a name or words").fill("anker")
    page.get_by_role("button", name="Search", exact=True).last.click()
    expect(page.get_by_role("heading", name="Models")).to_be_visible()


def test_every_key_that_the_list_of_keys_names_leads_where_it_says(visit: Visit) -> None:
    page = visit("elena")
    page.goto("/admin/")
    page.keyboard.press("?")
    listed = page.locator("#desk-keys [data-go]").evaluate_all(
        "links => links.map(link => [link.dataset.go, link.getAttribute('href')])"
    )
    assert len(listed) > 10
    for key, address in listed:
        page.goto("/admin/news/")
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(f"**{address}")


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
