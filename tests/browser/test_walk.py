"""A walk of each group over the whole desk, along its own links, and what keeps somebody from using it."""

from collections import deque
from urllib.parse import urldefrag, urlsplit

import pytest
from django.urls import resolve

from .barriers import barriers
from .conftest import Visit

KINDS = {"elena": 45, "ravi": 33, "paula": 33, "marek": 9, "vera": 33}
"""How many kinds of pages the walk of each reaches at least: one person of each group."""

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
    "marek": ("/admin/use/",),
}


@pytest.mark.parametrize("name", KINDS)
def test_anyone_who_follows_the_links_of_the_desk_meets_no_error_and_no_page_wider_than_a_phone(
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
    files = ("/document/", ".atom")
    return link.startswith(f"{service}/admin/") and "/export/" not in link and not link.endswith(files)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "address"), [(name, one) for name in SCREENS for one in SCREENS[name]])
def test_a_main_screen_keeps_wcag_2_2_aa(visit: Visit, name: str, address: str, dark: bool) -> None:
    page = visit(name, dark=dark)
    page.goto(address)
    assert barriers(page) == []
