# ruff: noqa: RUF001 - people type full-width letters
"""Search fields find models, airlines and places by what travelers type, in eight languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aeo.asking.names.airlines import other_names
from aeo.asking.names.places import LOCALES, gazetteer
from aeo.asking.names.suggestions import (
    Suggestion,
    read_place,
    suggest_airlines,
    suggest_models,
    suggest_places,
)
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import Country
from tests.support.starter import published, starter_release

RELEASE = starter_release()


def countries(text: str, language: str = "en") -> list[str]:
    return [place.value for place in suggest_places(RELEASE, text, language)]


PLACES = {
    "AE": [
        "Dubai",
        "DXB",
        "dxb",
        "ドバイ",
        "두바이",
        "迪拜",
        "杜拜",
        "アラブ首長国連邦",
        "阿联酋",
        "Vereinigte Arabische Emirate",
        "UAE",
        "U.A.E.",
        "Émirats arabes unis",
        "emirats arabes unis",
        "아랍에미리트",
        "ｄｘｂ",
        "ﾄﾞﾊﾞｲ",
        "  Dubai ",
        "DUBAI",
    ],
    "GB": [
        "London",
        "Londres",
        "ロンドン",
        "런던",
        "伦敦",
        "倫敦",
        "LHR",
        "Heathrow",
        "ヒースロー",
        "希思罗",
        "LON",
    ],
    "JP": ["羽田", "Haneda"],
    "US": ["米国", "USA"],
    "DE": ["München", "Muenchen", "munchen", "Munich", "Múnich", "慕尼黑"],
    "HK": ["Hongkong", "hong-kong", "香港", "홍콩"],
    "MO": ["Macao", "澳門"],
    "TW": ["台北", "臺北", "Taiwan", "대만"],
    "PR": ["SJU"],
    "GU": ["GUM"],
    "RE": ["Réunion"],
    "TR": ["Türkiye", "Turkey"],
}


@pytest.mark.parametrize(
    ("text", "country"), [(text, code) for code, texts in PLACES.items() for text in texts]
)
def test_a_place_is_found_by_its_name_in_any_language_and_script(text: str, country: str) -> None:
    assert read_place(RELEASE, text, "en")[0] == country
    assert countries(text)[0] == country


def test_a_name_of_several_countries_is_left_to_the_traveler() -> None:
    country, found = read_place(RELEASE, "San José", "es")
    assert country is None
    assert {"US", "CR"} <= {place.value for place in found}


def test_namesakes_are_offered_the_most_populous_first() -> None:
    assert list(dict.fromkeys(countries("London")))[:2] == ["GB", "CA"]


def test_a_place_is_found_before_its_name_is_complete() -> None:
    assert "AE" in countries("Duba")
    assert countries("ドバ")[0] == "AE"
    assert countries("United Ar")[0] == "AE"


def test_a_place_is_called_as_in_the_language_of_the_page() -> None:
    assert suggest_places(RELEASE, "DXB", "ja")[0].label == "ドバイ (DXB)"
    dubai = Suggestion("AE", "두바이", "아랍에미리트 · DXB · NHD", spelled="Dubai")
    assert suggest_places(RELEASE, "Dubai", "ko")[0] == dubai
    assert suggest_places(RELEASE, "AE", "de")[0].label == "Vereinigte Arabische Emirate"
    assert suggest_places(RELEASE, "AE", "en")[0].label == "United Arab Emirates"


def test_only_countries_of_the_release_are_offered() -> None:
    small = published(Content(countries=(Country(code="CA", name="Canada"),)))
    assert {place.value for place in suggest_places(small, "London", "en")} == {"CA"}
    assert read_place(small, "Dubai", "en") == (None, ())


def test_every_country_of_the_release_is_found_by_its_name_and_its_code() -> None:
    for code, country in RELEASE.corpus.countries.items():
        for text in (country.name, code):
            _, found = read_place(RELEASE, text, "en")
            known = [place.value for place in found] or countries(text)
            assert code in known, text


def test_the_tables_name_no_country_that_does_not_exist() -> None:
    unknown = {place.country for place in gazetteer().places if place.kind != "country"} - {
        *RELEASE.corpus.countries
    }
    assert unknown <= {"XK"}, "Kosovo has no code of ISO 3166-1"


AIRLINES = {
    "EK": [
        "Emirates",
        "emir",
        "EK",
        "ek",
        "UAE",
        "エミレーツ航空",
        "エミレーツ",
        "에미레이트",
        "阿联酋航空",
        "阿聯酋",
    ],
    "NH": ["全日空", "ANA", "전일본공수"],
    "KE": ["대한항공", "大韓航空"],
    "CA": ["中国国际航空"],
    "CX": ["國泰航空", "国泰", "キャセイ"],
    "AR": ["Aerolineas"],
    "TW": ["T'way", "tway"],
    "LH": ["ルフトハンザ", "汉莎"],
    "KL": ["KLM"],
}


@pytest.mark.parametrize(
    ("text", "airline"), [(text, code) for code, texts in AIRLINES.items() for text in texts]
)
def test_an_airline_is_found_by_its_code_and_its_names(text: str, airline: str) -> None:
    assert suggest_airlines(RELEASE, text, "en")[0].value == airline


def test_an_airline_is_shown_by_the_name_of_its_record_with_code_and_country() -> None:
    assert suggest_airlines(RELEASE, "エミレーツ", "ja")[0] == Suggestion(
        "EK", "Emirates", "EK · アラブ首長国連邦"
    )


def test_other_names_belong_to_airlines_of_the_starter_corpus_and_to_one_each() -> None:
    names = [name for names in other_names().values() for name in names]
    assert set(other_names()) <= set(RELEASE.shelf.airlines)
    assert len(names) == len(set(names))


def test_a_model_is_shown_with_its_number_and_figures() -> None:
    expected = Suggestion(
        "anker-a1289", "Anker 737 Power Bank (PowerCore 24K)", "A1289 · 24000 mAh · 86.4 Wh"
    )
    for text in ("Anker 737", "アンカー737", "앤커 737", "安克737", "a1289", "Ａ１２８９"):
        assert suggest_models(RELEASE, text)[0] == expected


def test_no_more_is_offered_than_was_asked_for() -> None:
    assert len(suggest_models(RELEASE, "anker", 3)) == 3
    assert len(suggest_airlines(RELEASE, "air", "en", 3)) == 3
    assert len(suggest_places(RELEASE, "san", "en", 3)) == 3


@pytest.mark.parametrize("text", ["", "   ", "x" * 500, "\0\x01\x1b", "😀", "?!", "\ud800", "\u0301"])
def test_text_that_says_nothing_gives_nothing(text: str) -> None:
    assert suggest_models(RELEASE, text) == ()
    assert suggest_airlines(RELEASE, text, "en") == ()
    assert suggest_places(RELEASE, text, "en") == ()
    assert read_place(RELEASE, text, "en") == (None, ())


@given(text=st.text(max_size=500), language=st.sampled_from([*LOCALES, "xx"]))
def test_no_text_is_an_error(text: str, language: str) -> None:
    release: Published = RELEASE
    suggest_models(release, text)
    suggest_airlines(release, text, language)
    suggest_places(release, text, language)
    read_place(release, text, language)
