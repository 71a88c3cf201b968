"""Long lists are filtered while somebody types, and the menu shows every place on a phone."""

import re

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from aeo.web.languages import localized
from tests.browser.barriers import HABITS, barriers

from .conftest import SOON_MS

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def shown(page: Page, path: str) -> list[str]:
    """Return the rows of a list that are seen."""
    rows = page.locator(f'main ul > li:has(> a[href^="{path}/"])').filter(visible=True)
    return rows.all_inner_texts()


@pytest.mark.parametrize(
    ("path", "typed", "found"),
    [
        ("/countries", "JAPAN", r"^Japan"),
        ("/recalls", "anker", "Anker"),
        ("/models", "zendure 27000", "^SuperTank 27,000 mAh"),
        ("/models", "A1642", "^334 MagGo"),
        ("/ja/countries", "日本", "^日本"),
    ],
)
def test_a_list_shows_what_is_typed_on_whichever_page_it_stands(
    visitor_page: Page, path: str, typed: str, found: str
) -> None:
    page = visitor_page
    page.goto(path)
    before = shown(page, path)
    page.locator("#filter").fill(typed)
    status = page.locator("#filter-count")
    expect(status).to_have_text(re.compile("[0-9]+.+[0-9]+"), timeout=SOON_MS)
    page.wait_for_load_state("networkidle")
    rows = shown(page, path)
    assert 0 < len(rows) < len(before)
    assert all(re.search(found, row) for row in rows)
    expect(status).to_contain_text(str(len(rows)), timeout=SOON_MS)
    assert barriers(page, HABITS) == []
    page.locator("#filter").fill("")
    assert shown(page, path) == before
    page.locator("#filter").fill("nothing is called so")
    assert shown(page, path) == []
    expect(status).to_contain_text("0", timeout=SOON_MS)


def test_models_of_the_last_page_are_found_on_the_first(visitor_page: Page) -> None:
    page = visitor_page
    page.goto("/models")
    assert not any("Zendure" in row for row in shown(page, "/models"))
    page.locator("#filter").fill("zendure")
    expect(page.get_by_role("heading", name="Zendure")).to_be_visible(timeout=SOON_MS)
    expect(page.get_by_role("heading", name="Pages of this list")).to_be_hidden()


def test_without_scripts_no_filter_is_shown(browser: Browser, service: str) -> None:
    with browser.new_context(base_url=service, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/countries")
        expect(page.locator("main input")).to_have_count(0)


def test_without_scripts_airlines_are_filtered_and_compared(browser: Browser, service: str) -> None:
    with browser.new_context(base_url=service, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/airlines")
        page.get_by_label("Name or code").fill("emirates")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("tbody tr")).to_have_count(1)
        page.get_by_label("Compare Emirates", exact=True).check()
        page.get_by_label("Name or code").fill("qatar")
        page.get_by_role("button", name="Show").click()
        page.get_by_label("Compare Qatar Airways", exact=True).check()
        page.get_by_role("button", name="Compare the chosen airlines").last.click()
        expect(page).to_have_url(re.compile("/compare/ek-qr$"))


@pytest.mark.parametrize("width", [390, 768])
def test_the_button_that_compares_stays_at_hand_only_while_something_is_chosen(
    visitor_page: Page, width: int
) -> None:
    page = visitor_page
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/airlines")
    button = page.get_by_role("button", name="Compare the chosen airlines").last
    box = page.get_by_label("Compare Emirates", exact=True)
    box.scroll_into_view_if_needed()
    expect(button).not_to_be_in_viewport()
    box.check()
    expect(button).to_be_in_viewport(timeout=SOON_MS)
    box.uncheck()
    expect(button).not_to_be_in_viewport(timeout=SOON_MS)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_shows_every_place_on_a_phone(visitor_page: Page, language: str, width: int) -> None:
    visitor_page.set_viewport_size({"width": width, "height": 844})
    visitor_page.goto(localized("/about", language))
    links = visitor_page.locator(".main-menu a")
    for place in links.all():
        box = place.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    expect(visitor_page.locator(f".main-menu a[href='{localized('/recalls', language)}']")).to_be_visible()
