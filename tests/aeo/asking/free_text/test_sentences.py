# ruff: noqa: RUF001 - people type full-width letters
"""A question is read as people type it, in eight languages: what it says and nothing that it does not say."""

import datetime
import math
from decimal import Decimal
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aeo.asking.free_text.items import WELL_KNOWN
from aeo.asking.free_text.model_index import models_of
from aeo.asking.free_text.sentence import understand
from aeo.asking.free_text.understood import Understood
from aeo.asking.free_text.vocabulary import strict_words, vocabulary
from aeo.asking.names import airlines
from aeo.asking.names.folding import MOST_CHARACTERS
from aeo.asking.names.places import airport_countries, gazetteer, ordinary_words
from rules.corpus import Published
from rules.engine.facts import Airline, Device
from tests.support.starter import starter_release

TODAY = datetime.date(2026, 11, 22)
LANGUAGES = ["en", "zh-hans", "zh-hant", "ja", "ko", "de", "fr", "es"]


@lru_cache
def release() -> Published:
    return starter_release()


def read(text: str, language: str = "en") -> Understood:
    return understand(release(), text, language, TODAY)


def value(choice: object) -> str | None:
    return getattr(choice, "value", None)


ASKED = {
    "en": [
        "Anker 737 on Emirates from Dubai to London, two of them",
        "Can I take two Anker 737 power banks on Emirates from Dubai to London?",
        "2x Anker 737, EK, DXB-LHR",
        "anker 737 emirates dubai london 2 pieces",
        "Flying to Heathrow from Dubai with Emirates, 2 Anker A1289",
    ],
    "de": [
        "Zwei Anker 737 mit Emirates von Dubai nach London",
        "Darf ich 2 Stück Anker 737 bei Emirates von Dubai nach London mitnehmen?",
    ],
    "fr": [
        "Deux Anker 737 sur Emirates de Dubaï à Londres",
        "Puis-je emporter 2 batteries externes Anker 737 avec Emirates de Dubaï à Londres ?",
    ],
    "es": [
        "Dos Anker 737 con Emirates de Dubái a Londres",
        "¿Puedo llevar dos unidades de Anker 737 en Emirates desde Dubái hasta Londres?",
    ],
    "ja": [
        "アンカー737を2個、エミレーツでドバイからロンドンまで",
        "エミレーツ航空でドバイ発ロンドン行き、Anker 737を2つ",
        "Ａｎｋｅｒ　７３７　２個　エミレーツ航空　ドバイ→ロンドン",
    ],
    "ko": [
        "앤커 737 두 개를 에미레이트항공으로 두바이에서 런던까지",
        "에미레이트항공 두바이 출발 런던행 Anker 737 2개 가능한가요?",
    ],
    "zh-hans": ["安克737 两个 阿联酋航空 从迪拜到伦敦", "我想带两个安克737坐阿联酋航空从迪拜飞伦敦"],
    "zh-hant": ["Anker 737 兩個 阿聯酋航空 從杜拜到倫敦", "攜帶兩個Anker 737搭阿聯酋航空從杜拜飛往倫敦"],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in ASKED.items() for text in texts]
)
def test_two_anker_737_on_emirates_from_dubai_to_london(language: str, text: str) -> None:
    understood = read(text, language)
    assert value(understood.model) == "anker-a1289"
    assert value(understood.airline) == "EK"
    assert value(understood.origin) == "AE"
    assert value(understood.destination) == "GB"
    assert understood.quantity == 2
    assert understood.stops == understood.unplaced == understood.unused == ()


@pytest.mark.parametrize(
    "text",
    [
        "from Dubai via Istanbul to London",
        "von Dubai über Istanbul nach London",
        "de Dubaï à Londres via Istanbul",
        "de Dubái a Londres con escala en Estambul",
        "ドバイからイスタンブール経由でロンドンへ",
        "두바이에서 이스탄불을 경유해 런던으로",
        "从迪拜经伊斯坦布尔到伦敦",
        "從杜拜到倫敦，在伊斯坦堡轉機",
        "DXB-IST-LHR",
        "DXB → IST → LHR",
        "Dubai, Istanbul, London",
        "to London from Dubai via Istanbul",
        "FROM DXB TO LHR VIA IST",
        "from dxb to lhr via IST",
    ],
)
def test_a_stop_is_a_stop_in_every_language(text: str) -> None:
    understood = read(text)
    assert value(understood.origin) == "AE"
    assert [value(stop) for stop in understood.stops] == ["TR"]
    assert value(understood.destination) == "GB"


@pytest.mark.parametrize(
    ("text", "compartment"),
    [
        ("Anker 737 in checked baggage", "checked"),
        ("Anker 737 in the hold", "checked"),
        ("Anker 737 im Handgepäck", "carry_on"),
        ("Anker 737 en soute", "checked"),
        ("Anker 737 en equipaje de mano", "carry_on"),
        ("Anker 737を預け荷物で", "checked"),
        ("Anker 737を受託手荷物に", "checked"),
        ("Anker 737を機内持ち込み", "carry_on"),
        ("앤커 737 위탁수하물", "checked"),
        ("앤커 737을 기내에", "carry_on"),
        ("安克737 托运", "checked"),
        ("安克737 隨身", "carry_on"),
        ("Anker 737", None),
        ("Anker 737 cabin or hold", None),
    ],
)
def test_the_bag_is_read_and_never_assumed(text: str, compartment: str | None) -> None:
    assert read(text).compartment == compartment


HANDED_OVER = [
    "Can I check my bag with an Anker A1289 in it?",
    "May I check the Anker A1289?",
    "I will check Anker A1289 at the airport",
    "check a bag with Anker A1289",
    "check bag Anker A1289",
    "I am checking my luggage with Anker A1289",
    "I drop off a bag with Anker A1289",
    "¿Puedo embarcar mi bolsa con Anker A1289?",
    "¿Puedo documentar mi mochila con Anker A1289?",
    "¿Puedo registrar mi bolso con Anker A1289?",
    "¿Puedo entregar mi bolso con Anker A1289?",
    "Kann ich meine Tasche mit Anker A1289 einchecken?",
    "Kann ich meine Tasche mit Anker A1289 abgeben?",
    "Kann ich den Rucksack mit Anker A1289 aufgeben?",
    "Ich checke meine Tasche mit Anker A1289 ein",
    "Nimmt die Airline meine Tasche mit Anker A1289?",
    "Puis-je enregistrer mon sac avec Anker A1289 ?",
    "Puis-je mettre en soute Anker A1289 ?",
    "Puis-je embarquer mon sac avec Anker A1289 ?",
    "J'embarque mon sac avec Anker A1289",
    "La compagnie prend mon sac avec Anker A1289",
    "Je veux déposer mon sac avec Anker A1289",
    "Anker A1289をバッグに入れて預けたい",
    "Anker A1289をバッグに入れてあずけたい",
    "Anker A1289を入れたカバンをチェックインしたい",
    "Anker A1289を入れたカバンをカウンターで渡したい",
    "Anker A1289를 가방에 넣어서 부쳐도 되나요",
    "Anker A1289 가방 맡길 수 있나요",
    "Anker A1289 가방 체크인 할 수 있나요",
    "我想办理托运Anker A1289",
    "我想寄行李，包里有Anker A1289",
    "包里有Anker A1289，可以过磅吗",
    "包里有Anker A1289，可以交给柜台吗",
    "包裡有Anker A1289，可以掛行李嗎",
]


@pytest.mark.parametrize("text", HANDED_OVER)
def test_handing_a_bag_over_is_checked_or_asked_about(text: str) -> None:
    understood = read(f"{text} Emirates, Dubai - London")
    assert understood.compartment == "checked" or understood.unused


@pytest.mark.parametrize("text", ["quick check:", "please check if I can take", "check whether I may bring"])
def test_to_check_whether_something_is_allowed_says_nothing_about_the_bag(text: str) -> None:
    understood = read(f"{text} Anker A1289 on Emirates from Dubai to London")
    assert understood.compartment is None
    assert not understood.unused


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-24", datetime.date(2026, 12, 24)),
        ("on 24 December", datetime.date(2026, 12, 24)),
        ("January 3rd", datetime.date(2027, 1, 3)),
        ("am 24. Dezember 2026", datetime.date(2026, 12, 24)),
        ("am 24.12.2026", datetime.date(2026, 12, 24)),
        ("le 24 décembre", datetime.date(2026, 12, 24)),
        ("el 24 de diciembre de 2026", datetime.date(2026, 12, 24)),
        ("12月24日", datetime.date(2026, 12, 24)),
        ("2026年12月24日", datetime.date(2026, 12, 24)),
        ("2026년 12월 24일", datetime.date(2026, 12, 24)),
        ("tomorrow", datetime.date(2026, 11, 23)),
        ("明日", datetime.date(2026, 11, 23)),
        ("03/04/2027", None),
        ("2026-02-30", None),
        ("2026-12-24 or 2026-12-25", None),
    ],
)
def test_a_day_is_read_where_it_can_mean_one_only(text: str, day: datetime.date | None) -> None:
    assert read(f"Anker 737 {text}").travel_date == day


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("20000 mAh, 74 Wh, 3.7 V", (20000, Decimal(74), Decimal("3.7"))),
        ("20,000mAh 3,7V", (20000, None, Decimal("3.7"))),
        ("20.000 mAh 74,5 Wh", (20000, Decimal("74.5"), None)),
        ("2万毫安的充电宝", (20000, None, None)),
        ("20Ah", (20000, None, None)),
        ("99.9Wh", (None, Decimal("99.9"), None)),
    ],
)
def test_figures_of_a_label_are_read_where_no_model_is_named(
    text: str, figures: tuple[int | None, Decimal | None, Decimal | None]
) -> None:
    label = read(text).label
    assert label is not None
    assert (label.capacity_mah, label.watt_hour, label.nominal_voltage) == figures


def test_figures_that_are_part_of_a_models_name_are_no_label() -> None:
    understood = read("Romoss Sense 6 20,000 mAh from Dubai to London")
    assert value(understood.model) == "romoss-sense-6-20-000-mah"
    assert understood.label is None


def test_a_mild_fact_is_said_within_one_clause() -> None:
    assert read("Anker 737, not damaged").condition == "intact"
    assert read("Anker 737, allowed or not? Damaged").condition == "damaged"


def test_several_models_are_offered_and_none_is_chosen() -> None:
    understood = read("Anker nano on Emirates")
    assert understood.model is not None
    assert understood.model.value is None
    assert len(understood.model.candidates) > 1


def test_a_number_without_a_brand_names_no_model() -> None:
    """A Boeing 737 is no power bank."""
    assert read("power bank on a Boeing 737").model is None


@pytest.mark.parametrize("text", ["Nitecore carbo", "Anker 20000 mAh", "Xiaomi A1289", "Anker power bank"])
def test_a_model_is_only_chosen_by_its_name_or_its_number(text: str) -> None:
    understood = read(text)
    assert understood.model is not None
    assert understood.model.value is None


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("two Anker 737", 2),
        ("Anker 737, two", 2),
        ("3 power banks", 3),
        ("Anker 737 x4", 4),
        ("Anker 737 ×4", 4),
        ("앤커 737 열두 개", 12),
        ("アンカー737を十二個", 12),
        ("twenty two power banks", None),
        ("100 power banks", None),
        ("30 pieces", None),
        ("Anker 737 in two bags", None),
        ("Anker 737 with two stops", None),
        ("two Anker 737, three pieces", None),
        ("Anker 737", None),
    ],
)
def test_a_number_is_read_only_where_it_counts_power_banks(text: str, quantity: int | None) -> None:
    assert read(text).quantity == quantity


def test_two_destinations_are_not_made_a_stop() -> None:
    understood = read("to Paris or to London")
    assert understood.stops == ()
    assert understood.unplaced


def test_an_unknown_word_behind_a_name_leaves_the_model_open() -> None:
    understood = read("Anker 737 Ultra from Dubai to London")
    assert understood.model is not None
    assert understood.model.value is None
    assert [one.words for one in understood.unused] == ["Ultra"]


def test_a_city_that_dwarfs_its_namesakes_is_meant_and_they_are_offered() -> None:
    destination = read("from Dubai to London").destination
    assert destination is not None
    assert destination.value == "GB"
    assert {"GB", "CA"} <= {candidate.value for candidate in destination.candidates}


def test_cities_of_one_name_are_offered_and_none_is_chosen() -> None:
    origin = read("from San José to London").origin
    assert origin is not None
    assert origin.value is None
    assert {"US", "CR"} <= {candidate.value for candidate in origin.candidates}


@pytest.mark.parametrize("text", ["San José, Costa Rica", "San José (Costa Rica)", "Costa Rica, San José"])
def test_the_country_next_to_a_city_settles_which_one_it_is(text: str) -> None:
    assert value(read(f"from {text} to London").origin) == "CR"


def test_a_city_of_one_syllable_is_read_where_a_particle_follows() -> None:
    understood = read("빈에서 런던까지")
    assert (value(understood.origin), value(understood.destination)) == ("AT", "GB")


def test_a_large_city_with_the_name_of_another_country_is_left_to_the_traveler() -> None:
    origin = read("from Salvador to London").origin
    assert origin is not None
    assert origin.value is None
    assert {"BR", "SV"} <= {candidate.value for candidate in origin.candidates}


def test_a_place_of_which_nothing_says_what_it_is_stays_open() -> None:
    understood = read("Anker 737 Emirates London")
    assert understood.origin is understood.destination is None
    assert [value(place) for place in understood.unplaced] == ["GB"]


def test_a_domestic_flight_has_two_ends_in_one_country() -> None:
    understood = read("Tokyo Osaka")
    assert (value(understood.origin), value(understood.destination)) == ("JP", "JP")


def test_an_airlines_name_that_holds_a_country_is_no_place() -> None:
    understood = read("Air China from Paris to Beijing")
    assert value(understood.airline) == "CA"
    assert (value(understood.origin), value(understood.destination)) == ("FR", "CN")
    assert understood.unplaced == ()


def test_two_airlines_leave_the_choice_open() -> None:
    airline = read("Emirates or Qantas").airline
    assert airline is not None
    assert airline.value is None
    assert {candidate.value for candidate in airline.candidates} == {"EK", "QF"}


@pytest.mark.parametrize(
    "text", ["can the bag go", "it is for me and my son", "not a man", "see you at the bar"]
)
def test_common_words_are_not_taken_for_airports(text: str) -> None:
    understood = read(text)
    assert understood.origin is understood.destination is understood.airline is None
    assert understood.unplaced == ()


def people(name: str) -> float:
    """Return how many people live in the place that a name means first; a country is the largest."""
    place = gazetteer().named(name)[0]
    return math.inf if place.kind == "country" else place.population if place.kind == "city" else 0


def test_a_place_that_is_also_a_word_is_none_without_a_word_such_as_from() -> None:
    """It may say that the unit is damaged (split, burns, WET), or how many there are (SIX)."""
    words = sorted(ordinary_words() - vocabulary().fillers)
    for word in [one for one in words if people(one) < WELL_KNOWN][::2]:
        for written in (word, word.upper()):
            assert read(f"Anker 737 {written} Lufthansa to London").origin is None, written
            beside = read(f"Anker 737 Lufthansa London Rome {written}")
            said = {beside.condition, beside.quantity, value(beside.airline)} - {None, "LH"}
            assert beside.unused or said, written
            assert (value(beside.origin), beside.stops, value(beside.destination)) == ("GB", (), "IT"), (
                written
            )


@pytest.mark.parametrize("beside", ["- {}", "via {}", "- {} -", "-{}", "\u2013 {}"])
def test_a_word_that_is_also_a_place_waits_beside_a_dash_or_via(beside: str) -> None:
    words = sorted(ordinary_words() - vocabulary().fillers)
    for word in [one for one in words if people(one) < WELL_KNOWN][::4]:
        for written in (word, word.upper()):
            understood = read(f"Anker 737 with Emirates from Dubai to London {beside.format(written)}")
            is_strict = understood.condition == "damaged" or understood.compartment == "checked"
            assert understood.unused or understood.quantity or is_strict, written


def test_a_strict_word_counts_in_parts_too() -> None:
    """Hyphens and spaces, such as those at the end of a line: re-called, dé-mon-té."""
    small = {word for word in vocabulary().fillers if word.isalpha() and word.isascii()}
    tried = 0
    for word in sorted(one for one in strict_words() if one.isascii() and one.isalpha()):
        for at in range(1, len(word)):
            if {word[:at], word[at:]} <= small:
                tried += 1
                for sign in "- ":
                    understood = read(
                        f"{word[:at]}{sign}{word[at:]} Anker 737 on Emirates from Dubai to London"
                    )
                    is_strict = understood.condition == "damaged" or understood.compartment == "checked"
                    assert understood.unused or understood.quantity or is_strict, (word, at)
    assert tried > 20


def test_a_word_that_is_also_an_airline_is_none_beside_a_power_bank() -> None:
    """A peach power bank, an indigo one, my PC: each has rules of its own."""
    for word in sorted(airlines.ordinary_words()):
        for written in {word, word.upper(), word.capitalize()}:
            for said in (
                f"my {written} Anker 737",
                f"Anker 737 with my {written},",
                f"I am {written}. Anker 737",
            ):
                understood = read(f"{said} from Dubai to London")
                assert value(understood.airline) is None or understood.unused, said


@pytest.mark.parametrize("sign", [">", "~", "\u301c", "> "])
def test_a_sign_before_a_number_changes_it(sign: str) -> None:
    for said in ("100 Wh power bank", "2 Anker 737", "20000 mAh power bank"):
        assert read(f"Emirates from Dubai to London {sign}{said}").unused, said


@pytest.mark.parametrize(
    "text", ["May 3 Anker 737", "May 2 power banks", "May 2 of us take Anker 737", "mar 2 A1289"]
)
def test_a_month_before_what_may_be_counted_is_no_day(text: str) -> None:
    understood = read(f"{text} Emirates from Dubai to London")
    assert understood.travel_date is None
    assert "when" in {one.about for one in understood.unused}


@pytest.mark.parametrize("doubt", ["(?)", "?", " - ?", ". ?", "\u201d?", ", is it?", ", right?"])
def test_a_mark_with_a_question_mark_behind_it_is_asked_about(doubt: str) -> None:
    assert read(f"Anker 737 with 3C mark{doubt} Air China from Beijing to Shanghai").ccc_mark is None


@pytest.mark.parametrize(
    "text",
    [
        "Anker 737 \U000f0000",
        "Anker 737 \U0001faea",
        "Anker 737 w\u0336i\u0336t\u0336h\u0336 3C mark",
        "Anker 737 not \u2014 damaged",
        "Anker 737 no \u2022 damage",
    ],
)
def test_what_a_reader_sees_otherwise_is_asked_about(text: str) -> None:
    understood = read(f"{text} Air China from Beijing to Shanghai")
    assert understood.unused
    assert understood.condition != "intact"
    assert understood.ccc_mark is None


@pytest.mark.parametrize("sign", ["-", " - ", "/", " \u2013 ", "~", ">"])
def test_a_dash_makes_no_route_of_a_word_and_something_else(sign: str) -> None:
    for words in (
        f"cut{sign}off",
        f"is{sign}split",
        f"battery{sign}burns",
        f"{sign}fat{sign}",
        f"on{sign}off",
    ):
        understood = read(f"my Anker 737 {words} Lufthansa Frankfurt to London")
        assert understood.unused, words
        assert (value(understood.origin), understood.stops) == ("DE", ()), words
    both = read(f"Anker 737 Lufthansa split{sign}london")
    assert value(both.origin) == "HR"
    # It waits: "split" may be said of the unit.
    assert both.unused


@pytest.mark.parametrize(
    "text",
    [
        "2 Anker 737 for me 2 for you",
        "2-pack Anker 737 x2",
        "one Anker 737 for me one for you",
        "my Anker 737's",
        "are our Anker 737 allowed",
        "my Anker 737 are allowed",
        "d\u00fcrfen meine Anker 737 mit",
        "my power bank with my Anker 737",
        "a pack of Anker 737",
    ],
)
def test_what_may_be_several_units_is_never_taken_for_one(text: str) -> None:
    understood = read(f"{text} Emirates Dubai to London")
    assert understood.quantity is None
    assert understood.several_units or "number" in {one.about for one in understood.unused}


@pytest.mark.parametrize(
    "text",
    [
        "if my Anker 737 has 3C mark",
        "wenn meine Anker 737 mit 3C ist",
        "my charger has 3C mark, my Anker 737",
        "Anker 737, charger with 3C mark",
    ],
)
def test_a_mark_that_is_supposed_or_on_another_unit_is_not_stated(text: str) -> None:
    assert read(f"{text} Air China Beijing to Shanghai").ccc_mark is None


def test_an_abbreviation_that_is_also_an_airport_waits_unless_it_stands_beside_another_one() -> None:
    codes = [code for code in airport_countries() if code.lower() not in ordinary_words()]
    for code in codes[::40]:
        assert read(f"Anker 737 {code} Lufthansa to London").unused, code
    assert read("Anker 737 DXB SIN Emirates").unused == ()


def test_a_small_place_in_small_letters_waits_unless_a_word_says_that_it_is_one() -> None:
    names = sorted(
        {one.name.lower() for one in gazetteer().places if one.name.isascii() and one.name.isalpha()}
    )
    for name in [one for one in names if people(one) < 100_000][::40]:
        assert read(f"Anker 737 {name} Lufthansa to London").unused, name


@pytest.mark.parametrize("off", ["scratched off", "faded", "peeled off", "is worn off", "is unreadable"])
def test_a_mark_that_can_no_longer_be_read_is_not_stated(off: str) -> None:
    understood = read(f"Anker 737 with the CCC mark {off} Air China Beijing to Shanghai")
    assert understood.ccc_mark is None
    assert understood.unused


@pytest.mark.parametrize(
    "text", ["How well are its rules read", "Does it allow this", "Was its own page read"]
)
def test_ordinary_words_are_no_misspelled_places(text: str) -> None:
    understood = read(text)
    assert understood.origin is understood.destination is None
    assert "corrected" not in {one.about for one in understood.unused}


@pytest.mark.parametrize(
    "text", ["", " ", "\0\x07", "😀😀", "?!", "x" * 5000, "→→→", "\ud800", "가" * 400, "东" * 400]
)
def test_text_that_says_nothing_gives_nothing(text: str) -> None:
    understood = read(text)
    nothing = (understood.model, understood.airline, understood.origin, understood.destination)
    assert nothing == (None, None, None, None)


@given(text=st.text(max_size=600), language=st.sampled_from([*LANGUAGES, "xx"]))
def test_no_text_is_an_error(text: str, language: str) -> None:
    read(text, language)


PARTS = st.sampled_from(
    [
        *[
            "anker",
            "Anker",
            "737",
            "アンカー",
            "安克",
            "20000",
            "mAh",
            "Wh",
            "2",
            "two",
            "x2",
            "個",
            "两个",
            "두 개",
        ],
        *[
            "Emirates",
            "EK",
            "エミレーツ",
            "국",
            "from",
            "to",
            "via",
            "から",
            "まで",
            "에서",
            "从",
            "到",
            "-",
            "→",
            ",",
            "(",
        ],
        *[
            "Dubai",
            "London",
            "DXB",
            "ドバイ",
            "런던",
            "伦敦",
            "Canada",
            "San José",
            "checked",
            "托运",
            "2026-12-24",
            "12月",
        ],
        *["31日", "\0", "😀", "ß", "İ", "ﬁ", "\u0301", "\u3099", "²", "٣", " ", "\n"],
    ]
)


@given(parts=st.lists(PARTS, max_size=40), between=st.sampled_from(["", " "]))
def test_no_heap_of_words_is_an_error_and_what_was_understood_stands_in_the_text(
    parts: list[str], between: str
) -> None:
    text = between.join(parts)
    understood = read(text)
    assert understood.quantity is None or 1 <= understood.quantity <= 20
    for choice in (understood.model, understood.airline, understood.origin, understood.destination):
        if choice is not None and choice.value is not None:
            assert choice.chosen in choice.candidates


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    """So the work has a bound, whatever is typed."""
    padding = "x " * MOST_CHARACTERS
    assert read(f"{padding} Anker 737").model is None
    assert value(read(f"Anker 737, {padding}").model) == "anker-a1289"


TEMPLATES = {
    "en": "{count} of them, {model}, on {airline} from {origin} to {destination}",
    "de": "{count} Stück, {model}, mit {airline} von {origin} nach {destination}",
    "fr": "{count} unités, {model}, avec {airline} de {origin} à {destination}",
    "es": "{count} unidades, {model}, con {airline} desde {origin} hasta {destination}",
    "ja": "{airline}で{origin}から{destination}まで、{model}を{count}個",
    "ko": "{airline}, {origin}에서 {destination}까지 {model} {count}개",
    "zh-hans": "从{origin}到{destination}，{airline}，{model}，{count}个",
    "zh-hant": "從{origin}到{destination}，{airline}，{model}，{count}個",
}
CITIES = {
    "en": {"Dubai": "AE", "Munich": "DE", "Tokyo": "JP", "Hong Kong": "HK", "New York": "US", "Seoul": "KR"},
    "de": {"Dubai": "AE", "München": "DE", "Tokio": "JP", "Hongkong": "HK", "Zürich": "CH", "Mailand": "IT"},
    "fr": {"Dubaï": "AE", "Londres": "GB", "Séoul": "KR", "Pékin": "CN", "Le Caire": "EG", "Genève": "CH"},
    "es": {
        "Dubái": "AE",
        "Londres": "GB",
        "Nueva York": "US",
        "Pekín": "CN",
        "El Cairo": "EG",
        "Múnich": "DE",
    },
    "ja": {
        "ドバイ": "AE",
        "東京": "JP",
        "ソウル": "KR",
        "ロンドン": "GB",
        "香港": "HK",
        "アラブ首長国連邦": "AE",
    },
    "ko": {"두바이": "AE", "도쿄": "JP", "서울": "KR", "런던": "GB", "홍콩": "HK", "미국": "US"},
    "zh-hans": {"迪拜": "AE", "东京": "JP", "首尔": "KR", "伦敦": "GB", "香港": "HK", "澳门": "MO"},
    "zh-hant": {"杜拜": "AE", "東京": "JP", "首爾": "KR", "倫敦": "GB", "臺北": "TW", "台北": "TW"},
}


def full_names() -> dict[str, Device]:
    names: dict[str, list[Device]] = {}
    for device in release().shelf.all_devices:
        names.setdefault(f"{device.brand} {device.model_name}".casefold(), []).append(device)
    return {f"{own[0].brand} {own[0].model_name}": own[0] for own in names.values() if len(own) == 1}


@given(data=st.data(), language=st.sampled_from(LANGUAGES), count=st.integers(1, 20))
def test_what_is_put_into_a_sentence_of_any_language_is_read_from_it(
    data: st.DataObject, language: str, count: int
) -> None:
    devices, cities = full_names(), CITIES[language]
    name = data.draw(st.sampled_from(sorted(devices)))
    airline: Airline = data.draw(
        st.sampled_from(sorted(release().shelf.airlines.values(), key=lambda a: a.name))
    )
    origin = data.draw(st.sampled_from(sorted(cities)))
    others = {name for name in cities if name.replace("臺", "台") != origin.replace("臺", "台")}
    destination = data.draw(st.sampled_from(sorted(others)))
    text = TEMPLATES[language].format(
        count=count, model=name, airline=airline.name, origin=origin, destination=destination
    )
    understood = read(text, language)
    if value(understood.model) is None:
        # The same name may be that of a stricter model: it is asked which one is meant.
        assert understood.model is not None
        assert {devices[name].model_id} < {one.value for one in understood.model.candidates}
        assert not models_of(release()).surely(devices[name], name)
    else:
        assert value(understood.model) == devices[name].model_id
    assert value(understood.airline) == airline.airline
    for place, country in (
        (understood.origin, cities[origin]),
        (understood.destination, cities[destination]),
    ):
        assert place is not None
        namesakes = {one.value for one in place.candidates} - {country}
        # Air Canada may fly to the London in Canada.
        assert place.value == country or (place.value is None and airline.country in namesakes)
    assert understood.quantity == count
    assert understood.stops == understood.unplaced == ()
