"""A sentence about several power banks, people or flights leads to the form or the answer of an itinerary."""

import html
import re
from urllib.parse import parse_qsl, urlencode

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils.translation import override

from aeo.asking.filling import NUMBERS
from aeo.asking.free_text.vocabulary import MILD
from aeo.itineraries.hearing import Heard, heard
from aeo.web.languages import localized
from tests.support import starter

pytestmark = pytest.mark.usefixtures("starter_release")

ROUTE = "on Emirates from Dubai to London"
FLIGHT = {"airline": "EK", "from": "Dubai", "to": "London"}
TWO = {"model": "anker-a1289", "model_2": "anker-a1263"}
BACK = {"airline_2": "EK", "from_2": "London", "to_2": "Dubai"}

WHOLE = {
    f"Anker 737 and Anker A1263 {ROUTE}": TWO | FLIGHT,
    "EK001 Anker 737 Dubai to London": {
        "model": "anker-a1289",
        "sold": "EK001",
        "from": "Dubai",
        "to": "London",
    },
    f"Anker 737 {ROUTE} to Dubai": {"model": "anker-a1289", **FLIGHT, **BACK},
    "sold by Qantas, flown by Emirates": {"airline": "Emirates", "sold": "Qantas"},
    f"Anker 737 {ROUTE} and back on 3 January": {
        "model": "anker-a1289",
        **FLIGHT,
        **BACK,
        "date_2": "2027-01-03",
    },
    f"Anker 737 {ROUTE} on 20 December and back to Dubai on 3 January": {
        "model": "anker-a1289",
        **FLIGHT,
        **BACK,
        **{"date": "2026-12-20", "date_2": "2027-01-03"},
    },
    "Frankfurt to Singapore and Sydney on Singapore Airlines 20 December, back 3 January": {
        **{"airline": "SQ", "from": "Frankfurt am Main", "to": "SG", "date": "2026-12-20"},
        **{"airline_2": "SQ", "from_2": "SG", "to_2": "Sydney"},
        **{"airline_3": "SQ", "from_3": "Sydney", "to_3": "SG", "date_3": "2027-01-03"},
        **{"airline_4": "SQ", "from_4": "SG", "to_4": "Frankfurt am Main"},
    },
}
"""Sentences of which every word is used, and the parameters that they become."""

WAITING = {
    f"Anker 737 {ROUTE} and back to Doha": (
        {"model": "anker-a1289", **FLIGHT, **BACK, "to_2": "Doha"},
        [],
    ),
    f"Anker 737 {ROUTE} and back via Beijing": (
        {"model": "anker-a1289", **FLIGHT, **BACK, "to_2": "Beijing", "airline_3": "EK", "from_3": "Beijing"}
        | {"to_3": "Dubai"},
        [],
    ),
    f"Anker 737 / {ROUTE} / 2 people": ({"model": "anker-a1289", **FLIGHT}, ["/", "2 people"]),
    "two different power banks on Emirates": ({"count": "1", "count_2": "1", "airline": "EK"}, []),
    f"power banks, one of 20000 mAh 3.7 V and one of 99 Wh, {ROUTE}": (
        {"mah": "20000", "v": "3.7", "wh_2": "99", **FLIGHT},
        # A number that is said twice may count one or two.
        ["one"],
    ),
    f"intact Anker 737 and a 99 Wh power bank each {ROUTE}, my wife and I": (
        {"model": "anker-a1289", **FLIGHT},
        ["and", "99 Wh", "each", "my wife and I"],
    ),
    f"Anker 737 Pro and Anker A1263 {ROUTE}": (
        {"model": "Anker 737 Pro", "model_2": "anker-a1263", **FLIGHT},
        ["Pro"],
    ),
    f"Anker 737 {ROUTE} and back on 20/12 or 21/12": (
        {"model": "anker-a1289", **FLIGHT, **BACK},
        ["20/12", "or", "21/12"],
    ),
    "two different power banks each on Emirates": ({"model_2": "", "airline": "EK"}, ["each"]),
    "we are four with five power banks on Emirates": ({"people": "4", "count": "5", "airline": "EK"}, []),
    f"Anker 737 or Anker A1263 {ROUTE}": (TWO | FLIGHT, ["or"]),
    f"two Anker 737 and Anker A1263 {ROUTE}": (TWO | FLIGHT, []),
    f"Anker 737 and Anker A1263 {ROUTE}, my wife and I": ({"people": "2"} | TWO | FLIGHT, []),
    f"Anker 737 and Anker A1263 and a laptop {ROUTE}": (TWO | FLIGHT, ["laptop"]),
    f"damaged Anker 737 and Anker A1263 {ROUTE}": (
        TWO | FLIGHT | {"condition": "damaged", "condition_2": "damaged"},
        [],
    ),
    f"one way, Anker 737 {ROUTE}": ({"model": "anker-a1289", **FLIGHT}, ["one way"]),
    "not Emirates but Qantas, Anker 737 Dubai to London": (
        {"model": "anker-a1289", "from": "Dubai", "to": "London"},
        ["not", "Emirates", "but", "Qantas"],
    ),
    f"two Anker 737 {ROUTE} and back with Qatar Airways": (
        {
            "model": "anker-a1289",
            "count": "2",
            **FLIGHT,
            **BACK,
            "airline": "Emirates",
            "airline_2": "Qatar Airways",
        },
        [],
    ),
    "two Anker A1289, London-Dubai with Emirates, Dubai-Singapore with Singapore Airlines": (
        {
            **{"model": "anker-a1289", "count": "2"},
            **{"from": "London", "to": "Dubai", "airline": "Emirates"},
            **{"from_2": "Dubai", "to_2": "SG", "airline_2": "Singapore Airlines"},
        },
        [],
    ),
    "Anker 737 Dubai to London and back not with Emirates but Qatar Airways": (
        {"model": "anker-a1289", "from": "Dubai", "to": "London", "from_2": "London", "to_2": "Dubai"},
        ["not", "Emirates", "but", "Qatar Airways"],
    ),
    f"Anker 737 {ROUTE} next month, back in two weeks": (
        {"model": "anker-a1289", **FLIGHT, **BACK},
        ["next month", "two", "weeks"],
    ),
}
"""Sentences whose form waits for a confirmation: the parameters that they fill, and their unused words."""

IN_OTHER_LANGUAGES = {
    "de": ("wir sind vier mit fünf Powerbanks auf Emirates", {"people": "4", "count": "5", "airline": "EK"}),
    "fr": (
        "deux batteries externes différentes sur Emirates",
        {"count": "1", "count_2": "1", "airline": "EK"},
    ),
    "es": ("somos cuatro con cinco power banks en Emirates", {"people": "4", "count": "5", "airline": "EK"}),
    "ja": ("エミレーツで4人、モバイルバッテリー5個", {"people": "4", "count": "5", "airline": "EK"}),
    # A word that is not used leaves the numbers to the traveler.
    "ko": ("에미레이트항공 4명 보조배터리 5개", {"airline": "EK"}),
    "zh-hans": ("我们四个人带五个充电宝坐阿联酋航空", {"airline": "EK"}),
    "zh-hant": ("兩個不同的行動電源搭阿聯酋航空", {"count": "1", "count_2": "1", "airline": "EK"}),
}


@pytest.fixture(autouse=True)
def _now():
    with time_machine.travel(starter.NOW, tick=False):
        yield


def said(sentence: str) -> Heard:
    return heard(sentence, starter.starter_release(), starter.NOW.date())


def test_a_sentence_of_which_every_word_is_used_becomes_the_address_of_an_itinerary():
    for sentence, parameters in WHOLE.items():
        found = said(sentence)
        assert found.parameters.dict() == parameters, sentence
        assert not found.waits, sentence
        assert not found.unused, sentence


def test_numbers_people_facts_and_unused_words_wait_for_the_traveler():
    for sentence, (parameters, unused) in WAITING.items():
        found = said(sentence)
        assert found.parameters.dict() == parameters, sentence
        assert found.waits, sentence
        assert [one.words for one in found.unused] == unused, sentence
        assert found.needed >= {"bag", "condition", "count"}, sentence


def test_such_sentences_are_read_in_every_language():
    assert {*IN_OTHER_LANGUAGES, "en"} == set(dict(settings.LANGUAGES))
    for language, (sentence, parameters) in IN_OTHER_LANGUAGES.items():
        with override(language):
            found = said(sentence)
            assert found.parameters.dict() == parameters, sentence
            assert found.waits, sentence


@pytest.mark.parametrize("language", IN_OTHER_LANGUAGES)
def test_no_number_and_no_mild_fact_is_filled_in_next_to_an_unknown_word(language: str):
    sentence, _ = IN_OTHER_LANGUAGES[language]
    with override(language):
        for text in (f"qwxzk {sentence}", f"{sentence} qwxzk", f"{sentence}, intact, in my pocket, qwxzk"):
            found = said(text)
            assert found.waits
            assert found.needed >= {"bag", "condition", "count", "date"}
            stems = {(name.partition("_")[0], value) for name, value in found.parameters.items()}
            assert not {name for name, value in stems if value} & NUMBERS, text
            assert not stems & MILD, text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "two passengers with three Anker 737 each on Lufthansa Frankfurt to London"),
        ("en", "four people, two of them lap infants, with three Anker 737 on Emirates Dubai to London"),
        ("en", "four passengers with twice 3 Anker 737 on Emirates Dubai London"),
        ("de", "wir sind zwei mit je drei Anker 737 bei Lufthansa von Frankfurt nach London"),
        ("fr", "nous sommes deux avec trois Anker 737 chacun avec Lufthansa de Francfort à Londres"),
        ("ja", "私たちは2人で Anker 737 を3台ずつ ルフトハンザ フランクフルト ロンドン"),
    ],
)
def test_a_word_that_was_not_used_leaves_each_number_to_the_traveler(language: str, sentence: str):
    with override(language):
        found = said(sentence)
    assert found.waits
    assert found.unused
    assert not {"people", "count"} & found.parameters.keys()


def test_the_sentence_field_leads_to_the_answer_or_to_the_filled_form():
    browser = Client(headers={"accept": "text/html"})
    answer = browser.get(
        f"/check?{urlencode({'q': f'Anker 737 and Anker PowerCore 10000 {ROUTE}'})}", follow=True
    )
    assert answer.request["PATH_INFO"] == "/itinerary"

    sentence = {"q": f"we are four with two Anker 737 {ROUTE} and a laptop"}
    page = html.unescape(browser.get(f"/check?{urlencode(sentence)}", follow=True).content.decode())
    assert 'class="banner' not in page
    assert "We did not use these words" in page
    assert "“laptop”" in page
    assert '<option value="1" selected>' in page
    assert re.search(r'name="condition" value="damaged" required', page)

    # A press without an answer to what is needed asks for it; the press with the answers gives the verdict.
    filled = {"confirmed": "yes", "people": "4", "model": "anker-a1289", **FLIGHT}
    for asked in (sentence | filled, filled):
        page = html.unescape(browser.get(f"/itinerary?{urlencode(asked)}").content.decode())
        assert 'class="banner' not in page
        assert "Choose whether it is intact." in page
        assert "Choose where you carry it." in page
    facts = {"count": "2", "condition": "intact", "bag": "on_person"}
    answer = browser.get(f"/itinerary?{urlencode(sentence | filled | facts)}", follow=True)
    assert dict(parse_qsl(answer.request["QUERY_STRING"])) == {
        key: value for key, value in (filled | facts).items() if key != "confirmed"
    }
    assert 'class="banner allowed"' in answer.content.decode()

    german = urlencode({"q": "zwei verschiedene Powerbanks mit Emirates"})
    redirected = browser.get(f"{localized('/check', 'de')}?{german}")
    assert redirected.headers["Location"].startswith("/de/itinerary?q=")
