"""The proof of the desk: three people bring a rule to travelers by clicking, and two take it back.

Qatar Airways takes two power banks in the starter corpus, by its own limit and the international one.
"""

import pytest
from playwright.sync_api import Page, expect

from .asking import TWO_UNITS, lasting_answers, seconds_until, verdict
from .conftest import Visit
from .moves import (
    RULES,
    fill_in_one_unit,
    follow,
    go_to,
    press,
    publish,
    roll_back,
    says,
)

RULE = "qr.one-unit"
REASON = "The page says one unit on each flight, and the summary leaves that out."
NOTE = "Qatar Airways takes one power bank per passenger."


def test_a_one_unit_rule_reaches_travelers_through_three_people_and_a_roll_back_restores_the_answers(
    visit: Visit, service: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the roll-back each answer is the old one byte for byte, but for four fields.

    `verdict_id`, `generated_at` and `expires_at` differ between any two answers, and `ruleset_version` names
    the release, which is a new one that says what the earlier one said.
    """
    editor, reviewer, publisher = visit("elena"), visit("ravi"), visit("paula")
    before = lasting_answers(service)
    assert verdict(service, TWO_UNITS) == "allowed"

    draft(editor)
    send_back(reviewer)
    correct(editor)
    approve(reviewer)
    assert verdict(service, TWO_UNITS) == "allowed", "nothing counts before it is published"

    publisher.goto("/admin/")
    follow(publisher, "Rules to publish")
    expect(publisher.locator("#result_list")).to_contain_text(RULE)
    publish(publisher, NOTE)
    published = seconds_until(service, TWO_UNITS, "banned")
    assert lasting_answers(service) != before

    roll_back(publisher, visit("pavel"), reason="The airline has withdrawn the page.")
    restored = seconds_until(service, TWO_UNITS, "allowed")
    assert lasting_answers(service) == before
    with capsys.disabled():
        print(f" published: banned after {published:.2f} s; rolled back: allowed after {restored:.2f} s ")


def draft(page: Page) -> None:
    go_to(page, RULES, f"{RULES}add/")
    fill_in_one_unit(page, rule_id=RULE, summary="One power bank per passenger.")
    expect(page.locator("#rule-reading")).to_contain_text(
        "Qatar Airways (QR, Qatar) limits each passenger to 1 power bank"
    )
    press(page, "Save")
    says(page, "Draft")
    press(page, "Submit for review")
    says(page, "In review")


def send_back(page: Page) -> None:
    page.goto("/admin/")
    follow(page, "Rules to review")
    follow(page, RULE)
    follow(page, "Return …")
    page.get_by_label("Reason").fill(REASON)
    press(page, "Return")
    says(page, f"ravi returned it: {REASON}")


def correct(page: Page) -> None:
    page.goto("/admin/")
    says(page, f"ravi returned it: {REASON}")
    follow(page, RULE)
    page.get_by_label("Summary").fill("Qatar Airways takes one power bank per passenger on each flight.")
    press(page, "Save")
    press(page, "Submit for review")
    says(page, "In review")


def approve(page: Page) -> None:
    page.goto("/admin/")
    follow(page, "Rules to review")
    follow(page, RULE)
    page.keyboard.press("a")
    expect(page.locator("main button:focus")).to_contain_text("Approve")
    press(page, "Approve")
    says(page, "Approved")
