"""What visitors meet where something is wrong: they never take it for an answer, and know where to go on."""

import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from django.test import RequestFactory
from django.views import defaults
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.barriers import HABITS, barriers
from tests.browser.chromium import note_problems

from .conftest import SOON_MS

QUESTION = "/check?model=anker-a1289&airline=EK&from=AE&to=GB&count=2"
NEVER = "Do not count this as allowed."


def has_a_way_on(page: Page) -> None:
    expect(page.locator("main")).to_contain_text(NEVER, timeout=SOON_MS)
    assert page.locator(".banner").count() == 0
    assert barriers(page, HABITS) == []
    page.locator("main").get_by_role("link", name="Ask about a power bank and a flight").click()
    expect(page.locator("#q")).to_be_visible(timeout=SOON_MS)


def test_an_address_where_nothing_is_leads_on(visitor_page: Page) -> None:
    response = visitor_page.goto("/models/no-such-model")
    assert response is not None
    assert response.status == 404
    has_a_way_on(visitor_page)


def test_a_failure_on_our_side_is_no_answer_and_leads_on(visitor_page: Page) -> None:
    # What is sent when a view fails; no view does.
    failed = defaults.server_error(RequestFactory().get(QUESTION))
    visitor_page.route(
        "**/check?*",
        lambda route: route.fulfill(status=500, content_type="text/html", body=failed.content),
        times=1,
    )
    response = visitor_page.goto(QUESTION)
    assert response is not None
    assert response.status == 500
    has_a_way_on(visitor_page)


def refused(page: Page, service: str, headers: dict[str, str]) -> Response:
    """Ask until every process refuses, then as a reader; again where a minute ended in between."""
    begun = time.monotonic()

    def ask(_: int) -> int:
        # A connection of its own, so that either of the two processes may take it: each counts by itself.
        connection = HTTPConnection(urlsplit(service).netloc)
        connection.request("GET", "/check?count=1", headers=headers)
        status = connection.getresponse().status
        connection.close()
        return status

    with ThreadPoolExecutor(4) as pool:
        while time.monotonic() - begun < 90:
            if set(pool.map(ask, range(60))) == {429}:
                response = page.goto(QUESTION)
                assert response is not None
                if response.status == 429:
                    return response
    raise AssertionError("a reader was never refused")


def test_who_asks_too_much_is_told_when_to_come_back_and_keeps_the_question(
    browser: Browser, service: str
) -> None:
    visitor = {"X-Forwarded-For": "203.0.113.7"}
    with browser.new_context(base_url=service, extra_http_headers=visitor) as context:
        page = context.new_page()
        response = refused(page, service, visitor)
        assert 1 <= int(response.headers["retry-after"]) <= 60
        assert response.headers["cache-control"] == "no-store"
        assert page.url.endswith(QUESTION)
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "Too many questions at once", timeout=SOON_MS
        )
        expect(page.locator("main")).to_contain_text(NEVER, timeout=SOON_MS)
        assert barriers(page, HABITS) == []
        # Whoever only reads is not refused.
        assert page.goto("/guides").status == 200  # type: ignore[union-attr]


def test_a_question_on_an_open_page_asks_for_a_page_so_that_a_refusal_is_shown(visitor_page: Page) -> None:
    visitor_page.goto("/")
    visitor_page.locator("#q").fill("Anker 737")
    with visitor_page.expect_request("**/check?*") as asked:
        visitor_page.get_by_role("button", name="Ask", exact=True).click()
    assert asked.value.headers["accept"] == "text/html"


def test_no_one_else_is_refused_for_it(visitor_page: Page) -> None:
    problems = note_problems(visitor_page)
    visitor_page.goto(QUESTION)
    expect(visitor_page.locator(".banner")).to_be_visible(timeout=SOON_MS)
    assert problems == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_page_is_as_dark_as_its_reader_prefers(visitor_page: Page, dark: bool) -> None:
    visitor_page.emulate_media(color_scheme="dark" if dark else "light")
    visitor_page.goto(QUESTION)
    paper, ink = (
        visitor_page.evaluate(f"getComputedStyle(document.body).{name}")
        for name in ("backgroundColor", "color")
    )
    assert (_brightness(paper) < _brightness(ink)) is dark


def _brightness(color: str) -> int:
    """Return how bright a color such as `rgb(1, 2, 3)` is, 0 to 765."""
    return sum(int(part) for part in color.removeprefix("rgb(").removesuffix(")").split(","))
