"""The probes find what they look for: each is shown a page that is wrong in its way, and one that is not."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.barriers import barriers

from .probes import cut_off, moving, outside, without_focus_ring

FAULTS: list[tuple[Callable[[Page], list[str]], str, str]] = [
    (outside, '<p style="width: 500px">wide', '<div style="overflow: auto"><p style="width: 500px">wide'),
    (outside, '<p style="margin-left: -20px">left', "<p>left"),
    (cut_off, '<p style="height: 8px; overflow: hidden">cut', '<p style="height: 8px; overflow: auto">cut'),
    (moving, '<p style="transition: color 1s">moves', '<p style="transition: color 0s">stays'),
    (
        without_focus_ring,
        '<a href="#x" style="outline: 0">x</a>',
        '<a href="#x" style="outline: 2px solid">x</a>',
    ),
    (barriers, '<i style="color: #999">pale', '<i style="color: #111">dark'),
    (
        barriers,
        '<button style="padding: 0; width: 9px">a</button><button style="padding: 0; width: 9px">b</button>',
        '<button style="padding: 5px; width: 40px">a</button>',
    ),
]


@pytest.mark.parametrize(
    ("probe", "wrong", "right"), FAULTS, ids=[f"{probe.__name__}-{wrong[:12]}" for probe, wrong, _ in FAULTS]
)
def test_a_probe_tells_what_is_wrong_from_what_is_right(
    visitor: BrowserContext, probe: Callable[[Page], list[str]], wrong: str, right: str
) -> None:
    found = []
    with visitor.new_page() as page:
        for body in (wrong, right):
            page.set_content(f"<!doctype html><html lang=en><title>A page</title><body>{body}")
            page.keyboard.press("Tab")
            found.append(bool(probe(page)))
    assert found == [True, False]
