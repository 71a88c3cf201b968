"""What a traveler sees of a verdict page without scrolling, on a phone of 390 by 844 pixels."""

import pytest
from playwright.sync_api import Page

HEIGHT = 844

LAST_BELOW_THE_FIRST_HEADING = "#content h2 + ul > li:last-child"


@pytest.mark.parametrize(
    "path",
    [
        "/p/anker-a1277/sq/sg",
        "/p/anker-a1289/ek/ae",
        "/p/anker-a1277/fr/ie",
        "/p/anker-a1277/7c/kr",
        "/p/anker-a1263/ca/cn",
    ],
)
def test_the_answer_and_all_that_is_to_be_done_are_on_the_first_screen(visitor_page: Page, path: str) -> None:
    visitor_page.set_viewport_size({"width": 390, "height": HEIGHT})
    visitor_page.goto(path)
    for place in ("p.verdict", LAST_BELOW_THE_FIRST_HEADING):
        box = visitor_page.locator(place).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= HEIGHT
