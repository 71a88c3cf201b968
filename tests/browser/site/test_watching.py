"""On a phone, with and without scripts, an answer is watched by a button, and the watch ended by another."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.barriers import HABITS, barriers
from tests.browser.chromium import note_problems


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the browser runs scripts."""
    wanted: bool = request.param
    return wanted


@pytest.fixture
def page(scripts: bool, browser: Browser, service: str) -> Iterator[Page]:
    """A page of a new visitor with a phone."""
    with browser.new_context(
        base_url=service,
        java_script_enabled=scripts,
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
    ) as context:
        yield context.new_page()


TRIP = "/trip?model=anker-a1289&airline=EK&from=AE&to=GB"
ITINERARY = "/itinerary?people=2&model=anker-a1289&model_2=anker-a1268&airline=EK&from=AE&to=GB"


@pytest.mark.parametrize("asked", [TRIP, ITINERARY], ids=["a trip", "an itinerary"])
@pytest.mark.parametrize("prefix", ["", "/de"])
def test_an_answer_is_watched_and_the_addresses_told_and_the_watch_ended(
    page: Page, scripts: bool, service: str, prefix: str, asked: str
) -> None:
    problems = note_problems(page)
    day = timezone.now().date() + timedelta(days=30)
    page.goto(f"{prefix}{asked}&date={day}")
    page.locator(f'form[action="{prefix}/watch"] button').click()

    expect(page).to_have_url(re.compile(f"{prefix}/watch/[a-z2-7]{{32}}$"))
    secret = page.url.rpartition("/")[2]
    expect(page.locator("p.verdict.allowed")).to_be_visible()
    for address in (
        f"{prefix}/watch/{secret}",
        *(f"/watch/{secret}.{end}" for end in ("atom", "ics", "json")),
    ):
        expect(page.get_by_text(f"{service}{address}", exact=True)).to_be_visible()
    if scripts:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert barriers(page, HABITS) == []

    page.locator('form[action$="/end"] button').click()
    expect(page).to_have_url(re.compile(f"{prefix}/watch/ended$"))
    assert problems == []
    assert page.goto(f"/watch/{secret}").status == 404  # type: ignore[union-attr]
