"""From the first page to an answer: in few moves, in every language, with and without scripts."""

import datetime
import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Locator, Page, expect

from aeo.web.languages import localized, tag

from .conftest import SOON_MS

MOST_MOVES = 4
MOST_TABS = 150

# Emirates takes one unit, so two are refused.
SENTENCES = {
    "en": "Anker 737 on Emirates from Dubai to London, two of them",
    "zh-hans": "我想带两个安克737坐阿联酋航空从迪拜飞伦敦",
    "zh-hant": "攜帶兩個Anker 737搭阿聯酋航空從杜拜飛往倫敦",
    "ja": "アンカー737を2個、エミレーツでドバイからロンドンまで",
    "ko": "에미레이트항공 두바이 출발 런던행 Anker 737 2개 가능한가요?",
    "de": "zwei Anker 737 mit Emirates von Dubai nach London",
    "fr": "deux Anker 737 avec Emirates de Dubaï à Londres",
    "es": "dos Anker 737 con Emirates de Dubái a Londres",
}
LANGUAGES = [code for code, _ in settings.LANGUAGES]
QUESTION = {"model": "anker-a1289", "airline": "EK", "from": "Dubai", "to": "London", "count": "2"}
"""The places stay as they were named, whatever the language."""


class Hands:
    """What somebody does on a page, counted: one for each text typed, key pressed or thing clicked."""

    def __init__(self, page: Page) -> None:
        self.page, self.moves = page, 0

    def type(self, field: Locator, text: str) -> None:
        """Click into a field and type."""
        self.moves += 1
        field.click()
        field.press_sequentially(text)

    def press(self, key: str) -> None:
        """Press a key."""
        self.moves += 1
        self.page.keyboard.press(key)

    def click(self, what: Locator) -> None:
        """Click."""
        self.moves += 1
        what.click()


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def page(request: pytest.FixtureRequest, browser: Browser, service: str) -> Iterator[Page]:
    """A page of a new visitor, whose browser runs scripts or does not."""
    with browser.new_context(
        base_url=service, java_script_enabled=request.param, reduced_motion="reduce"
    ) as context:
        yield context.new_page()


def asked(page: Page) -> dict[str, str]:
    """Return the question that stands in the address."""
    return dict(re.findall(r"[?&]([a-z]+)=([^&]*)", page.url))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_leads_from_the_first_page_to_the_right_answer_in_few_moves(
    page: Page, language: str
) -> None:
    page.goto(localized("/", language))
    hands = Hands(page)
    hands.type(page.locator("#q"), SENTENCES[language])
    hands.press("Enter")
    expect(page.locator(".banner.banned .word")).to_be_visible(timeout=SOON_MS)
    assert hands.moves <= MOST_MOVES
    expect(page).to_have_url(re.compile(re.escape(localized("/check", language)) + r"\?"), timeout=SOON_MS)
    assert asked(page).items() >= QUESTION.items()
    expect(page.locator("html")).to_have_attribute("lang", tag(language), timeout=SOON_MS)


def test_the_fields_lead_there_as_well(page: Page) -> None:
    page.goto("/")
    page.locator("#model").fill("Anker 737")
    page.locator("#airline").fill("Emirates")
    page.locator("#from").fill("Dubai")
    page.locator("#to").fill("London")
    page.locator("#count").fill("2")
    page.locator("#count").press("Enter")
    expect(page.locator(".banner.banned .word")).to_be_visible(timeout=SOON_MS)
    assert asked(page).items() >= QUESTION.items()


def test_what_is_missing_is_named_and_nothing_is_answered(page: Page) -> None:
    page.goto("/")
    page.locator("#airline").fill("Emirates")
    page.locator("#airline").press("Enter")
    expect(page.locator(".problem").first).to_be_visible(timeout=SOON_MS)
    assert page.locator(".banner").count() == 0
    page.locator("#model").fill("anker-a1289")
    page.locator("#from").fill("AE")
    page.locator("#to").fill("GB")
    page.locator("#to").press("Enter")
    expect(page.locator(".banner.allowed .word")).to_be_visible(timeout=SOON_MS)


def test_the_form_of_the_first_page_grows_to_an_itinerary_whose_card_can_be_shown(page: Page) -> None:
    page.goto("/")
    page.locator("#model").fill("Anker 737")
    page.locator("#airline").fill("Emirates")
    page.locator("#from").fill("Dubai")
    page.locator("#to").fill("London")
    page.locator("button[name='add'][value='unit']").click()
    expect(page.locator("#model_2")).to_be_visible(timeout=SOON_MS)
    page.locator("#model_2").fill("anker-a1268")
    page.locator("#model_2").press("Enter")
    expect(page.locator(".banner.banned .word")).to_be_visible(timeout=SOON_MS)
    page.locator("button[name='add'][value='person']").click()
    expect(page.locator("#people")).to_have_value("2", timeout=SOON_MS)
    page.locator("form[action$='/itinerary'] > .button").last.click()
    expect(page.locator(".banner.allowed .word")).to_be_visible(timeout=SOON_MS)
    page.locator("a[href*='/itinerary/card?']").first.click()
    expect(page.locator(".counter-card")).to_contain_text("2 passengers", timeout=SOON_MS)


class Keys:
    """Someone who has no pointer: the Tab key moves, and every other key works on what has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, selector: str) -> None:
        """Move to an element with the Tab key."""
        for _ in range(MOST_TABS):
            if self.page.evaluate("one => document.activeElement.matches(one)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {selector} on {self.page.url}")

    def type(self, selector: str, text: str) -> None:
        """Move to a field and type."""
        self.reach(selector)
        self.page.keyboard.type(text)

    def press(self, selector: str, awaited: str) -> None:
        """Move to a button or a link and press Enter; then something is on the next page."""
        self.reach(selector)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(awaited).first).to_be_visible(timeout=SOON_MS)


def test_a_family_with_several_power_banks_and_a_return_asks_with_the_keyboard_alone(page: Page) -> None:
    keys = Keys(page)
    page.goto("/")
    for field, text in {"model": "Anker 737", "airline": "Emirates", "from": "Dubai", "to": "London"}.items():
        keys.type(f"#{field}", text)
    keys.press("[name='add'][value='person']", "#people")
    keys.type("#people", "4")
    for number in ("2", "3"):
        keys.press("[name='add'][value='unit']", f"#model_{number}")
        # The new field has the focus already.
        expect(page.locator(f"#model_{number}")).to_be_focused(timeout=SOON_MS)
        page.keyboard.type("anker-a1268")
    keys.press("[name='add'][value='return']", "#from_2")
    expect(page.locator("#from_2")).to_have_value(re.compile("^London"), timeout=SOON_MS)
    back = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=20)
    keys.type("#date_2", f"{back:%m%d%Y}")
    keys.press("form[action$='/itinerary'] > .button:last-child", ".banner.allowed .word")
    assert page.locator(".packing dt").count() == 3
    expect(page).to_have_url(re.compile(f"date_2={back:%Y-%m-%d}$"), timeout=SOON_MS)
    keys.press("a[href*='/itinerary/card?']", ".counter-card")
    expect(page.locator(".counter-card")).to_contain_text("4 passengers", timeout=SOON_MS)


def test_a_trip_is_answered_and_leads_to_its_card(page: Page) -> None:
    page.goto("/trip")
    page.locator("#model").fill("anker-a1289")
    page.locator("#airline").fill("EK")
    page.locator("#from").fill("AE")
    page.locator("#to").fill("GB")
    page.locator("#to").press("Enter")
    expect(page.locator(".banner.allowed .word")).to_be_visible(timeout=SOON_MS)
    page.locator("a[href*='/card?']").first.click()
    expect(page.locator(".counter-card")).to_be_visible(timeout=SOON_MS)


def test_a_person_who_shares_the_address_shares_the_answer(page: Page, browser: Browser) -> None:
    page.goto("/check?" + "&".join(f"{name}={value}" for name, value in QUESTION.items()))
    said = page.locator(".banner .lead").inner_text()
    with browser.new_context() as elsewhere:
        other = elsewhere.new_page()
        other.goto(page.url)
        assert other.locator(".banner .lead").inner_text() == said


def test_the_question_is_kept_where_a_person_changes_the_language(page: Page) -> None:
    page.goto("/check?" + "&".join(f"{name}={value}" for name, value in QUESTION.items()))
    for code, name in settings.LANGUAGES[1:]:
        page.locator(".languages summary").click()
        link = page.locator(".languages").get_by_role("link", name=name, exact=True)
        assert link.get_attribute("lang") == tag(code)
        link.click()
        expect(page.locator("html")).to_have_attribute("lang", tag(code), timeout=SOON_MS)
        expect(page.locator(".banner.banned .word")).to_be_visible(timeout=SOON_MS)
        expect(page).to_have_url(re.compile(rf"/{code}/check\?"), timeout=SOON_MS)
        assert asked(page).items() >= QUESTION.items()
    assert len(settings.LANGUAGES) == 1 or tag(LANGUAGES[-1]) == page.locator("html").get_attribute("lang")
