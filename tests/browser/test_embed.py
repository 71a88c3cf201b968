"""The check inside a page of a partner, on another origin, as visitors of that page meet it."""

import re
import time
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, expect
from playwright.sync_api import Page as Tab

from .barriers import HABITS, barriers
from .chromium import note_problems
from .embedding import Page, Site, another_site, partner_of
from .site.probes import cut_off, outside, space_text, without_focus_ring

PHONE, DESK = 390, 1440

SOON_MS = 20_000

IN_A_ROW = 16
"""So many connections reach each web process."""

ANSWER = "model=anker-a1289&airline=EK&from=AE&to=GB"


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    """The site of a partner."""
    with another_site() as site:
        yield site


@pytest.fixture(scope="module")
def stranger() -> Iterator[Site]:
    """A site of somebody with whom nothing was agreed."""
    with another_site() as site:
        yield site


@pytest.fixture(scope="module")
def key(shop: Site, environment: dict[str, str], service: str) -> str:
    """The public id of the partner's key, which each web process of the service knows by now."""
    public_id = partner_of(shop.origin, environment)
    until, known = time.monotonic() + 60, 0
    while time.monotonic() < until:
        try:
            with urlopen(f"{service}/embed/{public_id}"):
                known += 1
        except OSError:
            known = 0
            time.sleep(0.5)
        if known == IN_A_ROW:
            return public_id
    raise AssertionError("the service does not know the key")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """The browser of a visitor, on a phone."""
    with browser.new_context(viewport={"width": PHONE, "height": 844}, reduced_motion="reduce") as context:
        yield context


def page_with(service: str, key: str, attributes: str = "", above: str = "", lang: str = "en") -> Page:
    """Return a page that shows the check by the script tag, and allows nothing else at all."""
    script = f'<script src="{service}/embed.js" data-key="{key}" {attributes} async></script>'
    return Page(
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>A shop</title>'
        f"<body><main><h1>A shop</h1>{above}{script}</main>",
        policy=f"default-src 'none'; script-src {service}; frame-src {service}",
    )


def the_check(tab: Tab) -> FrameLocator:
    frame = tab.locator("iframe").content_frame
    expect(frame.locator("h1")).to_be_visible(timeout=SOON_MS)
    return frame


def heights(tab: Tab) -> tuple[float, float]:
    """Return how high the frame is, and how high what is in it."""
    box = tab.locator("iframe").bounding_box()
    assert box is not None
    return box["height"], the_check(tab).locator("body").evaluate(
        "body => body.getBoundingClientRect().height"
    )


def as_high_as_its_content(tab: Tab) -> None:
    until = time.monotonic() + SOON_MS / 1000
    while time.monotonic() < until:
        shown, wanted = heights(tab)
        if abs(shown - wanted) <= 1:
            return
        time.sleep(0.1)
    raise AssertionError(f"the frame is {shown} high, and what is in it {wanted}")


def test_a_visitor_of_the_partner_asks_by_keyboard_and_is_answered_in_the_page(
    context: BrowserContext, service: str, shop: Site, key: str
) -> None:
    shop.pages["/check"] = page_with(service, key, 'data-airline="EK"')
    tab = context.new_page()
    requests: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    problems = note_problems(tab)
    tab.goto(f"{shop.origin}/check")
    frame = the_check(tab)
    expect(tab.locator("iframe")).to_have_attribute("title", re.compile("May this power bank"))
    as_high_as_its_content(tab)
    assert frame.get_by_label("Airline").input_value() == "Emirates"
    for label, typed in (("Your power bank", "anker 737"), ("From", "dubai"), ("To", "london")):
        field = frame.get_by_role("combobox", name=label, exact=True)
        field.fill("")
        field.press_sequentially(typed)
        expect(frame.get_by_role("option").first).to_be_visible(timeout=SOON_MS)
        field.press("ArrowDown")
        field.press("Enter")
        expect(field).to_have_attribute("aria-expanded", "false")
    frame.get_by_role("button", name="Check").press("Enter")
    expect(frame.locator("#answer .banner")).to_have_class("banner allowed", timeout=SOON_MS)
    as_high_as_its_content(tab)
    # Neither the verdict nor what was asked is told to the page around it.
    assert "Allowed" in frame.locator("html").evaluate("html => html.ownerDocument.title")
    expect(tab.locator("iframe")).to_have_attribute("title", re.compile("^May this power bank"))
    assert tab.url == f"{shop.origin}/check"
    # Nobody else hears of it, and nothing stays.
    assert {re.match(r"https?://[^/]+", url)[0] for url in requests} == {service, shop.origin}  # type: ignore[index]
    assert context.cookies() == []
    assert problems == []


def test_the_frame_is_not_told_on_which_page_it_stands(
    context: BrowserContext, service: str, shop: Site, key: str
) -> None:
    shop.pages["/secret"] = page_with(service, key)
    tab = context.new_page()
    sent: list[dict[str, str]] = []
    tab.on(
        "request", lambda request: sent.append(request.all_headers()) if "/embed/" in request.url else None
    )
    tab.goto(f"{shop.origin}/secret")
    the_check(tab)
    assert sent
    assert all("/secret" not in headers.get("referer", "") for headers in sent)


def test_pages_of_other_origins_show_nothing(
    context: BrowserContext, service: str, stranger: Site, key: str
) -> None:
    stranger.pages["/check"] = page_with(service, key)
    context.clock.install()
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.goto(f"{stranger.origin}/check")
    expect(tab.locator("iframe")).to_be_attached(timeout=SOON_MS)
    tab.wait_for_timeout(500)
    assert tab.locator("iframe").content_frame.locator("form").count() == 0
    until = time.monotonic() + SOON_MS / 1000
    while not any("is not shown" in text for text in said) and time.monotonic() < until:
        context.clock.fast_forward(11_000)
        tab.wait_for_timeout(200)
    expect(tab.locator("iframe")).to_be_hidden()
    assert any(stranger.origin in text and "is not shown" in text for text in said)


def test_no_one_else_decides_about_the_frame(
    context: BrowserContext, service: str, shop: Site, stranger: Site, key: str
) -> None:
    forged = "{name: 'battery-travel', height: 7777, title: 'You may fly'}"
    stranger.pages["/forger"] = Page(
        f"<script>setInterval(() => parent.postMessage({forged}, '*'), 50)</script>"
    )
    page = page_with(service, key)
    shop.pages["/two"] = Page(f'{page.body}<iframe id="forger" src="{stranger.origin}/forger"></iframe>')
    tab = context.new_page()
    tab.goto(f"{shop.origin}/two")
    tab.evaluate(f"postMessage({forged}, '*')")
    ours = tab.locator("iframe[sandbox]")
    expect(ours).to_have_attribute("title", re.compile("May this power bank"), timeout=SOON_MS)
    tab.wait_for_timeout(500)
    box = ours.bounding_box()
    assert box is not None
    assert box["height"] != 7777
    expect(ours).to_have_attribute("title", re.compile("May this power bank"))


def test_a_page_that_isolates_itself_shows_it_too(
    context: BrowserContext, service: str, shop: Site, key: str
) -> None:
    shop.pages["/isolated"] = page_with(service, key)._replace(isolated=True)
    tab = context.new_page()
    problems = note_problems(tab)
    tab.goto(f"{shop.origin}/isolated")
    the_check(tab)
    assert problems == []


@pytest.mark.parametrize(
    ("lang", "attribute", "expected"),
    [("zh-TW", "", "zh-Hant"), ("de-AT", "", "de"), ("de", 'data-lang="ja"', "ja"), ("pt", "", "en")],
)
def test_it_speaks_the_language_of_the_page_or_the_one_that_was_chosen(
    context: BrowserContext, service: str, shop: Site, key: str, lang: str, attribute: str, expected: str
) -> None:
    shop.pages["/language"] = page_with(service, key, attribute, lang=lang)
    tab = context.new_page()
    tab.goto(f"{shop.origin}/language")
    expect(the_check(tab).locator("html")).to_have_attribute("lang", expected)


def test_it_looks_as_the_partner_chose(context: BrowserContext, service: str, shop: Site, key: str) -> None:
    shop.pages["/look"] = page_with(
        service, key, 'data-accent="#ffd400" data-round="0" data-scheme="dark" data-into="here"',
        above='<div id="here"></div><p>Below</p>',
    )  # fmt: skip
    tab = context.new_page()
    tab.goto(f"{shop.origin}/look")
    style = (
        the_check(tab)
        .locator(".button")
        .evaluate(
            "one => (({backgroundColor, color, borderRadius}) => [backgroundColor, color, borderRadius])"
            "(getComputedStyle(one))"
        )
    )
    assert style == ["rgb(255, 212, 0)", "rgb(0, 0, 0)", "0px"]
    assert tab.locator("#here iframe").count() == 1
    assert the_check(tab).locator("body").evaluate("one => getComputedStyle(one).backgroundColor") == (
        "rgb(26, 34, 41)"
    )


def test_an_answer_whose_time_is_over_takes_itself_back(
    context: BrowserContext, service: str, shop: Site, key: str
) -> None:
    shop.pages["/answer"] = Page(f'<iframe sandbox="allow-scripts allow-same-origin" '
                                 f'src="{service}/embed/{key}/check?{ANSWER}"></iframe>')  # fmt: skip
    context.clock.install()
    tab = context.new_page()
    tab.goto(f"{shop.origin}/answer")
    frame = the_check(tab)
    expect(frame.locator(".banner.allowed")).to_be_visible(timeout=SOON_MS)
    expect(frame.locator("#over")).to_be_hidden()
    seconds = int(frame.locator("#answer").get_attribute("data-seconds") or 0)
    context.clock.fast_forward(seconds * 1000 + 11_000)
    expect(frame.locator("#over")).to_be_visible(timeout=SOON_MS)
    expect(frame.locator(".banner.allowed")).to_have_count(0)
    expect(frame.locator("main")).not_to_contain_text("Allowed")
    assert (
        frame.locator("html").evaluate("html => html.ownerDocument.title") == "This answer is no longer valid"
    )


def test_without_a_script_it_asks_and_answers_too(
    browser: Browser, service: str, shop: Site, key: str
) -> None:
    shop.pages["/plain"] = Page(f'<iframe sandbox="allow-forms" src="{service}/embed/{key}?{ANSWER}" '
                                'width="360" height="800"></iframe>')  # fmt: skip
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto(f"{shop.origin}/plain")
        frame = tab.locator("iframe").content_frame
        frame.get_by_role("button", name="Check").click()
        expect(frame.locator(".banner.allowed")).to_be_visible(timeout=SOON_MS)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, PHONE, DESK])
@pytest.mark.parametrize("path", ["", f"/check?{ANSWER}&count=2", "/check?model=anker&airline=EK"])
def test_everyone_can_use_it(
    context: BrowserContext, service: str, path: str, width: int, dark: bool
) -> None:
    tab = context.new_page()
    tab.set_viewport_size({"width": width, "height": 844})
    tab.emulate_media(color_scheme="dark" if dark else "light")
    tab.goto(f"{service}/embed/demo{path}")
    assert barriers(tab, HABITS) == []
    assert outside(tab) == []
    tab.keyboard.press("Tab")
    assert without_focus_ring(tab) == []
    space_text(tab)
    assert outside(tab) + cut_off(tab) == []
