# ruff: noqa: RUF001 - people type full-width letters
"""Names with a slip find the airline or the place that is meant, to be offered and never to be taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aeo.asking.names.airlines import certain, of_flight
from aeo.asking.names.near import near_airlines, near_places
from aeo.asking.names.places import gazetteer
from aeo.asking.names.suggestions import suggest_airlines, suggest_places
from catalog.search import slips
from catalog.search.slips import within
from tests.support.starter import starter_release

RELEASE = starter_release()
MOST_COMPARED = 0.05
"""The share of the names of places that may be compared letter by letter; the others are excluded before."""


@pytest.mark.parametrize(
    ("text", "airline"),
    [
        ("emirats", "EK"),
        ("lufthanza", "LH"),
        ("Lutfhansa", "LH"),
        ("chna southern", "CZ"),
        ("Korean Airlines", "KE"),
        ("emirats airlines", "EK"),
        ("easy jet", "U2"),
        ("エミレツ航空", "EK"),
    ],
)
def test_an_airline_is_offered_for_a_slip_and_not_taken(text: str, airline: str) -> None:
    assert [one.airline for one in near_airlines(RELEASE, text)] == [airline]
    assert suggest_airlines(RELEASE, text, "en")[0].value == airline
    assert certain(RELEASE, text) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("londn", ("London", "GB")),
        ("Bangkock", ("Bangkok", "TH")),
        ("Frankfrut", ("Frankfurt am Main", "DE")),
        ("New Yrok", ("New York City", "US")),
        ("Sanfransisco", ("San Francisco", "US")),
        ("ドバア", ("Dubai", "AE")),
        ("法兰克复", ("Frankfurt am Main", "DE")),
        ("Emirats Arabs Unis", ("United Arab Emirates", "AE")),
    ],
)
def test_a_place_is_offered_for_a_slip_the_largest_first(text: str, place: tuple[str, str]) -> None:
    first = near_places(RELEASE, text)[0]
    assert (first.name, first.country) == place
    assert suggest_places(RELEASE, text, "en")[0].value == place[1]


@pytest.mark.parametrize("text", ["", "em", "sqk", "pa", "東亰", "emrats arlines of nowhere", "A320", "?!"])
def test_what_is_too_short_or_too_far_from_any_name_is_not_corrected(text: str) -> None:
    assert near_airlines(RELEASE, text) == ()
    assert near_places(RELEASE, text) == ()


def test_names_of_six_letters_have_one_slip_and_longer_ones_two() -> None:
    assert near_places(RELEASE, "Lomdon")[0].name == "London"
    assert not any(place.name == "London" for place in near_places(RELEASE, "Lomdan"))
    assert near_airlines(RELEASE, "lufthnnza")
    assert not near_airlines(RELEASE, "luffthnnza")


@pytest.mark.parametrize("text", ["londn", "frankfrut", "法兰克复", "emirats", "saranas", "x" * 300])
def test_few_of_the_names_are_compared_letter_by_letter(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def counted(slips: int, one: str, other: str) -> bool:
        compared.append(other)
        return within(slips, one, other)

    monkeypatch.setattr(slips, "within", counted)
    near_airlines(RELEASE, text)
    near_places(RELEASE, text)
    assert len(compared) < MOST_COMPARED * len(gazetteer().names())


@pytest.mark.parametrize(
    ("text", "airline"),
    [("China Southern", "CZ"), ("british", "BA"), ("Wizz", "W6"), ("中国南方", "CZ"), ("All Nippon", "NH")],
)
def test_a_name_without_its_last_generic_word_means_the_one_airline_that_has_it(
    text: str, airline: str
) -> None:
    named = certain(RELEASE, text)
    assert named is not None
    assert named.airline == airline


@pytest.mark.parametrize("text", ["China", "Qatar", "Hong Kong", "Thai", "日本", "Air", "Emirate", ""])
def test_a_short_name_that_may_mean_something_else_is_left_to_the_traveler(text: str) -> None:
    assert certain(RELEASE, text) is None


@pytest.mark.parametrize(
    ("text", "airline"),
    [("EK001", "EK"), ("KE 085", "KE"), ("7C1101", "7C"), ("uae1", "EK"), ("LH-400", "LH"), ("ＥＫ１", "EK")],
)
def test_a_flight_number_offers_the_airline_of_its_code_with_its_condition(text: str, airline: str) -> None:
    flown = of_flight(RELEASE, text)
    assert flown is not None
    assert flown.airline == airline
    (offered,) = suggest_airlines(RELEASE, text, "en")
    assert offered.value == airline
    assert offered.label == f"{flown.name} ({airline})"
    assert offered.detail.startswith(f"if {flown.name} itself operates ")


@pytest.mark.parametrize("text", ["EK", "737", "A1263", "EK00001", "Emirates 1", "ZZ12", ""])
def test_what_is_no_flight_number_is_none(text: str) -> None:
    assert of_flight(RELEASE, text) is None


@given(st.text(max_size=400))
def test_no_text_is_an_error(text: str) -> None:
    near_airlines(RELEASE, text)
    near_places(RELEASE, text)
    certain(RELEASE, text)
    of_flight(RELEASE, text)
