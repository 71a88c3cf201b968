"""Chromium, and what it has to say of a page."""

import contextlib
import os
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, ConsoleMessage, Page, Response, sync_playwright


class NoChromium(RuntimeError):
    """There is no Chromium on this machine."""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Run the Chromium of this machine. Raises `NoChromium`."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise NoChromium("install chromium (apt-get install chromium), or put it on the PATH")
    # Chromium refuses its sandbox to root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


def note_problems(page: Page) -> list[str]:
    """Return a list that grows by each error: of a script, of the policy for content, of an address."""
    problems: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # What the policy refuses is an error too, or a warning that says so.
        if message.type == "error" or "Content Security Policy" in message.text:
            problems.append(f"{page.url}: the console says {message.text}")

    def note_response(response: Response) -> None:
        if response.status >= 400:
            problems.append(f"{page.url}: {response.status} for {response.url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: problems.append(f"{page.url}: a script failed: {error}"))
    page.on("response", note_response)
    return problems
