"""Itineraries and the Python client: who is clear, and that nobody is where nothing came back."""

import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battery_travel import Client, Flight, Item, ItineraryAnswer, ItineraryQuestion, Label, Patience
from battery_travel.instants import Instant
from compliance.api.protocol.bodies import encode
from compliance.api.verdicts.itineraries import itinerary_body
from rules import verdicts
from rules.engine import facts
from tests.clients.itineraries import BANNED, CLEAR, ITINERARY
from tests.clients.made_up import STARTS_AT, date_after, read, reply, vector
from tests.clients.playing import UNIT, Stage
from tests.clients.test_no_other_way import JSON, found, places, replaced
from tests.rules.engine.itineraries import starter_itinerary
from tests.rules.engine.starter_questions import Drawer
from tests.support.starter import starter_content, starter_release
from tests.support.thoroughness import examples

QUESTION = ItineraryQuestion(
    items=[Item(model_id="acme-slim-10k")],
    flights=[Flight(origin="JP", destination="SG", operating_airline="SQ")],
    passengers=2,
)

DECIDES = {
    *("verdict", "recall_status", "model_id", "index", "ref", "quantity", "passenger", "date_assumed"),
    *("operating_airline", "marketing_airline", "origin_airport", "destination_airport"),
}
"""Fields with one value that is clear for the question, wherever they are."""


def played(body: Any) -> ItineraryAnswer:
    """Return the answer of the client to a body of the service."""
    answer = Stage(vector("played", "", reply(body), read(None), request=ITINERARY)).ask()
    assert isinstance(answer, ItineraryAnswer)
    return answer


def unreachable(question: ItineraryQuestion) -> ItineraryAnswer:
    with Client("http://127.0.0.1:1", patience=Patience(attempts=1)) as client:
        return client.verify_itinerary(question)


def test_nobody_is_clear_if_nothing_came_back() -> None:
    answer = unreachable(QUESTION)
    assert [one.clear_to_pack() for one in answer.passengers] == [False, False]
    assert [one.items for one in answer.passengers] == [(), ()]


@pytest.mark.parametrize("passengers", [0, -1, None, "2"])
def test_a_loop_over_passengers_always_finds_one(passengers: Any) -> None:
    question = ItineraryQuestion(items=[], flights=[], passengers=passengers)
    assert not all(one.clear_to_pack() for one in unreachable(question).passengers)


def test_a_light_of_a_passenger_cannot_be_mistaken_or_kept() -> None:
    [first, _] = played(CLEAR).passengers
    with pytest.raises(TypeError, match="clear_to_pack"):
        bool(first)
    with pytest.raises(TypeError, match="parentheses"):
        bool(first.clear_to_pack)
    keep: Callable[[Any], Any]
    for keep in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="stored"):
            keep(first)


def test_a_passenger_is_told_what_the_light_is_about() -> None:
    answer = played(BANNED)
    first, second = answer.passengers
    assert [(share.ref, share.quantity) for share in first.items] == [("slim", 1)]
    assert [(share.ref, share.quantity) for share in second.items] == [("slim", 1), ("item_2", 1)]
    assert (first.clear_to_pack(), second.clear_to_pack(), answer.clear_to_pack()) == (True, False, False)
    assert repr(first) == "<Passenger 1: clear to pack>"


def test_an_answer_says_once_what_several_flights_say() -> None:
    answer = played(CLEAR)
    assert [constraint.code for constraint in answer.constraints] == ["max_units_2", "carry_on_only"]
    assert [(one.origin, one.destination, one.airline) for one in answer.segments] == [
        ("HND", "SIN", "SQ"),
        ("SG", "JP", "SQ"),
    ]
    assert answer.device is None
    assert answer.verdict_id == CLEAR["itinerary_verdict_id"]


def test_an_answer_belongs_to_what_was_asked_not_to_what_became_of_the_lists() -> None:
    items, flights = [*QUESTION.items], [*QUESTION.flights]
    question = ItineraryQuestion(items=items, flights=flights)
    items.clear()
    flights.clear()
    assert question.body() == {
        "passengers": 1,
        "items": [
            {"ref": "item_1", "quantity": 1, "compartment_intent": "carry_on", "model_id": "acme-slim-10k"}
        ],
        "segments": [{"origin": "JP", "destination": "SG", "operating_airline": "SQ"}],
    }


@given(st.data())
def test_a_value_that_counts_cannot_become_another(data: st.DataObject) -> None:
    way = data.draw(st.sampled_from(places(CLEAR)))
    value = data.draw(JSON)
    clear = played(replaced(CLEAR, way, value)).clear_to_pack()
    if way[-1] in DECIDES:
        assert not clear or json.dumps(value) == json.dumps(found(CLEAR, way))


@given(JSON)
def test_no_other_packing_is_a_permission(packing: Any) -> None:
    answer = played({**CLEAR, "packing": packing})
    assert not answer.clear_to_pack()
    assert not any(one.clear_to_pack() for one in answer.passengers)


def test_the_lights_are_those_of_the_engine_for_drawn_itineraries() -> None:
    """Whoever may pack is clear, except where a unit of that item stays, and nobody else is."""
    release, drawer = starter_release(), Drawer(starter_content(), seed=20261126)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(examples(300, thorough=5_000)):
        question = starter_itinerary(drawer)
        given_answer = verdicts.itinerary_answer_from(release, question, now=STARTS_AT)
        answer = asked(question, encode(itinerary_body(given_answer, [{} for _ in question.flights], "en")))
        outcome = given_answer.outcome
        assert answer.clear_to_pack() == (outcome.verdict == "allowed"), (question, answer.why_not())
        packing = outcome.packing
        withheld = {*packing.undecided, *packing.move_to_cabin, *(one.ref for one in packing.stays)}
        lights = {one.number: one for one in answer.passengers}
        for bag in packing.passengers:
            is_clear = lights[bag.passenger].clear_to_pack()
            if not withheld & {share.ref for share in bag.shares}:
                assert is_clear == (bag.verdict == "allowed"), (question, lights[bag.passenger].why_not())
            assert not is_clear or bag.verdict == "allowed", question
            seen[outcome.verdict, is_clear] += 1
    assert min(seen["allowed", True], seen["banned", True], seen["banned", False]) > 5, seen


def asked(question: facts.ItineraryQuestion, content: bytes) -> ItineraryAnswer:
    """Return the answer of the client to a question of the engine, which the service answered like this."""
    headers = {"date": date_after(0), "content-type": "application/json"}
    with Client(
        "https://service.example",
        clock=lambda: Instant(STARTS_AT, 5.0),
        transport=httpx.MockTransport(lambda _: httpx.Response(200, headers=headers, content=content)),
    ) as client:
        return client.verify_itinerary(
            ItineraryQuestion(
                passengers=question.passengers,
                items=[item_of(item) for item in question.items],
                flights=[
                    Flight(
                        origin=flight.origin_airport or flight.origin,
                        destination=flight.destination_airport or flight.destination,
                        operating_airline=flight.operating_airline,
                        marketing_airline=flight.marketing_airline,
                        date=flight.date,
                    )
                    for flight in question.flights
                ],
            )
        )


def item_of(item: facts.Item) -> Item:
    """Return an item of the engine as one of the client."""
    known = {name: getattr(item.unit, name) for name in UNIT if name != "model_id"}
    named: Any = {
        "ref": item.ref,
        "carried_by": item.carried_by,
        "compartment_intent": item.compartment_intent,
    }
    if item.label is None:
        return Item(**known, **named, model_id=item.unit.model_id)
    label: Any = {
        name: float(figure)
        for name in ("watt_hour", "voltage")
        if (figure := getattr(item.label, name)) is not None
    }
    return Item(**known, **named, label=Label(**label, capacity_mah=item.label.capacity_mah))
