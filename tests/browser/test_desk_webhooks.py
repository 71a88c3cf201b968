"""A publisher has the team's chat told of what waits, on a phone."""

import pytest
from playwright.sync_api import expect

from .barriers import barriers
from .conftest import Visit
from .moves import follow, press, says
from .test_every_desk_screen import IS_WIDER

WEBHOOKS = "/admin/compliance/deskwebhook/"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_publisher_registers_tests_and_ends_a_webhook_on_a_phone(visit: Visit, dark: bool) -> None:
    page = visit("paula", width=390, height=844, dark=dark)

    def fits() -> None:
        assert barriers(page) == []
        assert not page.evaluate(IS_WIDER)

    page.goto(f"{WEBHOOKS}add/")
    fits()
    page.get_by_label("Address").fill("https://hooks.example.com/key-of-the-chat")
    page.get_by_label("Something is approved, or approved a second time").uncheck()
    press(page, "Register the webhook")
    expect(page.locator("#plain-secret")).to_contain_text("whsec_")
    says(page, "https://hooks.example.com/…")
    expect(page.locator("#main")).not_to_contain_text("key-of-the-chat")
    fits()
    follow(page, "Back to the webhooks of the desk")
    fits()
    with page.expect_navigation():
        page.locator("#result_list a[href*='/change/']").first.click()
    says(page, "desk.submitted, desk.returned")
    fits()
    page.goto(page.url.replace("/change/", "/test/"))
    press(page, "Send a test")
    says(page, "webhook.test")
    fits()
    page.goto(WEBHOOKS)
    with page.expect_navigation():
        page.locator("#result_list a[href*='/change/']").first.click()
    page.goto(page.url.replace("/change/", "/end/"))
    press(page, "End this webhook")
    says(page, "is ended")
