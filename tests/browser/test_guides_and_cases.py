"""Guides, verdict cases and the use of the service in Chromium, on a phone and on a desk."""

import re

from playwright.sync_api import Page, expect

from .barriers import barriers
from .conftest import Picture, Visit
from .moves import follow, press, says

CASE = "Two units on Emirates are one too many"
SLUG = "power-banks-on-emirates"
SENTENCE = "What does Emirates allow in 2027?"


def fits_and_has_no_barrier(page: Page) -> None:
    """Look at a page on a phone and on a desk: nothing is wider than the window, and nobody is kept out."""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator("#main")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert barriers(page) == []


def test_a_new_sentence_of_a_guide_says_which_languages_lack_it_and_all_are_translated_together(
    visit: Visit, picture: Picture
) -> None:
    page = visit("elena")
    page.goto("/admin/guides/")
    follow(page, f"edit {SLUG}")
    page.locator("#id_title").fill(SENTENCE)
    press(page, "Save and submit")
    says(page, "not submitted yet: readers of some languages would get the English page")
    says(page, "7 languages lack texts.")
    says(page, "in English once this revision is approved")
    picture("guide", page)
    fits_and_has_no_barrier(page)

    follow(page, "Translate all that is missing")
    says(page, "goes out with one approval")
    picture("languages", page)
    for box in page.locator("textarea").all():
        box.fill("Emirates 2027?")
    fits_and_has_no_barrier(page)
    press(page, "Save these texts")
    expect(page.locator("#main")).not_to_contain_text("lack texts")
    press(page, "Submit for review")
    says(page, f"{SLUG} waits for review.")

    reviewer = visit("ravi")
    reviewer.goto(page.url)
    follow(reviewer, "Return …")
    reviewer.get_by_label("Reason").fill("Not now.")
    press(reviewer, "Return")
    page.reload()
    follow(page, "Discard the draft …")
    page.get_by_label("Reason").fill("Not now.")
    press(page, "Discard the draft")


def test_a_case_is_found_and_asked_now(visit: Visit, picture: Picture) -> None:
    page = visit("elena")
    page.goto("/admin/rules/verdictcase/")
    page.locator("#searchbar").fill(CASE)
    with page.expect_navigation():
        page.locator("#searchbar").press("Enter")
    fits_and_has_no_barrier(page)
    follow(page, CASE)
    fits_and_has_no_barrier(page)
    follow(page, "Ask this case now")
    expect(page.locator("#main")).to_contain_text(re.compile("Passes.*The answer is banned", re.DOTALL))
    fits_and_has_no_barrier(page)
    picture("case", page)


def test_the_use_of_the_service_is_read_without_counts_that_no_one_made(
    visit: Visit, picture: Picture
) -> None:
    page = visit("elena")
    page.goto("/admin/use/")
    says(page, "1,230 flights or more")
    says(page, "nothing was counted before")
    says(page, "not counted")
    fits_and_has_no_barrier(page)
    picture("use", page)
