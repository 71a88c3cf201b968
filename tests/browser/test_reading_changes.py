"""Reading changes in Chromium, on a phone and on a desk: grid, steps for many rows, releases, searches."""

from playwright.sync_api import Page, expect

from .barriers import barriers
from .conftest import Picture, Visit
from .moves import RULES, press, says

CHOSEN = ("qr.carry-on-up-to-100wh", "qr.max-units")
PHONE = 390


def fits_and_has_no_barrier(page: Page) -> None:
    """Look at a page on a phone and on a desk: nothing is wider than the window, and nobody is kept out."""
    for width in (PHONE, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator("#content-main").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert barriers(page) == []


def run(page: Page, action: str, *rows: str) -> None:
    """Tick rows of the list, and press what stands below it."""
    for row in rows:
        page.locator("#result_list tr", has_text=row).locator("input[name=_selected_action]").check()
    page.locator("select[name=action]").select_option(label=action)
    with page.expect_navigation():
        page.locator("button[name=index]").first.click()


def test_rules_are_edited_in_a_grid_read_in_sentences_and_left_out(visit: Visit, picture: Picture) -> None:
    page = visit("elena", width=1280)
    page.goto(f"{RULES}?q=qr.&state=published")
    run(page, "Edit in a grid", *CHOSEN)
    fits_and_has_no_barrier(page)
    for row in CHOSEN:
        page.get_by_label(f"Until, including that day, {row}").fill("2030-12-31")
    press(page, f"Undo {CHOSEN[0]}")
    expect(page.get_by_label(f"Until, including that day, {CHOSEN[0]}")).to_have_value("")
    expect(page.get_by_label(f"Until, including that day, {CHOSEN[1]}")).to_have_value("2030-12-31")
    page.get_by_label(f"Until, including that day, {CHOSEN[0]}").fill("2030-12-31")
    page.locator("#reason").fill("The page names its end.")
    press(page, "Show what changes")
    says(page, "→ 2030-12-31")
    picture("grid", page)
    fits_and_has_no_barrier(page)
    press(page, "Write exactly this")
    says(page, "2 rules are now your drafts.")

    run(page, "Submit for review", *CHOSEN)
    says(page, "through 31 December 2030")
    press(page, "Submit for review")
    says(page, "2 done, 0 refused")

    reviewer = visit("ravi", width=1280)
    reviewer.goto(f"{RULES}?q=qr.&state=in_review")
    run(reviewer, "Approve", *CHOSEN)
    says(reviewer, "The page names its end.")
    says(reviewer, "not measured yet")
    picture("approve-many", reviewer)
    fits_and_has_no_barrier(reviewer)
    reviewer.get_by_label(f"Include {CHOSEN[0]}").uncheck()
    press(reviewer, "Approve")
    says(reviewer, "1 done, 0 refused, 1 left out.")
    fits_and_has_no_barrier(reviewer)


def test_a_search_is_saved_under_a_name(visit: Visit) -> None:
    page = visit("elena", width=1280)
    page.goto("/admin/findings/?state=all&kind=gap")
    page.get_by_text("Save this search").click()
    page.get_by_label("Name", exact=True).fill("Gaps")
    fits_and_has_no_barrier(page)
    press(page, "Save")
    expect(page.get_by_text("Saved as “Gaps”.")).to_be_visible()
    page.goto("/admin/findings/")
    fits_and_has_no_barrier(page)
    with page.expect_navigation():
        page.get_by_role("link", name="Gaps", exact=True).click()
    expect(page.get_by_label("Kind", exact=True)).to_have_value("gap")


def test_two_releases_are_compared(visit: Visit) -> None:
    page = visit("ravi", width=1280)
    page.goto("/admin/rules/release/compare/")
    says(page, "Compare two releases")
    fits_and_has_no_barrier(page)
