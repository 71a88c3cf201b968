"""Days that a sentence names, in every language: read if they can only be one day, and else asked about."""

import datetime

import pytest
from babel import Locale

from aeo.asking.filling import needed
from aeo.asking.free_text.figures import dates
from aeo.asking.free_text.sentence import understand
from aeo.asking.names.places import LOCALES
from tests.support.starter import starter_release

TODAY = datetime.date(2026, 11, 23)

ROUTES = {
    "en": "Anker 737 {} on Emirates from Dubai to London",
    "de": "Anker 737 {} mit Emirates von Dubai nach London",
    "fr": "Anker 737 {} avec Emirates de Dubaï à Londres",
    "es": "Anker 737 {} con Emirates de Dubái a Londres",
    "ja": "アンカー737 {} エミレーツ航空でドバイからロンドンまで",
    "ko": "앤커 737 {} 에미레이트항공 두바이에서 런던까지",
    "zh-hans": "安克737 {} 阿联酋航空 从迪拜到伦敦",
    "zh-hant": "安克737 {} 阿聯酋航空 從杜拜到倫敦",
}

VAGUE = {
    "en": "next March, in three weeks, on the 5th, on the fifth, 05/06, 20/12/26, Q1, in May, mid-May, "
    "the holidays, Thanksgiving, in a fortnight, the day after Christmas, 20-28 December, "
    "20 or 21 December, early 2027",
    "de": "nächsten März, in drei Wochen, am 5., am fünften, 5.6., KW 12, im Mai, in den Ferien, "
    "Heiligabend, im Urlaub nach Ostern, Anfang Januar, für den Urlaub, übers Wochenende",
    "fr": "en mars prochain, dans trois semaines, le 5, le cinq, 05/06, en mai, pour les vacances, à Noël, "
    "le premier de l'an, mi-janvier, ce week-end",
    "es": "el próximo marzo, en tres semanas, el 5, el cinco, 05/06, en mayo, en vacaciones de verano, "
    "en Navidad, Nochebuena, a mediados de enero, el finde",
    "ja": "3月, 三月, 5日, 来月, 3週間後, クリスマス, 正月明け, 1月中旬, 十二月二十日, 夏休み",
    "ko": "3월, 5일, 다음 달, 3주 후, 크리스마스, 내년 초, 1월 중순, 설 연휴, 여름휴가",
    "zh-hans": "三月, 3月, 5号, 下个月, 三周后, 圣诞节, 过完年, 一月中旬, 十二月二十日, 暑假",
    "zh-hant": "三月, 3月, 5號, 下個月, 三週後, 聖誕節, 過完年, 一月中旬, 十二月二十日, 暑假",
}
"""Days, months and seasons that are no single day."""


def asks_for_the_day(text: str, language: str) -> bool:
    """Tell whether a sentence leads to a day that it states, or to a question about the day."""
    found = understand(starter_release(), text, language, TODAY)
    return found.travel_date is not None or "date" in needed(found.unused)


def named_in(language: str) -> set[str]:
    """Return the months and weekdays of a language."""
    locale = Locale.parse(LOCALES[language])
    return {*locale.months["stand-alone"]["wide"].values(), *locale.days["stand-alone"]["wide"].values()}


@pytest.mark.parametrize("language", ROUTES)
def test_a_word_for_a_day_that_is_not_read_is_never_taken_for_today(language: str) -> None:
    words = {*VAGUE[language].split(", "), *named_in(language)}
    texts = {ROUTES[language].format(word) for word in words}
    texts |= {f"{ROUTES[language].format('')} {word}" for word in words}
    assert [text for text in sorted(texts) if not asks_for_the_day(text, language)] == []


def test_day_and_month_with_a_slash_are_read_if_they_can_be_only_one_day() -> None:
    for number in range(365):
        day = TODAY + datetime.timedelta(days=number)
        is_clear = day.day > 12 or day.day == day.month
        in_figures = f"{day.day}/{day.month}", f"{day.month}/{day.day}", f"{day:%d/%m/%Y}", f"{day:%d.%m.}"
        for written in in_figures:
            read = {found for _, _, found in dates(written, TODAY)}
            around_the_clock = written == "24/7"
            assert read == ({day} if is_clear and not around_the_clock else set()), written


@pytest.mark.parametrize(
    "text", ["120/12", "20/12/26", "20/12-5/1", "1/20/12", "20,12/5", "32/13", "20/12/2026/1"]
)
def test_other_figures_with_a_slash_are_no_day(text: str) -> None:
    assert list(dates(text, TODAY)) == []
