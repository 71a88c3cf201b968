"""Every screen of the desk, with a row of every kind: no barriers, and no screen wider than a phone.

The screens are those of the table of addresses, so a new one is here without being named.
"""

from typing import Any

import pytest
from playwright.sync_api import Browser

from compliance.desk.first_page import ROOMS
from tests.compliance.desk.test_roles import QUERY, addresses, rows
from tests.support.desk.visiting import Visitor

from .barriers import HABITS, barriers
from .chromium import note_problems
from .served_here import PLACE, serve_here

pytestmark = pytest.mark.usefixtures("fresh_desk")

__all__ = ["rows"]

ELSEWHERE = "no room"
DESKTOP, PHONE = {"width": 1280, "height": 2400}, {"width": 390, "height": 844}
"""The first is high, so that the bar of buttons at its lower edge covers nothing."""

IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
"""Whether a page has to be scrolled sideways."""


def screens(visitor: Visitor, rows: dict[str, Any], room: str) -> list[str]:
    """Return the addresses of a room that show a whole page."""
    found = []
    for _, path in addresses(rows):
        of_room = path.split("/")[2]
        if (of_room if of_room in ROOMS else ELSEWHERE) != room or QUERY.get(path):
            continue
        response = visitor.get(path)
        if response.status_code == 200 and not response.streaming and b"<html" in response.content:
            found.append(path)
    return found


@pytest.mark.parametrize("room", [*ROOMS, ELSEWHERE])
def test_no_screen_of_the_desk_keeps_anyone_out_or_is_wider_than_a_phone(
    browser: Browser, rows: dict[str, Any], room: str
) -> None:
    visitor = Visitor(superuser=True)
    listed = screens(visitor, rows, room)
    with browser.new_context(base_url=PLACE, reduced_motion="reduce") as context:
        page = context.new_page()
        serve_here(page, visitor.client)
        problems = note_problems(page)
        found, wider = {}, []
        for path in listed:
            page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
            page.goto(path)
            found[path] = barriers(page, HABITS)
            if room == "compliance":
                # The page of a partner has the most steps beside its title.
                wider += [f"{path} at a desk"] * page.evaluate(IS_WIDER)
            page.set_viewport_size(PHONE)  # type: ignore[arg-type]
            wider += [path] * page.evaluate(IS_WIDER)
    assert {path: kept for path, kept in found.items() if kept} == {}
    assert wider == []
    assert problems == []
    assert listed
