"""While a word of a sentence is unused there is no verdict: the traveler confirms the fields."""

import html
import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from aeo.asking import Asked, query
from tests.aeo.asking.test_asking import asked as asked_by

pytestmark = pytest.mark.usefixtures("starter_release", "now")

FIELDS = {"model": "anker-a1289", "airline": "LH", "from": "DE", "to": "FR"}
DAY = "2026-12-24"
SEEN = {"bag": "carry_on", "count": "1", "condition": "intact"}
"""What has to be filled in by hand."""

DUTCH = "opgezwollen Anker 737 on Lufthansa from Berlin to Paris"


def asked(**fields: str) -> Asked:
    return asked_by(urlencode(fields))


def pressed(**fields: str) -> Asked:
    """Press the button below the fields of a sentence that was not wholly used."""
    return asked(q=DUTCH, confirmed="yes", **FIELDS, **{"bag": "carry_on", "date": DAY, **fields})


def read(path: str) -> str:
    content = Client(headers={"accept": "text/html"}).get(path, follow=True).content.decode()
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", content.partition("<main>")[2]).split()))


NEVER_AT_ONCE = [
    "swolen Anker 737 on Lufthansa Berlin to Paris",
    "Anker 737 on Lufthansa Berlin to Paris 🔥",
    "Anker 737 and Xiaomi 20000 on Emirates from Dubai to London",
    "Anker 737 + Xiaomi 20000 on Emirates from Dubai to London",
    "Anker 737 and 2 other power banks on Emirates from Dubai to London",
    "a couple of Anker 737 on Emirates from Dubai to London",
    "several Anker 737 on Emirates from Dubai to London",
    "Anker 737 power banks on Emirates from Dubai to London",
    "Anker 737 with a spare Baseus on Emirates from Dubai to London",
    "Anker 737 and two Xiaomi power banks with British Airways from London to New York",
    "two of them, Anker 737, Qantas operated by Emirates, Dubai to London",
    "Anker 737 codeshare Qantas/Emirates Dubai to London",
    "Anker 737 not Emirates but Qatar Airways Dubai to London",
    "Anker 737 Emirates then British Airways Dubai to London",
    "Anker 737 or Romoss 20000 on Emirates from Dubai to London",
    "Anker 737 under recall on Emirates from Dubai to London",
    "counterfeit Anker 737 on Emirates from Dubai to London",
    "homemade copy of Anker 737 on Emirates from Dubai to London",
    "Anker 737, cells removed, on Emirates from Dubai to London",
    "Anker 737 for sale on Emirates from Dubai to London",
    "Anker 737 on Emirates from Dubai to London in 2031",
    "Anker 737 on Emirates from Dubai to London yesterday",
    "family of four with five Anker 737 on Emirates from Dubai to London",
    "Anker 737 on EK001 from Dubai to London",
    "Anker 737 on Emirates from Dubai to London with my battery pack",
    "Anker 737 Anker 737 Anker 737 on Emirates from Dubai to London",
    "Anker 737 on Lufthansa in May from Berlin to Paris",
    "Anker 737, Brand, mit Lufthansa von Berlin nach Paris",
    "Anker 737 in my luggage on Lufthansa from Berlin to Paris",
    "about 90 Wh power bank on Lufthansa from Berlin to Paris",
    "Casely E33A 200 Wh on Lufthansa from Berlin to Paris",
    "Anker 737 on Emirates from Dubai to London and back on 3 January",
    "Anker 737 on Emirates from Dubai to London. "
    + "Thank you very much for your help. " * 8
    + "It is swollen.",
]


@pytest.mark.parametrize("text", NEVER_AT_ONCE)
def test_what_was_not_wholly_understood_is_asked_back(text: str) -> None:
    assert not asked(q=text).complete


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("swollen Anker 737 on Lufthansa Berlin to Paris", "condition", "damaged"),
        ("bulging Anker 737 on Lufthansa Berlin to Paris", "condition", "damaged"),
        ("Anker 737 that gets hot and smells on Lufthansa Berlin to Paris", "condition", "damaged"),
        ("Anker 737, fell into water, Lufthansa Berlin to Paris", "condition", "damaged"),
        ("aufgeblähte Anker 737 mit Lufthansa von Berlin nach Paris", "condition", "damaged"),
        ("Anker 737 hinchada con Lufthansa de Berlín a París", "condition", "damaged"),
        ("Anker 737 gonflée avec Lufthansa de Berlin à Paris", "condition", "damaged"),
        ("膨らんだAnker 737 ルフトハンザ ベルリンからパリまで", "condition", "damaged"),
        ("鼓包的安克737 汉莎航空 从柏林到巴黎", "condition", "damaged"),
        ("부푼 앤커 737 루프트한자 베를린에서 파리까지", "condition", "damaged"),
        ("Anker 737 with unreadable label, Emirates Dubai to London", "capacity_label", "missing"),
        ("Anker 737 label worn off, Emirates Dubai to London", "capacity_label", "missing"),
        ("Anker 737 ohne 3C-Zeichen mit Air China von Peking nach Shanghai", "ccc_mark", "absent"),
        ("安克737没有3C标志 国航 从北京到上海", "ccc_mark", "absent"),
        ("Anker 737 no CCC logo Air China from Beijing to Shanghai", "ccc_mark", "absent"),
    ],
)
def test_what_makes_an_answer_stricter_is_read(text: str, field: str, value: str) -> None:
    found = asked(q=text)
    assert getattr(found.unit, field) == value


@pytest.mark.parametrize(
    "text", ["Anker 737 EK DXB-LHR", "Can I take my Anker 737 on British Airways from London to New York?"]
)
def test_a_plain_question_stays_one_move(text: str) -> None:
    assert asked(q=text).complete


def test_the_page_shows_the_unused_words_and_the_fields_and_no_verdict() -> None:
    shown = read("/check?" + urlencode({"q": DUTCH}))
    assert "We did not use these words “opgezwollen”" in shown
    assert "These are all the facts" in shown
    assert "Allowed" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "安克737乘坐国航从北京飞往上海 有3C吗",
        "安克737乘坐国航从北京飞往上海 需要有3C",
        "Anker 737 搭國航從北京飛往上海 有3C標誌嗎?",
        "Anker 737 中国国際航空 北京から上海 3Cマークありますか",
        "Anker 737 on Air China from Beijing to Shanghai is it with 3C",
        "Anker 737 on Air China from Beijing to Shanghai with 3C?",
    ],
)
def test_a_question_about_the_mark_does_not_say_that_it_is_there(text: str) -> None:
    found = asked(q=text)
    assert found.unit.ccc_mark == "unknown"
    assert not found.complete


def test_a_label_never_takes_the_place_of_a_model_that_is_named() -> None:
    fields = {"airline": "LH", "from": "DE", "to": "FR"}
    for model in ("anker-a1289", "Anker 737"):
        other = asked(model=model, wh="200", **fields)
        assert (other.rating, other.complete) == (None, False)
        assert other.problem("wh") is not None
        same = asked(model=model, wh="86.4", **fields)
        assert (same.model_id, same.rating, same.complete) == ("anker-a1289", None, True)


def test_three_digits_behind_a_separator_are_thousands_in_fields_too() -> None:
    found = asked(wh="1,200", airline="LH", **{"from": "DE", "to": "FR"})
    assert found.rating is not None
    assert found.rating.watt_hour == 1200


def test_a_field_that_says_two_things_is_wrong() -> None:
    found = asked_by(urlencode(FIELDS) + "&condition=damaged&condition=intact")
    assert found.problem("condition") is not None


def test_a_field_never_takes_back_what_the_words_say_without_a_press() -> None:
    assert not asked(q="swollen Anker 737", condition="intact", **FIELDS).complete


def test_an_airline_for_a_stop_that_is_not_named_is_asked_about() -> None:
    shown = read("/trip?model=Anker+737&from=Sydney&to=SG&airline=QF&airline=EK&count=2")
    assert "Enter the stop where the flight of this airline starts" in shown


def test_a_press_without_condition_number_or_bag_gives_no_verdict() -> None:
    for said in ({}, {"count": "1"}, {"condition": "intact"}, {"count": "1", "condition": "unknown"}):
        found = pressed(**said)
        assert not found.complete
        assert {one.field for one in found.problems} <= {"count", "condition"}
    assert pressed(count="1", condition="intact", bag="").problem("bag") is not None


def test_an_unknown_word_may_be_a_day_so_the_day_has_to_be_given() -> None:
    assert [one.field for one in pressed(count="1", condition="intact", date="").problems] == ["date"]


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ("It is not in perfect condition.", "condition"),
        ("not in the cabin", "bag"),
        ("in my hand luggage? never", "bag"),
        ("at least one", "count"),
    ],
)
def test_what_other_words_may_take_back_is_not_filled_in(more: str, field: str) -> None:
    found = asked(q=f"Anker 737 on Lufthansa from Berlin to Paris {more}")
    assert not found.complete
    assert found.typed[field] == ""


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Anker 548 on Emirates from Dubai to London", {"model": "anker-a1289"}),
        ("Anker 548 on Emirates from Dubai to London", {"model": "Anker 737"}),
        ("200 Wh power bank on Emirates from Dubai to London", {"model": "anker-a1289"}),
        ("50000mAh 3.7V on Emirates from Dubai to London", {"mah": "10000"}),
        ("200 Wh on Emirates from Dubai to London", {"wh": "50"}),
        ("Anker 737 on Air China from Beijing to Shanghai", {"to": "Tokyo"}),
        ("Anker 737 on Air China from Beijing to Shanghai", {"airline": "EK"}),
        ("Anker 737 on Emirates from Dubai to London tomorrow", {"date": "2026-12-05"}),
        ("Anker 737 on Emirates from Dubai to London on 1 January 2020", {"date": "2026-12-05"}),
        ("Anker 737 on Cathay Pacific from Dubai via Beijing to Shanghai", {"via": "Doha"}),
    ],
)
def test_a_field_that_says_something_else_than_the_words_is_asked_about(
    text: str, field: dict[str, str]
) -> None:
    assert not asked(q=text, **field).complete


def test_a_field_that_says_the_same_as_the_words_changes_nothing() -> None:
    text = "two Anker 737 on Emirates from Dubai to London"
    said = {"model": "Anker 737", "airline": "EK", "from": "Dubai", "to": "GB", "count": "2"}
    assert asked(q=text, **said).complete


MORE = [
    {"mah": "60000", "v": "3.7"},
    {"mah": "60000"},
    {"v": "12"},
    {"wh": "200"},
    {"date": "2020-01-01"},
    {"count": "0"},
    {"count": "2", "mah": "26800"},
    {"via": "Doha", "v": "11.1"},
    {"condition": "swollen"},
]


@pytest.mark.parametrize("more", MORE)
def test_what_is_wrong_or_missing_is_still_so_in_the_address_that_the_page_writes(
    more: dict[str, str],
) -> None:
    found = asked(**FIELDS, **more)
    assert not found.complete
    again = asked_by(query(found))
    assert {one.field for one in again.problems} == {one.field for one in found.problems}
    assert query(again) == query(found)


@pytest.mark.parametrize(
    "more",
    [
        "if it has 3C mark",
        "whether it has a 3C mark",
        "what if it has 3C mark",
        "it would be with 3C mark",
        "3C certified if possible",
        "my bag has 3C mark",
        "my flight has 3C mark",
        "wenn das mit 3C-Zeichen ist",
        "mit 3C-Zeichen wenn möglich",
        "si c'est avec marque 3C",
        "con marca 3C si es posible",
        "请问是有3C标志的吗",
        "航班有3C标志",
        "飛行機に3Cマークあり",
        "혹시 3C 마크 있음",
    ],
)
def test_a_mark_that_is_wished_for_or_that_something_else_has_is_no_mark(more: str) -> None:
    found = asked(q=f"Anker 737 on Air China from Beijing to Shanghai {more}")
    assert found.unit.ccc_mark != "present" or not found.complete


@pytest.mark.parametrize(
    "route",
    [
        "from Beijing to Bole",
        "from London, Ontario to Toronto",
        "from Santiago to Dubai",
        "from Madrid to Granada",
    ],
)
def test_a_place_that_may_be_in_another_country_is_asked_about(route: str) -> None:
    assert not asked(q=f"Anker 737 on Emirates {route}").complete


@pytest.mark.parametrize(
    "name",
    [
        "Romoss SW20",
        "Omnicharge Omni 20",
        "Romoss Sense 8",
        "Anker PowerCore Mini 3350",
        "Belkin BoostCharge 20K",
    ],
)
def test_a_name_that_leaves_out_what_sets_models_apart_is_asked_about(name: str) -> None:
    found = asked(q=f"{name} on Lufthansa from Berlin to Paris")
    assert found.problem("model") is not None


@pytest.mark.parametrize("name", ["Omnicharge Omni 20+", "Anker PowerCore+ Mini 3350", "Belkin BPB012"])
def test_a_name_with_all_that_sets_it_apart_is_that_model(name: str) -> None:
    assert asked(q=f"{name} on Lufthansa from Berlin to Paris").complete


def test_a_fraction_is_no_figure() -> None:
    for text in ("99½ Wh", "99 1/2 Wh", "900/10 Wh", "River 2 256 Wh"):
        found = asked(q=f"{text} power bank on Lufthansa from Berlin to Paris")
        assert not found.complete
        assert found.typed["wh"] == ""


def test_the_press_confirms_the_fields_and_not_the_words() -> None:
    found = pressed(count="1", condition="intact")
    assert found.complete
    assert found.unit.condition == "intact"
    assert query(found) == f"model=anker-a1289&airline=LH&from=DE&to=FR&date={DAY}&condition=intact"
    assert pressed(count="1", condition="damaged").unit.condition == "damaged"


def test_a_press_never_fills_a_field_from_the_sentence() -> None:
    found = asked(q=DUTCH, confirmed="yes", date=DAY, **SEEN)
    assert {one.field for one in found.problems} == {"model", "airline", "from", "to"}


def test_a_press_without_a_sentence_needs_the_same_facts() -> None:
    assert not asked(confirmed="yes", **FIELDS).complete


def test_fields_filled_by_hand_do_not_make_unused_words_go_away() -> None:
    assert not asked(q=DUTCH, **FIELDS, count="1", condition="intact").complete


def test_a_date_that_the_words_leave_open_has_to_be_given() -> None:
    text = "Anker 737 on Lufthansa from Berlin to Paris next Friday"
    found = asked(q=text, confirmed="yes", **SEEN, **FIELDS)
    assert [one.field for one in found.problems] == ["date"]


def test_a_year_without_a_day_has_to_be_given_as_a_day() -> None:
    text = "Anker 737 on Lufthansa from Berlin to Paris in 2031"
    said = {**SEEN, **FIELDS}
    assert asked(q=text, confirmed="yes", **said).problem("date") is not None
    assert asked(q=text, confirmed="yes", date="2031-05-01", **said).problem("date") is not None
    assert asked(q=text, confirmed="yes", date="2026-12-24", **said).complete


def test_the_end_of_a_long_sentence_is_never_dropped_silently() -> None:
    long = "Anker 737 on Lufthansa from Berlin to Paris." + " " * 300 + "It is swollen."
    assert asked(q=long).unit.condition == "damaged"
    cut = "Anker 737 on Lufthansa from Berlin to Paris. " + "please " * 60 + "swollen"
    found = asked(q=cut)
    assert not found.complete
    # The address is written anew, and the rest is still missing.
    assert not asked_by(query(found)).complete


def test_several_models_are_named_and_asked_back_with_a_choice() -> None:
    found = asked(q="Anker 737 and Anker A1263 on Emirates from Dubai to London")
    problem = found.problem("model")
    assert problem is not None
    assert {"anker-a1289", "anker-a1263"} <= {one.value for one in problem.choices}
    assert "Anker 737" in problem.sentence
    assert "Anker A1263" in problem.sentence


def test_several_airlines_are_named_and_asked_back_with_a_choice() -> None:
    problem = asked(q="Anker 737, Qantas operated by Emirates, Dubai to London").problem("airline")
    assert problem is not None
    assert {"QF", "EK"} == {one.value for one in problem.choices}


@pytest.mark.parametrize(
    "text", ["95 Wh laptop on Emirates from Dubai to London", "drone Emirates Dubai to London"]
)
def test_what_is_not_a_power_bank_is_not_covered(text: str) -> None:
    shown = read("/check?" + urlencode({"q": text}))
    assert shown.startswith("This is not a power bank")
    assert "Ask the airline that operates your flight" in shown


def test_a_laptop_power_bank_is_a_power_bank() -> None:
    assert not asked(q="Anker Laptop Power Bank on Emirates from Dubai to London").other_device


def test_a_sentence_is_asked_back_wherever_it_is_sent() -> None:
    for path in ("/trip", "/card", "/check"):
        shown = read(f"{path}?" + urlencode({"q": DUTCH}))
        assert "We did not use these words" in shown, path


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("model", "swollen Anker 737"),
        ("model", "two Anker 737"),
        ("model", "Anker 737 and Xiaomi 20000"),
        ("model", "Anker 737 without label"),
        ("airline", "Qantas operated by Emirates"),
        ("airline", "not Emirates"),
        ("airline", "Emirates or Qatar Airways"),
    ],
)
def test_a_field_takes_no_words_next_to_a_name(field: str, text: str) -> None:
    fields = {**FIELDS, field: text}
    assert asked(**fields).problem(field) is not None


@pytest.mark.parametrize(
    "more",
    [
        "quantity=5",
        "count[]=5",
        "Condition=damaged",
        "WH=500",
        "Via=Beijing",
        "compartment=checked",
        "damaged=1",
    ],
)
def test_a_fact_under_a_name_that_is_no_field_is_asked_about(more: str) -> None:
    found = asked_by(urlencode(FIELDS) + f"&{more}")
    assert not found.complete
    assert not asked_by(query(found)).complete


def test_parameters_that_are_no_facts_are_left_alone() -> None:
    assert asked_by(urlencode(FIELDS) + "&utm_source=news&fbclid=x1").complete


@pytest.mark.parametrize(
    "text",
    [
        "Anker 737 con Air China de Pekín a Shanghai ¿con marca 3C",
        "I want Anker 737 with 3C mark on Air China from Beijing to Shanghai",
        "Ich möchte Anker 737 mit 3C-Zeichen mit Air China von Peking nach Shanghai",
        "quiero Anker 737 con marca 3C con Air China de Pekín a Shanghai",
    ],
)
def test_a_wish_or_a_question_states_no_mark(text: str) -> None:
    found = asked(q=text)
    assert found.unit.ccc_mark != "present"


def test_the_mark_of_another_unit_is_not_that_of_the_model() -> None:
    text = "Anker 737 on Air China from Beijing to Shanghai, the charger has 3C mark"
    assert asked(q=text, count="1").unit.ccc_mark == "unknown"


@pytest.mark.parametrize("figure", ["~100 Wh", "ca. 100 Wh"])
def test_an_unsure_figure_is_asked_about(figure: str) -> None:
    assert not asked(q=f"{figure} power bank with Lufthansa from Berlin to Paris").complete


def test_a_mark_is_not_filled_in_while_words_are_unused_and_damage_is() -> None:
    text = "Anker 737 on Air China from Beijing to Shanghai unless it has 3C mark"
    assert asked(q=text).typed["mark"] == ""
    damaged = asked(q="damaged Anker 737 on Lufthansa from Berlin to Paris", condition="intact")
    assert damaged.typed["condition"] == "damaged"
