"""An itinerary in an address: every spelling of one trip leads to one question, and nothing is guessed."""

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from aeo.trips.itinerary import Itinerary, query, read
from rules.engine.facts import Leg
from tests.support import starter

MODEL = "model=anker-a1289"
LEGS = (Leg("AE", "GB", "EK"), Leg("GB", "US", "BA"))


def asked(text: str) -> Itinerary:
    return read(QueryDict(text), starter.starter_release(), starter.NOW.date())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{MODEL}&leg=AE-GB-EK&leg=GB-US-BA", id="flight by flight"),
        pytest.param(f"{MODEL}&leg=ae-gb-ek&leg=gb-us-ba", id="in small letters"),
        pytest.param(f"{MODEL}&airline=EK&airline=BA&from=AE&via=GB&to=US", id="as the form says it"),
        pytest.param(
            f"{MODEL}&from=AE&airline=EK&via=GB&airline=BA&via=&airline=&to=US", id="with an empty stop"
        ),
        pytest.param(
            "model=Anker+737+Power+Bank+(PowerCore+24K)&airline=Emirates&airline=British+Airways"
            "&from=Emirats+arabes+unis&via=UK&to=United+States",
            id="by names",
        ),
    ],
)
def test_every_spelling_of_a_trip_is_the_same_question(text):
    itinerary = asked(text)
    assert itinerary.complete
    assert itinerary.question.legs == LEGS
    assert itinerary.question.unit.model_id == "anker-a1289"
    assert query(itinerary) == f"{MODEL}&leg=AE-GB-EK&leg=GB-US-BA"


def test_an_airline_that_is_left_out_stays_the_same():
    itinerary = asked(f"{MODEL}&airline=EK&from=JP&via=AE&airline=&via=GB&airline=BA&to=US")
    assert [leg.airline for leg in itinerary.question.legs] == ["EK", "EK", "BA"]


def test_a_trip_on_one_airline_is_written_by_its_stops():
    assert query(asked(f"{MODEL}&leg=AE-GB-EK&leg=GB-US-EK")) == f"{MODEL}&airline=EK&from=AE&via=GB&to=US"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        pytest.param("airline=EK&from=AE&to=GB", "model", id="no model"),
        pytest.param(f"{MODEL}&from=AE&to=GB", "airline", id="no airline"),
        pytest.param(f"{MODEL}&airline=EK&to=GB", "from", id="no departure"),
        pytest.param(f"{MODEL}&airline=EK&from=AE&via=Nowhere&to=GB", "via", id="a stop nobody knows"),
        pytest.param(f"{MODEL}&airline=EK&airline=Nobody&from=AE&via=GB&to=US", "airline", id="an airline"),
        pytest.param(f"{MODEL}&leg=AE-GB-EK&leg=FR-US-BA", "leg", id="a gap between two flights"),
        pytest.param(f"{MODEL}&leg=AE-GB", "leg", id="a flight without an airline"),
        pytest.param(f"{MODEL}&leg=AE-XX-EK", "to", id="a country that does not exist"),
        pytest.param(f"{MODEL}&" + "&".join(["leg=AE-AE-EK"] * 10), "leg", id="too many flights"),
        pytest.param(f"{MODEL}&airline=EK&from=AE&to=GB" + "&via=GB" * 9, "via", id="too many stops"),
        pytest.param("mah=20&v=3.7&airline=EK&from=AE&to=GB", "mah", id="a label that was misread"),
    ],
)
def test_what_is_missing_or_wrong_is_a_problem_and_never_a_question(text, field):
    itinerary = asked(text)
    assert not itinerary.complete
    assert itinerary.problem(field)


@pytest.mark.parametrize("typed", ["ZZ", "Wiz", "air", "Emirate"])
def test_a_part_of_a_name_is_no_airline(typed):
    itinerary = asked(f"{MODEL}&airline={typed}&from=AE&to=GB")
    assert not itinerary.complete or itinerary.question.legs[0].airline == typed


@pytest.mark.parametrize("typed", ["Anker", "737", "Power Bank", "PowerCore"])
def test_a_part_of_a_name_is_no_model(typed):
    assert not asked(f"model={typed}&airline=EK&from=AE&to=GB").complete


CODES = st.sampled_from(["AE", "GB", "JP", "cn", "XX", "Dubai", ""])
AIRLINES = st.sampled_from(["EK", "ba", "Emirates", "ZZ", "?", ""])


@given(
    st.lists(st.tuples(CODES, AIRLINES), min_size=1, max_size=11),
    CODES,
    st.sampled_from([MODEL, "model=nothing", "wh=50", ""]),
    st.booleans(),
)
def test_what_is_written_is_read_as_the_same_trip(rows, destination, model, legs):
    text = QueryDict(model, mutable=True)
    if legs:
        text.setlist("leg", [f"{place}-{destination}-{airline}" for place, airline in rows])
    else:
        text["from"], text["to"] = rows[0][0], destination
        text.setlist("via", [place for place, _ in rows[1:]])
        text.setlist("airline", [airline for _, airline in rows])
    itinerary = asked(text.urlencode())
    if itinerary.complete:
        again = asked(query(itinerary))
        assert again.complete
        assert again.question == itinerary.question
        assert query(again) == query(itinerary)
