"""What people do at the desk, by the words that they see."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

RULES, RECALLS, RELEASES = "/admin/rules/rule/", "/admin/recalls/recall/", "/admin/rules/release/"


def choose(select: Locator, text: str, chosen: str) -> None:
    """Search in a select, and choose the row that names what is meant."""
    page = select.page
    select.locator("xpath=following-sibling::span[contains(@class, 'select2')]").click()
    page.locator(".select2-search__field").fill(text)
    page.get_by_role("option", name=chosen).first.click()


def press(page: Page, button: str) -> None:
    """Press a button that leads to another page, and be there."""
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()


def follow(page: Page, link: str) -> None:
    """Follow a link that leads to another page, and be there."""
    with page.expect_navigation():
        page.get_by_role("link", name=re.compile(rf"(^|\s){re.escape(link)}($|\s)")).first.click()


def go_to(page: Page, *addresses: str) -> None:
    """Start at the desk, and follow the links to these addresses, one after the other."""
    page.goto("/admin/")
    for address in addresses:
        with page.expect_navigation():
            page.locator(f"#main a[href='{address}']").first.click()


def says(page: Page, sentence: str) -> None:
    """Have a page that says something in its main part."""
    expect(page.locator("#main")).to_contain_text(sentence, ignore_case=True)


def fill_in_one_unit(page: Page, *, rule_id: str, summary: str) -> None:
    """Fill in the form of a rule: Qatar Airways takes one unit per passenger into the cabin."""
    page.get_by_label("Rule id").fill(rule_id)
    choose(page.locator("#id_airline"), "qatar", "Qatar Airways")
    page.get_by_label("It says").select_option("max_units")
    page.locator("#id_max_units").fill("1")
    page.locator("#rule_form").get_by_label("in a cabin bag").check()
    page.locator("#rule_form").get_by_label("on the person").check()
    page.get_by_role("button", name="Add a source").click()
    choose(
        page.locator("[data-rows-list] [name=evidence-source]").last,
        "qr-official",
        "qr-official-restricted-baggage",
    )
    page.get_by_label("Confidence").select_option("reported")
    page.get_by_label("Summary").fill(summary)


def publish(page: Page, note: str, before_confirming: Callable[[], None] = lambda: None) -> None:
    """Come from the desk to the page that publishes, look, and publish exactly what it shows."""
    go_to(page, RELEASES)
    follow(page, "What would be published now")
    page.get_by_label("Release note").fill(note)
    before_confirming()
    press(page, "Publish exactly this")
    says(page, "the current release")


def roll_back(
    requester: Page, publisher: Page, reason: str, before_confirming: Callable[[], None] = lambda: None
) -> None:
    """Roll back what makes answers less strict: one publisher requests it, look, and another one does it."""
    to_the_release_before(requester)
    requester.get_by_label("Reason").fill(reason)
    press(requester, "Request this roll-back")
    says(requester, "The roll-back is requested.")
    to_the_release_before(publisher)
    says(publisher, reason)
    publisher.get_by_label("Reason").fill(reason)
    before_confirming()
    with publisher.expect_navigation():
        publisher.get_by_role("button", name="Roll back to ").click()
    says(publisher, "is now current")


def to_the_release_before(page: Page) -> None:
    """Come from the page of the current release to the page that rolls back to the one before it."""
    page.goto("/admin/")
    follow(page, "today, by")
    with page.expect_navigation():
        page.locator("dt:text-is('Follows') + dd a").click()
    follow(page, "Roll back to this release …")
