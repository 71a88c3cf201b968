"""What only a browser can show: a serial that never leaves it, and a card that opens without a connection."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from .chromium import note_problems

RECALL = "/recalls/us-cpsc-2024-12-05-belkin-bpd005"
MODEL = "/models/belkin-bpd005"
SERIAL = "57V12345678901"
CARD = "/card?model=anker-a1289&airline=EK&from=AE&via=GB&to=US"
LONGEST_CARD = "/card?model=anker-a1289&airline=NH&from=JP" + "".join(
    f"&via={code}" for code in ("KR", "CN", "SG", "AE", "GB", "US", "CA", "FR")
)
KEPT = "html[data-kept]"
CONTROLLED = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"

ADDRESSES = """async () => {
  const requests = await (await caches.open("cards")).keys();
  return requests.map((request) => request.url);
}"""


@pytest.fixture
def context(service: str, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of somebody who was never here."""
    with browser.new_context(base_url=service, reduced_motion="reduce") as context:
        yield context


@pytest.mark.parametrize("path", [RECALL, MODEL])
def test_a_serial_is_checked_without_a_request_and_leaves_no_trace(
    context: BrowserContext, path: str
) -> None:
    page = context.new_page()
    problems, requests = note_problems(page), list[Request]()
    page.goto(path)
    field = page.get_by_label("Serial number on your unit")
    page.wait_for_load_state("networkidle")
    page.on("request", lambda request: requests.append(request))
    answer = page.locator(".serial-answer")
    for typed, word in (
        (f" {SERIAL.lower()} ", "Affected"),
        ("58V12345678901", "Unknown"),
        (SERIAL.replace("1", "I"), "Affected"),
    ):
        field.fill(typed)
        expect(answer).to_be_empty()
        page.get_by_role("button", name="Check my unit").click()
        expect(answer.locator(".word")).to_have_text(word)
    field.press("Enter")
    page.get_by_role("button", name="Check my unit").press("Enter")
    assert requests == []
    assert SERIAL not in page.url
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    assert page.evaluate(kept) == '[{},{},""]'
    assert page.locator("form [name]").count() == 0
    assert problems == []


def test_what_is_no_serial_is_not_judged(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(RECALL)
    for typed in ("", "   ", "\u3000"):
        page.get_by_label("Serial number on your unit").fill(typed)
        page.get_by_role("button", name="Check my unit").click()
        expect(page.locator(".serial-answer")).to_have_text(re.compile("Type what is printed"))


def test_without_a_script_a_page_says_how_to_check_by_hand(service: str, browser: Browser) -> None:
    with browser.new_context(base_url=service, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(RECALL)
        expect(page.locator(".by-hand")).to_be_visible()
        expect(page.get_by_label("Serial number on your unit")).to_have_count(0)


def open_card(context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(path)
    expect(page.locator(KEPT)).to_have_count(1)
    assert page.evaluate(CONTROLLED)
    return page


def test_a_card_that_was_opened_opens_offline_as_a_copy_and_others_do_not(context: BrowserContext) -> None:
    page = open_card(context, CARD)
    number = page.get_by_text(re.compile(r"trip_\w+")).inner_text()
    expect(page.locator(".saved")).to_be_hidden()
    context.set_offline(True)
    page.goto(CARD)
    expect(page.locator(".saved")).to_be_visible()
    assert page.get_by_text(re.compile(r"trip_\w+")).inner_text() == number
    assert page.evaluate("getComputedStyle(document.querySelector('.said')).display") == "grid"
    expect(page.locator(".expired")).to_be_hidden()
    page.goto(CARD.replace("from=AE", "from=FR"))
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()


def test_an_expired_copy_says_that_it_no_longer_counts(context: BrowserContext) -> None:
    page = open_card(context, CARD)
    context.set_offline(True)
    context.clock.set_system_time(page.locator(".counter-card").get_attribute("data-expires") or "")
    page.goto(CARD)
    expect(page.locator(".expired")).to_be_visible()
    expect(page.locator(".expired")).to_contain_text("no longer valid")


def test_only_cards_and_their_files_are_kept_and_they_can_be_forgotten(context: BrowserContext) -> None:
    page = open_card(context, CARD)
    kept = """async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map((request) => new URL(request.url).pathname);
    }"""
    paths = set(page.evaluate(kept))
    assert "/card" in paths
    assert {one for one in paths if not one.startswith(("/card", "/static/site/"))} == set()
    page.get_by_role("button", name="Forget saved cards").click()
    expect(page.get_by_role("status")).to_have_text("No cards are saved in this browser any more.")
    assert page.evaluate(kept) == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_the_last_twenty_cards_are_kept(context: BrowserContext) -> None:
    page = context.new_page()
    for count in range(1, 21):
        page.goto(f"{CARD}&count={count}" if count > 1 else CARD)
        expect(page.locator(KEPT)).to_have_count(1)
    page.goto(LONGEST_CARD + "&to=DE")
    expect(page.locator(KEPT)).to_have_count(1)
    cards = page.evaluate(
        "caches.open('cards').then((all) => all.keys()).then((all) => all.map(one => one.url))"
    )
    assert len(cards) == 20
    assert not any(one.endswith("to=US") for one in cards)


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("path", [CARD, LONGEST_CARD + "&to=DE&count=3", CARD + "&bag=checked&mark=absent"])
def test_a_card_is_printed_on_one_page(context: BrowserContext, path: str, size: str) -> None:
    page = context.new_page()
    page.goto(path)
    printed = page.pdf(format=size)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
