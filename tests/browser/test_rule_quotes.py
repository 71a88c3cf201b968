"""Quoting the pages of a rule in Chromium, with the script of the form and without it."""

import json

from playwright.sync_api import Browser, Locator, Page, expect

from .conftest import Visit
from .moves import RULES, choose, fill_in_one_unit, go_to, press, says

RULE = "qr.quoted"
WORDS = "Each passenger may carry one power bank."
WHERE = "second bullet"
FIRST, SECOND = "qr-official-restricted-baggage", "ek-wam-power-bank-rules-2025"


def block(page: Page, column: str) -> Locator:
    """The inputs of a column of all blocks, but for the block that is copied for new ones."""
    return page.locator(f"[data-rows-list] [name=quotes-{column}]")


def offered(select: Locator) -> list[str]:
    values = select.locator("option").evaluate_all("all => all.map(one => one.value)")
    return [value for value in values if value]


def quote(page: Page, words: str, where: str, source: str = "") -> None:
    """Fill in the last block."""
    block(page, "source").last.select_option(source)
    block(page, "where").last.fill(where)
    block(page, "words").last.fill(words)


def test_an_editor_quotes_the_pages_that_the_form_names_at_that_moment(visit: Visit) -> None:
    page = visit("elena", width=1280)
    go_to(page, RULES, f"{RULES}add/")
    first = page.locator("#id_quotes-source-0")
    assert offered(first) == []
    fill_in_one_unit(page, rule_id=RULE, summary="One power bank per passenger.")
    expect(first.locator("option[value]:not([value=''])")).to_have_count(1)
    expect(first.locator("option").first).to_have_text(f"Source: {FIRST}")
    quote(page, WORDS, WHERE)

    page.get_by_role("button", name="Add a source").click()
    choose(page.locator("[data-rows-list] [name=evidence-source]").last, "ek-wam", SECOND)
    page.get_by_role("button", name="Add a quote").click()
    last = block(page, "source").last
    assert offered(last) == [FIRST, SECOND]
    quote(page, "one power bank", "", SECOND)
    first.select_option(FIRST)
    # A page that goes while a block is of it stays there to be seen.
    page.locator(".field-evidence [data-rows-do=remove]").first.click()
    assert offered(first) == [SECOND, FIRST]
    assert first.input_value() == FIRST
    press(page, "Save")
    says(page, f"Quote 1, Source: {FIRST} is not a source of this rule.")
    assert block(page, "words").first.input_value() == WORDS
    block(page, "source").first.select_option(SECOND)
    press(page, "Save")
    says(page, "Draft")
    assert block(page, "words").first.input_value() == WORDS


def test_a_block_can_be_filled_in_without_the_script(
    visit: Visit, browser: Browser, service: str, signed_in: dict[str, str]
) -> None:
    page = visit("elena")
    go_to(page, RULES, f"{RULES}add/")
    fill_in_one_unit(page, rule_id="qr.unscripted", summary="One power bank per passenger.")
    press(page, "Save")
    with browser.new_context(
        base_url=service, storage_state=json.loads(signed_in["elena"]), java_script_enabled=False
    ) as context:
        plain = context.new_page()
        plain.goto(page.url)
        quote(plain, WORDS, WHERE, FIRST)
        plain.get_by_role("button", name="Save", exact=True).click()
        blocks = block(plain, "words")
        # What was typed, and the next empty block.
        expect(blocks).to_have_count(2)
        assert blocks.first.input_value() == WORDS
