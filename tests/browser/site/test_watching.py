"""A trip is watched with a click, on a phone as at a desk, with and without scripts, and ended with another."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.barriers import HABITS, barriers
from tests.browser.chromium import note_problems


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def page(request: pytest.FixtureRequest, browser: Browser, service: str) -> Iterator[Page]:
    """A page of a new visitor with a phone, whose browser runs scripts or does not."""
    with browser.new_context(
        base_url=service,
        java_script_enabled=request.param,
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
    ) as context:
        yield context.new_page()


@pytest.mark.parametrize("prefix", ["", "/de"])
def test_a_trip_is_watched_and_its_address_kept_and_the_watch_ended(page: Page, prefix: str) -> None:
    problems = note_problems(page)
    day = timezone.now().date() + timedelta(days=30)
    page.goto(f"{prefix}/trip?model=anker-a1289&airline=EK&from=AE&to=GB&date={day}")
    page.locator(f'form[action="{prefix}/watch"] button').click()

    expect(page).to_have_url(re.compile(f"{prefix}/watch/[a-z2-7]{{32}}$"))
    watch = page.url
    expect(page.locator("p.verdict.allowed")).to_be_visible()
    for ending in ("", ".atom", ".ics", ".json"):
        expect(page.get_by_text(f"{watch}{ending}", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert barriers(page, HABITS) == []

    page.locator('form[action$="/end"] button').click()
    expect(page).to_have_url(re.compile(f"{prefix}/watch/ended$"))
    assert problems == []
    assert page.goto(watch).status == 404  # type: ignore[union-attr]
