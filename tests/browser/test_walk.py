"""A walk of each group over the whole desk, along its own links, and what keeps somebody from using it."""

from collections import deque
from urllib.parse import urldefrag, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import resolve
from playwright.sync_api import Page, expect

from .accounts import PEOPLE
from .conftest import Visit

KINDS = {"elena": 45, "ravi": 33, "paula": 33, "marek": 9, "vera": 33}
"""How many kinds of pages the walk of each reaches at least."""

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}

LINKS = "nodes => nodes.map(node => node.href)"
IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"

SCREENS = {
    "elena": (
        "/admin/",
        "/admin/rules/rule/?q=qatar",
        "/admin/rules/rule/add/",
        "/admin/recalls/recall/add/",
    ),
    "paula": ("/admin/rules/release/publish/",),
}
WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.mark.parametrize("name", PEOPLE)
def test_whoever_follows_the_links_of_the_desk_meets_no_error_and_no_page_wider_than_a_phone(
    visit: Visit, service: str, name: str
) -> None:
    page = visit(name)
    waiting, seen, wider = deque(["/admin/"]), set(), []
    while waiting:
        address = waiting.popleft()
        kind = resolve(urlsplit(address).path).route
        if kind in seen:
            continue
        seen.add(kind)
        page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
        page.goto(address)
        links = page.eval_on_selector_all("a[href]", LINKS)
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        wider += [address] * page.evaluate(IS_WIDER)
        waiting += [urldefrag(link.removeprefix(service))[0] for link in links if _is_page(link, service)]
    assert wider == []
    assert len(seen) >= KINDS[name], sorted(seen)


def _is_page(link: str, service: str) -> bool:
    """Tell whether a link leads to a page of the desk, not to a file or elsewhere."""
    return link.startswith(f"{service}/admin/") and "/export/" not in link and not link.endswith("/document/")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "address"), [(name, one) for name in SCREENS for one in SCREENS[name]])
def test_a_main_screen_keeps_wcag_2_2_aa(visit: Visit, name: str, address: str, dark: bool) -> None:
    page = visit(name, dark=dark)
    page.goto(address)
    assert barriers(page) == []


def barriers(page: Page) -> list[str]:
    """Return what keeps somebody from using a page, by the rules of WCAG 2.2 AA that a program can check."""
    # What is on its way is pale for a moment.
    expect(page.locator(".rule-busy, .recall-busy")).to_have_count(0)
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": WCAG_22_AA}}).response
    return [
        f"{rule['id']}: {node['target']}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
