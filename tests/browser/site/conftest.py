"""A visitor's browser, and each public page in it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from checks.public_pages import PAGES, PublicPage
from tests.browser.chromium import note_problems

from .screenshots import Album

SOON_MS = 10_000
"""What has been loaded is there at once."""


class Visited:
    """A page as a visitor has it before them, with whatever it asked for and complained about."""

    def __init__(self, page: Page, what: PublicPage) -> None:
        self.page, self.what = page, what
        self.requested: list[str] = []
        self.problems = note_problems(page)
        page.on("request", lambda request: self.requested.append(request.url))
        response = page.goto(what.path)
        assert response is not None
        self.response = response
        page.wait_for_load_state("networkidle")
        if what.status >= 400:
            # That is what the page is for, and the console says so as well.
            self.problems[:] = [one for one in self.problems if str(what.status) not in one]

    def at(self, width: int, *, dark: bool = False) -> Page:
        """Show the page in a window of a width in CSS pixels, in light or dark."""
        self.page.set_viewport_size({"width": width, "height": 844 if width < 600 else 900})
        self.page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        return self.page


@pytest.fixture(scope="module")
def album() -> Iterator[Album | None]:
    """The pictures of all pages; None where none are wanted (SCREENSHOTS names their folder)."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        yield None
        return
    made = Album(Path(folder).resolve())
    yield made
    made.bind()


@pytest.fixture(scope="module")
def visitor(browser: Browser, service: str) -> Iterator[BrowserContext]:
    """The browser of somebody who has never been here, on a phone."""
    with browser.new_context(
        base_url=service,
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
        service_workers="block",
    ) as context:
        yield context


@pytest.fixture
def visitor_page(visitor: BrowserContext) -> Iterator[Page]:
    """A page of that browser, empty yet."""
    with visitor.new_page() as page:
        yield page


@pytest.fixture(scope="module", params=PAGES, ids=lambda page: page.kind)
def visited(
    request: pytest.FixtureRequest, visitor: BrowserContext, album: Album | None
) -> Iterator[Visited]:
    """Each of the public pages, loaded once for all that is asked of it."""
    with visitor.new_page() as page:
        shown = Visited(page, request.param)
        yield shown
        if album is not None:
            album.take(visitor, shown.what)
