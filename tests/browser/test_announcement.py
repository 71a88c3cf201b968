"""A notice goes from its page to an approved plan: it is announced, approved and planned by three people.

The notice: from 1 March 2027 at most one unit of up to 100 Wh, cabin only, terminals covered, no use.
Qatar Airways says most of it already, with two units.
"""

from playwright.sync_api import Page, expect

from .barriers import barriers
from .conftest import Picture, Visit
from .moves import RELEASES, follow, go_to, press, says

ANNOUNCEMENTS = "/admin/rules/announcement/"
MOST_MOVES = 12
TITLE = "Power banks from March 2027"

TYPED = {
    "source": "qr-notice-2027",
    "words": "one power bank of up to 100 Wh, in the cabin, with covered terminals",
    "url": "https://www.qatarairways.com/notices/power-banks-2027",
    "source_title": TITLE,
    "read_on": "2026-11-21",
    "effective_from": "2027-03-01",
    "up_to": "100",
    "units": "1",
}
CHOSEN = {"kind": "airline", "basis": "official_page_read", "confidence": "confirmed", "airline": "QR"}
DEMANDS = ("To travel in the cabin only", "To have protected terminals", "Not to be used on board")


class Moves:
    """Counts what people do: each link, each button, and each form that is filled in is one move."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def follow(self, page: Page, link: str) -> None:
        self.made.append(f"follow {link}")
        follow(page, link)

    def press(self, page: Page, button: str) -> None:
        self.made.append(f"press {button}")
        press(page, button)

    def go(self, page: Page, *addresses: str) -> None:
        self.made += [f"follow {address}" for address in addresses]
        go_to(page, *addresses)

    def fill_in(self, page: Page, what: str) -> None:
        self.made.append(f"fill in {what}")


def fill_in(page: Page) -> None:
    page.get_by_text("A new page: fill this in").click()
    for name, value in TYPED.items():
        page.locator(f"#id_{name}").fill(value)
    for name, value in CHOSEN.items():
        page.locator(f"#id_{name}").select_option(value)
    for demand in DEMANDS:
        page.get_by_label(demand).check()


def test_a_notice_goes_from_its_page_to_an_approved_plan_in_few_moves(visit: Visit, picture: Picture) -> None:
    editor, reviewer, publisher = visit("elena"), visit("ravi"), visit("paula")
    moves = Moves()

    moves.go(editor, ANNOUNCEMENTS, f"{ANNOUNCEMENTS}add/")
    fill_in(editor)
    moves.fill_in(editor, "the page and the checklist")
    meaning = editor.locator("#announcement-meaning")
    expect(meaning).to_contain_text("limits each passenger to 1 power bank")
    expect(meaning).to_contain_text("through 28 February 2027")
    expect(meaning).to_contain_text("Published already, so nothing is drafted.")
    expect(meaning.get_by_role("button", name="Submit 3 rules for review")).to_be_visible()
    assert barriers(editor) == []
    meaning.scroll_into_view_if_needed()
    picture("announcement", editor)
    moves.press(editor, "Submit 3 rules for review")
    says(editor, "3 rules wait for review")

    moves.go(reviewer, ANNOUNCEMENTS)
    moves.follow(reviewer, TITLE)
    assert barriers(reviewer) == []
    says(reviewer, "qr.2027.max-units")
    moves.press(reviewer, "Approve: 3 …")
    moves.press(reviewer, "Approve")
    says(reviewer, "3")

    moves.go(publisher, RELEASES)
    moves.follow(publisher, "What would be published now")
    publisher.get_by_label("Release note").fill("Qatar Airways takes one power bank from 1 March 2027.")
    publisher.get_by_text("Publish it later", exact=True).click()
    publisher.get_by_label("Publish at (UTC)").fill("2027-02-15T06:00")
    moves.fill_in(publisher, "note and time")
    publisher.get_by_text("Choose less here").click()
    publisher.locator("#choose").scroll_into_view_if_needed()
    picture("choose", publisher)
    moves.press(publisher, "Plan it")
    says(publisher, "paula planned to publish at 15 February 2027, 06:00 UTC")
    says(publisher, "qr.2027.max-units")

    assert len(moves.made) <= MOST_MOVES, moves.made
    cancel(publisher)


def cancel(page: Page) -> None:
    """Leave no plan to other tests of this service."""
    press(page, "Cancel the planned publishing")


def test_the_checklist_can_be_filled_in_on_a_phone(visit: Visit) -> None:
    page = visit("elena", width=390, height=844)
    page.goto(f"{ANNOUNCEMENTS}add/")
    page.locator("#id_airline").select_option("EK")
    page.locator("#id_units").fill("2")
    expect(page.locator("#announcement-meaning")).to_contain_text("limits each passenger to 2 power banks")
    page.get_by_role("button", name="Show the rules").click()
    says(page, "The next revision of this rule")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    assert barriers(page) == []
