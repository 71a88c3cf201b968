"""What a visitor asks, as it stands in an address."""

import datetime
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from hypothesis import example, given
from hypothesis import strategies as st

from aeo.asking import FIELDS, Asked, query, read
from aeo.asking.free_text.vocabulary import MILD
from aeo.asking.reading import typed
from aeo.texts import TEXTS
from rules.engine.facts import Leg
from tests.support.starter import NOW, starter_release

TODAY = NOW.date()
WHOLE = "model=anker-a1263&airline=EK&from=AE&to=GB"


def asked(parameters: str) -> Asked:
    return read(QueryDict(parameters), starter_release(), TODAY)


def wrong(parameters: str) -> dict[str, str]:
    """Return the problems by field, in words."""
    return {problem.field: problem.sentence for problem in asked(parameters).problems}


def test_a_whole_question_is_read_and_what_is_left_out_is_the_usual() -> None:
    question = asked(WHOLE).question
    assert question.unit.model_id == "anker-a1263"
    assert question.unit.quantity == 1
    assert question.unit.ccc_mark == question.unit.capacity_label == question.unit.condition == "unknown"
    assert question.leg == Leg("AE", "GB", "EK")
    assert (question.travel_date, question.compartment_intent) == (TODAY, "carry_on")


def test_everything_can_be_said() -> None:
    question = asked(
        f"{WHOLE}&date=2026-12-24&bag=on_person&count=2&mark=absent&label=legible&condition=intact&recall=affected"
    ).question
    assert question.travel_date == datetime.date(2026, 12, 24)
    assert question.compartment_intent == "on_person"
    unit = question.unit
    assert (unit.quantity, unit.ccc_mark, unit.capacity_label, unit.condition, unit.recall_check) == (
        2,
        "absent",
        "legible",
        "intact",
        "affected",
    )


def test_codes_may_be_typed_in_any_case() -> None:
    assert asked("model=Anker-A1263&airline=ek&from=ae&to=gb").question == asked(WHOLE).question


def test_stops_make_it_a_trip_of_one_airline() -> None:
    trip = asked(f"{WHOLE}&via=DE&via=FR")
    assert trip.is_trip
    assert trip.trip_question.legs == (Leg("AE", "DE", "EK"), Leg("DE", "FR", "EK"), Leg("FR", "GB", "EK"))


@pytest.mark.parametrize("label", ["wh=74", "wh=74,0", "mah=20000&v=3.7", "mah=20000&v=3,7"])
def test_the_label_stands_for_a_model_that_is_not_on_file(label: str) -> None:
    found = asked(f"{label}&airline=EK&from=AE&to=GB")
    assert found.complete
    assert found.rating is not None
    assert found.rating.watt_hour == 74
    assert found.model_id == ""


def test_a_capacity_alone_is_a_rating_without_watt_hours_and_keeps_its_address() -> None:
    address = "mah=20000&v=none&airline=EK&from=AE&to=GB"
    found = asked(address)
    assert found.complete
    assert found.rating is not None
    assert (found.rating.watt_hour, found.rating.capacity_mah) == (None, 20_000)
    assert query(found) == address
    assert not asked("v=none&airline=EK&from=AE&to=GB").complete
    assert not asked("mah=27&v=none&airline=EK&from=AE&to=GB").complete
    both = asked(f"wh=74&{address}").rating
    assert both is not None
    assert both.watt_hour == 74


def test_a_label_counts_where_the_typed_model_is_unknown_and_never_next_to_a_known_one() -> None:
    rest = "wh=74&airline=EK&from=AE&to=GB"
    assert asked(f"model=nobody-knows-it&{rest}").rating is not None
    known = asked(f"model=anker-a1263&{rest}")
    assert (known.model_id, known.rating) == ("anker-a1263", None)


def test_of_two_figures_on_a_label_the_higher_one_counts() -> None:
    found = asked("wh=74&mah=30000&v=3.7&airline=EK&from=AE&to=GB")
    assert found.rating is not None
    assert (found.rating.watt_hour, found.rating.basis) == (111, "computed")


@pytest.mark.parametrize(
    "parameters",
    [
        "model=Anker PowerCore 10000&airline=Emirates&from=United Arab Emirates&to=GB",
        "model=A1263&airline=エミレーツ航空&from=アラブ首長国連邦&to=Royaume-Uni",
        "q=Anker PowerCore 10000 on Emirates from United Arab Emirates to United Kingdom",
        "q=Anker PowerCore 10000&airline=EK&from=AE&to=GB",
    ],
)
def test_names_and_whole_sentences_mean_the_same_as_codes(parameters: str) -> None:
    found = asked(parameters)
    assert found.complete
    assert found.question == asked(WHOLE).question
    assert query(found) == WHOLE


def test_a_sentence_keeps_its_cities_as_they_were_named() -> None:
    found = asked("q=Anker PowerCore 10000 on Emirates from Dubai to Heathrow")
    assert found.question == asked(WHOLE).question
    assert query(found) == "model=anker-a1263&airline=EK&from=Dubai&to=LHR"


def test_what_was_filled_in_by_hand_counts_before_a_sentence() -> None:
    assert asked(f"{WHOLE}&q=Anker 737 on Lufthansa to Paris").question == asked(WHOLE).question


def test_a_name_of_several_things_is_asked_back_with_the_choices() -> None:
    problem = asked("model=Anker PowerCore&airline=EK&from=AE&to=GB").problem("model")
    assert problem is not None
    assert len(problem.choices) > 1
    for choice in problem.choices:
        assert asked(f"model={choice.value}&airline=EK&from=AE&to=GB").complete


def test_words_next_to_a_name_make_it_no_exact_name() -> None:
    assert asked("model=Anker 737 Mega Ultra&airline=EK&from=AE&to=GB").model_id == ""


def test_words_that_were_not_understood_are_told() -> None:
    unused = asked("q=Anker 737 on Gryffindor from Dubai to London").unused
    assert [one.words for one in unused] == ["Gryffindor"]


def test_a_serial_in_an_address_is_neither_read_nor_written() -> None:
    found = asked(f"{WHOLE}&serial=ABC123")
    assert found.unit.serial is None
    assert "ABC123" not in query(found) + repr(found)


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ("", "model"),
        ("", "airline"),
        ("", "from"),
        ("", "to"),
        ("model=zzz", "model"),
        ("model=anker", "model"),
        ("airline=Air", "airline"),
        ("wh=100000", "wh"),
        ("v=1&mah=20000", "v"),
        ("mah=20000", "v"),
        ("v=3.7", "mah"),
        ("wh=0", "wh"),
        ("wh=-5", "wh"),
        ("wh=1e3", "wh"),
        ("wh=NaN", "wh"),
        ("wh=٧٤", "wh"),
        ("mah=2.5&v=3.7", "mah"),
        ("v=1000&mah=20000", "v"),
        ("airline=Emirates of Nowhere", "airline"),
        ("from=Atlantis", "from"),
        ("via=Atlantis", "via"),
        ("&".join(["via=DE"] * 9), "via"),
        ("date=24.12.2026", "date"),
        ("date=2026-02-30", "date"),
        ("date=2026-11-20", "date"),
        ("date=2028-01-01", "date"),
        ("count=0", "count"),
        ("count=21", "count"),
        ("count=two", "count"),
        ("bag=hold", "bag"),
        ("mark=yes", "mark"),
        ("label=yes", "label"),
        ("condition=ok", "condition"),
        ("recall=unknown", "recall"),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_a_sentence_at_its_field(parameters: str, field: str) -> None:
    sentence = wrong(parameters)[field]
    assert sentence.endswith((".", "?"))
    assert "%(" not in sentence


def test_a_whole_question_with_one_wrong_value_is_not_answered() -> None:
    assert asked(WHOLE).complete
    assert not asked(f"{WHOLE}&count=99").complete
    assert not asked(f"{WHOLE}&via=Atlantis").complete


def test_every_problem_has_its_text() -> None:
    fields = {key.split(".")[1] for key in TEXTS if key.startswith("asked.")}
    assert fields - {"place"} <= set(FIELDS)


VALUES = st.one_of(
    st.sampled_from(
        [
            "anker-a1263",
            "EK",
            "ek",
            "AE",
            "GB",
            "cn",
            "74",
            "3,7",
            "20000",
            "2",
            "21",
            "checked",
            "present",
            "missing",
            "damaged",
            "not_affected",
            "not_checked",
            "2026-12-24",
            "2020-01-01",
            "Zürich",
            "大阪",
        ]
    ),
    st.text(max_size=20),
)
ADDRESSES = st.lists(st.tuples(st.sampled_from([*FIELDS, "serial"]), VALUES), max_size=14).map(
    lambda pairs: urlencode(pairs, errors="surrogatepass")
)


@given(ADDRESSES)
@example("q=anker-a1263&model=EK&wh=anker-a1263")
@example("q=checked&bag=carry_on")
def test_an_address_that_was_written_asks_what_was_asked(parameters: str) -> None:
    first = asked(parameters)
    second = asked(query(first))
    assert query(second) == query(first)
    if second.problems != first.problems:
        # A strict fact of the sentence took the place of what a field said, so they agree now.
        assert second.problems == tuple(one for one in first.problems if one.kind != "unconfirmed")
        assert {one.about for one in first.unused} == {"field"}
        facts = ("bag", "mark", "label", "condition", "recall")
        replaced = [name for name in facts if first.typed[name] != typed(QueryDict(parameters))[name]]
        assert replaced
        assert not {(name, first.typed[name]) for name in replaced} & MILD
    assert second.legs == first.legs
    assert (second.unit, second.rating, second.travel_date, second.compartment) == (
        first.unit,
        first.rating,
        first.travel_date,
        first.compartment,
    )


@pytest.mark.parametrize("same", ["from=Dubai&to=Dubai", "from=DXB&to=DXB", "from=Dubai&via=Dubai&to=London"])
def test_no_flight_ends_in_the_city_where_it_starts(same: str) -> None:
    assert list(wrong(f"model=anker-a1263&airline=EK&{same}").values()) == [TEXTS["asked.to.same"]]
    assert asked("model=anker-a1263&airline=CA&from=CN&to=CN").complete
