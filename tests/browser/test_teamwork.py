"""People talk about a rule on its page, assign it, and find what concerns them on their desks and phones."""

import re

import pytest
from playwright.sync_api import Page, expect

from .barriers import barriers
from .conftest import Picture, Visit
from .moves import RULES, follow, press

RULE = "ey.carry-on-up-to-100wh"
HERE = f"/admin/conversation/rule/{RULE}/"


def open_rule(page: Page) -> None:
    page.goto(f"{RULES}?q={RULE}")
    follow(page, RULE)


def test_a_rule_is_talked_about_on_its_own_page_and_who_is_assigned_finds_it(
    visit: Visit, picture: Picture
) -> None:
    editor, reviewer = visit("elena"), visit("ravi")
    open_rule(editor)
    talk = editor.get_by_role("region", name="Comments and assignment")
    expect(talk.get_by_role("button", name="Comment")).to_be_visible()

    talk.get_by_role("textbox", name="Comment").fill("@ravi <b>does</b> the page still say 100 Wh?")
    press(editor, "Comment")

    expect(editor.get_by_text("ravi will be told")).to_be_visible()
    expect(editor.get_by_text("@ravi <b>does</b> the page still say 100 Wh?")).to_be_visible()
    editor.get_by_text("Assign it …").click()
    editor.get_by_label("Assignee").select_option(label="ravi")
    press(editor, "Assign")
    expect(editor.get_by_text(re.compile("Assigned to ravi by elena"))).to_be_visible()

    reviewer.goto("/admin/")
    assigned = reviewer.locator("section", has=reviewer.get_by_role("heading", name="Assigned to you"))
    expect(assigned.get_by_role("link", name=RULE)).to_be_visible()
    picture("assigned", reviewer)
    assigned.get_by_role("link", name=RULE).click()
    expect(reviewer).to_have_title(re.compile(re.escape(RULE)))
    expect(reviewer.get_by_text("does</b> the page still say")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("address", [HERE, "/admin/news/"])
def test_both_pages_keep_wcag_2_2_aa_and_fit_a_phone(visit: Visit, address: str, dark: bool) -> None:
    page = visit("elena", width=390, height=844, dark=dark)
    page.goto(address)

    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_feed_is_made_and_renewed_on_the_page_of_news(visit: Visit) -> None:
    page, stranger = visit("ravi"), visit(None)
    page.goto("/admin/news/")
    press(page, "Make an address")
    link = page.get_by_role("link", name=re.compile(r"\.atom$"))
    first = link.inner_text()

    press(page, "Make a new address")

    expect(link).not_to_have_text(first)
    path = re.sub(r"^https?://[^/]+", "", link.inner_text())
    assert stranger.request.get(path).ok
    assert stranger.request.get(re.sub(r"^https?://[^/]+", "", first)).status == 404
