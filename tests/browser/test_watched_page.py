"""A page that lost the words of a rule reaches the rule's draft by clicking, and another is still true.

Comes after the other tests of the desk, for what it leaves there stays.
"""

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from compliance.services.embedded import REPOSITORY

from .barriers import barriers
from .conftest import Visit
from .moves import follow, press, says
from .watched import CHANGED, LOST, QUOTE, RULE

PHONE = {"width": 390, "height": 844}
IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def signals(service: str, environment: dict[str, str]) -> list[int]:
    """The numbers of a signal about a quote that is gone, and of one about a text that changed."""
    made = subprocess.run(
        [sys.executable, "-m", "tests.browser.watched"],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return list(json.loads(made.stdout))


def test_an_editor_reads_what_a_page_lost_revises_the_rule_and_confirms_another_page(
    visit: Visit, signals: list[int]
) -> None:
    lost, changed = signals
    viewer = visit("vera")
    for dark in (False, True):
        reads_the_signal(visit("elena", dark=dark), lost)
    keeps_their_hands_off(viewer, lost)

    editor = visit("elena")
    editor.goto("/admin/")
    follow(editor, "Pages that lost a quote of a rule")
    open_row(editor, lost)
    editor.get_by_label(f"Revise {RULE}").check()
    expect(editor.get_by_label("Reason").first).to_have_value(re.compile("no longer contains the quote"))
    press(editor, "Start a revision")
    says(editor, "Draft")
    says(editor, "Reason for this revision")

    editor.goto("/admin/")
    expect(editor.locator("#main")).not_to_contain_text("Pages that lost a quote of a rule")
    follow(editor, "Pages with changed text")
    open_row(editor, changed)
    press(editor, "Still true")
    says(editor, f"Still true: 1 source has today as the reading date: {CHANGED}.")
    editor.goto(f"/admin/catalog/source/{CHANGED}/change/")
    says(editor, "today")


def reads_the_signal(page: Page, number: int) -> None:
    """Have a page that says what is gone, on a phone as well, and keeps nobody out."""
    page.goto(f"/admin/rules/watchsignal/{number}/change/")
    says(page, "1 quote of a rule is no longer on this page.")
    says(page, QUOTE)
    says(page, LOST)
    expect(page.locator(".watch-diff del").first).to_contain_text("two")
    expect(page.locator(".watch-diff ins").first).to_contain_text("one")
    assert barriers(page) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert not page.evaluate(IS_WIDER)


def keeps_their_hands_off(page: Page, number: int) -> None:
    """Have a page with nothing to press."""
    page.goto(f"/admin/rules/watchsignal/{number}/change/")
    says(page, QUOTE)
    for button in ("Start a revision", "Still true", "Dismiss"):
        expect(page.get_by_role("button", name=button, exact=True)).to_have_count(0)


def open_row(page: Page, number: int) -> None:
    """Follow the row of a signal in the queue."""
    with page.expect_navigation():
        page.locator(f"#result_list a[href*='/watchsignal/{number}/change/']").first.click()
