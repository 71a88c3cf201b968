"""A publisher chooses what goes out and plans it, on a phone and without a script."""

import datetime

from playwright.sync_api import Locator, Page, expect

from .barriers import barriers
from .conftest import Visit
from .moves import RELEASES, RULES, fill_in_one_unit, follow, go_to, press, says

RULE = "qr.planned"
PHONE = 390
PUBLISH = f"{RELEASES}publish/"
IS_WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
CUT_OFF = """() => [...document.querySelectorAll("#content-main :is(p, li, label, summary, button, a, td)")]
    .filter(one => one.getBoundingClientRect().right > window.innerWidth + 1)
    .map(one => one.textContent.trim().slice(0, 80))"""


def test_a_change_is_left_out_chosen_planned_and_its_plan_canceled(visit: Visit) -> None:
    editor, reviewer = visit("elena"), visit("ravi")
    draft(editor)
    approve(reviewer)
    page = visit("paula", width=PHONE)
    page.goto(PUBLISH)
    says(page, "All that is approved is below")
    page.get_by_text("Choose less here").click()
    tick(page).uncheck()
    press(page, "Show what these change")
    expect(tick(page)).not_to_be_checked()
    tick(page).check()
    press(page, "Show what these change")
    expect(tick(page)).to_be_checked()
    chosen = page.url
    assert page.evaluate(CUT_OFF) == []
    page.reload()
    expect(tick(page)).to_be_checked()
    page.go_back()
    expect(tick(page)).not_to_be_checked()
    page.go_forward()
    expect(tick(page)).to_be_checked()
    # A colleague sees the same at the same address, on a wide screen.
    colleague = visit("ravi")
    colleague.goto(chosen)
    expect(tick(colleague)).to_be_checked()
    assert colleague.evaluate(CUT_OFF) == []

    tomorrow = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
    page.get_by_text("Publish it later").click()
    page.get_by_label("Publish at (UTC)").fill(f"{tomorrow:%Y-%m-%dT%H:%M}")
    press(page, "Plan it")
    says(page, "paula planned to publish at")
    says(page, f"rule {RULE}")
    expect(tick(page)).not_to_be_checked()
    assert barriers(page) == []
    assert not page.evaluate(IS_WIDER)
    assert page.evaluate(CUT_OFF) == []

    press(page, "Cancel the planned publishing")
    says(page, "The planned publishing is canceled.")
    take_back(reviewer)


def tick(page: Page) -> Locator:
    """The tick of the rule."""
    return page.locator(f"input[name=take][value='rules:{RULE}']")


def draft(page: Page) -> None:
    go_to(page, RULES, f"{RULES}add/")
    fill_in_one_unit(page, rule_id=RULE, summary="One power bank per passenger, as planned.")
    press(page, "Save")
    press(page, "Submit for review")
    says(page, "In review")


def approve(page: Page) -> None:
    page.goto("/admin/")
    follow(page, "Rules to review")
    follow(page, RULE)
    press(page, "Approve")
    says(page, "Approved")


def take_back(page: Page) -> None:
    """Leave nothing for other tests to publish."""
    page.goto(f"{RULES}?q={RULE}")
    follow(page, RULE)
    follow(page, "Take back …")
    page.get_by_label("Reason").fill("It was only planned.")
    press(page, "Take back")
    says(page, "Withdrawn")
