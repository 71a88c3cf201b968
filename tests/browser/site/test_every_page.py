"""What holds for every public page, whatever it says: whoever comes to it can read and use it.

Each page is loaded once; a test that changes it loads it again for the next one.
"""

import itertools
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import expect

from aeo.web.languages import alternates, is_page, localized, tag
from tests.browser.barriers import HABITS, barriers

from .conftest import SOON_MS, Visited
from .probes import cut_off, enlarge_text, moving, no_room, outside, space_text, without_focus_ring

PHONE, TABLET, DESK = 390, 768, 1440
ZOOMED = 320
"""A window of 640 CSS pixels at 200 %, and one of 1280 at 400 %."""

HEADINGS = "nodes => nodes.map(node => Number(node.localName[1]))"
SHOWN = "nodes => nodes.filter(node => node.getClientRects().length).map(node => node.outerHTML)"
CANONICAL = "[...document.querySelectorAll('link[rel=canonical]')].map(node => node.href)"
ALTERNATES = "[...document.querySelectorAll('link[hreflang]')].map(node => [node.hreflang, node.href])"


def test_it_is_the_page_that_it_is_meant_to_be(visited: Visited) -> None:
    assert visited.response.status == visited.what.status
    expect(visited.page.locator(visited.what.shows).first).to_be_visible(timeout=SOON_MS)


def test_it_asks_no_one_else_for_anything_and_nothing_of_it_fails(visited: Visited, service: str) -> None:
    strangers = [url for url in visited.requested if not url.startswith((f"{service}/", "data:", "blob:"))]
    assert strangers == []
    assert visited.problems == []


def test_it_may_load_from_here_alone_and_run_nothing_that_stands_in_it(visited: Visited) -> None:
    policy = visited.response.headers.get("content-security-policy", "")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_it_keeps_wcag_2_2_aa_and_the_habits_of_screen_readers(
    visited: Visited, width: int, dark: bool
) -> None:
    assert barriers(visited.at(width, dark=dark), HABITS) == []


@pytest.mark.parametrize("width", [ZOOMED, PHONE, DESK])
def test_nothing_has_to_be_scrolled_to_from_the_side(visited: Visited, width: int) -> None:
    assert outside(visited.at(width)) == []


def test_it_has_a_title_and_one_first_heading_below_which_no_level_is_left_out(visited: Visited) -> None:
    levels: list[int] = visited.page.eval_on_selector_all("h1, h2, h3, h4, h5, h6", HEADINGS)
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels)), levels
    assert visited.page.title()


def test_the_first_key_leads_past_the_menu_to_the_content(visited: Visited) -> None:
    page = visited.at(PHONE)
    page.reload()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#content"
    expect(page.locator(":focus")).to_be_in_viewport(timeout=SOON_MS)
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused(timeout=SOON_MS)
    page.reload()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_whatever_can_be_operated_shows_when_it_has_the_focus(visited: Visited, width: int) -> None:
    page = visited.at(width)
    page.keyboard.press("Tab")
    assert without_focus_ring(page) == []


@pytest.mark.parametrize("width", [ZOOMED, PHONE, DESK])
def test_a_name_can_be_read_while_it_is_typed(visited: Visited, width: int) -> None:
    assert no_room(visited.at(width)) == []


def test_nothing_moves_for_who_wants_less_motion(visited: Visited) -> None:
    assert moving(visited.at(PHONE)) == []


@pytest.mark.parametrize("width", [ZOOMED, DESK])
def test_nothing_is_lost_where_readers_space_the_text(visited: Visited, width: int) -> None:
    page = visited.at(width)
    space_text(page)
    found = outside(page) + cut_off(page)
    page.reload()
    assert found == []


def test_text_of_twice_the_size_has_room(visited: Visited) -> None:
    # German has the longest words, and Japanese few places to break a line.
    page, path, found = visited.page, visited.what.path, []
    for here in [localized(path, one) for one in ("en", "de", "ja")] if is_page(path) else [path]:
        page.goto(here)
        enlarge_text(page)
        found += [f"{here}: {one}" for width in (PHONE, TABLET) for one in outside(visited.at(width))]
    page.goto(path)
    assert found == []


@pytest.mark.parametrize("width", [ZOOMED, DESK])
def test_it_could_be_read_from_right_to_left(visited: Visited, width: int) -> None:
    page = visited.at(width)
    page.evaluate("document.documentElement.dir = 'rtl'")
    found = outside(page)
    page.evaluate("document.documentElement.dir = 'ltr'")
    assert found == []


def test_no_field_and_no_button_is_printed(visited: Visited) -> None:
    page = visited.at(DESK)
    page.emulate_media(media="print")
    printed: list[str] = page.eval_on_selector_all("main :is(input, select, textarea, button)", SHOWN)
    heading = page.locator("h1").is_visible()
    page.emulate_media(media="screen")
    assert printed == []
    assert heading


def test_it_stands_in_each_language_at_an_address_that_all_the_others_name(
    visited: Visited, service: str
) -> None:
    page, path = visited.at(ZOOMED), visited.what.path
    if not is_page(path):
        # What is for programs and their makers has one address, in English.
        assert page.evaluate("document.documentElement.lang") == "en"
        assert page.evaluate(ALTERNATES) == []
        return
    expected = {one.tag: one.path for one in alternates(path)} | {"x-default": path}
    for language, _ in settings.LANGUAGES:
        here = localized(path, language)
        response = page.goto(here)
        assert response is not None
        assert response.headers["content-language"] == tag(language)
        assert page.evaluate("document.documentElement.lang") == tag(language)
        assert [f"{here}: {one}" for one in outside(page)] == []
        if visited.what.listed:
            assert page.evaluate(CANONICAL) == [f"{service}{here}"]
            named = page.evaluate(ALTERNATES)
            assert {name: urlsplit(url).path for name, url in named} == expected
    page.goto(path)
