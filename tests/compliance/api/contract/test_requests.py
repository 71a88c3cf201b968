"""The documented bodies of the questions are exactly those that the reader of bodies takes."""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from checks.fuzz import moves
from compliance.api.contract.examples import QUESTIONS
from compliance.api.protocol.bodies import object_in
from compliance.api.protocol.caching import CONTRACT
from compliance.api.protocol.errors import ApiError
from compliance.api.verdicts import questions
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.requests import COUNTRIES
from tests.support.starter import NOW

DOCUMENT = yaml.load(CONTRACT.read_bytes(), Loader=yaml.CSafeLoader)
CONTRACT_SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
TODAY = NOW.date()

READERS: dict[str, Callable[..., Any]] = {
    "/api/verify": questions.verify_request,
    "/api/trips/verify": questions.trip_request,
}


VALIDATORS = {
    path: jsonschema_rs.validator_for(
        {
            **DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"],
            "components": DOCUMENT["components"],
        },
        validate_formats=True,
    )
    for path in READERS
}

VALUES: list[Any] = [
    *(None, True, False, 0, 1, 1.0, 1.5, 20, 21, -1, 10**30, [], [1], {}, {"a": 1}),
    *("", " ", "x", "unknown", "present", "EK", "ek", "E", "7C", "JP", "jp", "XX", "EU", "2026-11-21"),
    *("2026-13-01", "2026-W47-6", "20261121", "anker-a1263", "Anker", "en", "de", "a" * 65, "a\nb", "\u3000"),
    *("\u200b", "0" * 64, "carry_on", ["JP"], ["JP"] * 8, ["JP"] * 9, ["jp"], [None]),
]
"""What each place of a good body is filled with in turn."""


def changed(body: Any) -> Iterator[Any]:
    """Give a body with one place of it filled with something else, left out, or added."""
    if isinstance(body, dict):
        yield {**body, "else": 1}
        for name, value in body.items():
            yield {other: kept for other, kept in body.items() if other != name}
            for other in (*VALUES, *changed(value)):
                yield {**body, name: other}
    elif isinstance(body, list):
        for at, item in enumerate(body):
            for other in (*VALUES, *changed(item)):
                yield [*body[:at], other, *body[at + 1 :]]


def documented(path: str, body: Any) -> bool:
    """Tell whether the contract allows a body."""
    return VALIDATORS[path].is_valid(body)


def as_sent(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body as it is read from JSON."""
    return object_in(json.dumps(body).encode())


def read(path: str, body: dict[str, Any]) -> bool:
    """Tell whether the reader takes a body."""
    try:
        READERS[path](as_sent(body), today=TODAY, countries=COUNTRIES)
    except ApiError:
        return False
    return True


def bodies(path: str, mode: GenerationMode) -> st.SearchStrategy[Any]:
    cases = CONTRACT_SCHEMA[path]["POST"].as_strategy(generation_mode=mode)
    # Out and in again, as it travels.
    return (
        cases.map(lambda case: case.body)
        .filter(lambda body: isinstance(body, dict))
        .map(lambda body: moves.body(json.loads(json.dumps(body)), TODAY))
    )


@pytest.mark.parametrize("path", READERS)
def test_what_the_contract_allows_is_read(path: str) -> None:
    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(bodies(path, GenerationMode.POSITIVE))
    def check(body: dict[str, Any]) -> None:
        assert documented(path, body)
        assert read(path, body)

    check()


@pytest.mark.parametrize("path", READERS)
def test_what_the_contract_forbids_is_refused(path: str) -> None:
    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(bodies(path, GenerationMode.NEGATIVE))
    def check(body: dict[str, Any]) -> None:
        assert read(path, body) == documented(path, body)

    check()


FULL = {
    "/api/verify": {
        "model_id": "anker-a1289",
        "ccc_mark": "present",
        "quantity": 2,
        "capacity_label": "legible",
        "condition": "intact",
        "recall_check": "not_affected",
        "serial": "35S24B8A013027",
        "trip": {
            "origin": "JP",
            "destination": "SG",
            "airline": "SQ",
            "compartment_intent": "carry_on",
            "date": "2026-11-21",
            "transit": [],
        },
        "options": {"language": "en", "citations": "deciding"},
        "ruleset_version": "2026-11-20",
    },
    "/api/trips/verify": {
        "device": {"model_id": "anker-a1289", "serial_hash": "0" * 64, "quantity": 1},
        "trip": {"origin": "JP", "transit": ["KR"], "destination": "SG", "airline": "SQ"},
        "options": {},
    },
}
"""A body of each kind that leaves nothing out, for the questions of the contract do."""


@pytest.mark.parametrize("path", READERS)
def test_both_say_the_same_of_every_small_change_to_a_good_body(path: str) -> None:
    questions_of_contract = [question.body for question in QUESTIONS if question.address == path]
    answers = set()
    for body in (FULL[path], *questions_of_contract):
        assert body is not None
        assert documented(path, body)
        assert read(path, body)
        for other in changed(body):
            # Whether legs chain is not for a schema to say.
            if _chains(other):
                assert read(path, other) == documented(path, other), other
                answers.add(read(path, other))
    assert answers == {True, False}


_FULL: dict[str, Any] = FULL["/api/verify"]
PLAIN = {
    **{name: sent for name, sent in _FULL.items() if name != "ruleset_version"},
    "trip": {name: sent for name, sent in _FULL["trip"].items() if name != "transit"},
}
"""A body that is read in one step, with all that such a body can say."""


def read_at_once(body: dict[str, Any]) -> bool:
    """Tell whether a body is read in one step; hold what is read so against the reading with care."""
    at_once = questions._plainly(body, TODAY, COUNTRIES, "de", "full")
    if at_once is not None:
        assert at_once == questions._carefully(body, TODAY, COUNTRIES, "de", "full")
    return at_once is not None


def test_whatever_is_read_in_one_step_is_read_as_with_care() -> None:
    assert read_at_once(PLAIN)
    assert {read_at_once(other) for other in changed(PLAIN)} == {True, False}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_so_is_whatever_the_contract_makes_up(mode: GenerationMode) -> None:
    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(bodies("/api/verify", mode))
    def check(body: dict[str, Any]) -> None:
        read_at_once(body)

    check()


def test_a_serial_goes_with_no_hash() -> None:
    both = {**FULL["/api/verify"], "serial_hash": "0" * 64}
    assert not documented("/api/verify", both)
    assert not read("/api/verify", both)


def _chains(body: dict[str, Any]) -> bool:
    """Tell whether each leg, if there are any, begins where the one before ended."""
    legs = trip.get("legs") if isinstance(trip := body.get("trip"), dict) else None
    if not isinstance(legs, list) or not all(isinstance(leg, dict) for leg in legs):
        return True
    return all(before.get("destination") == leg.get("origin") for before, leg in itertools.pairwise(legs))


ITINERARIES = "/api/itineraries/verify"
AN_ITINERARY: dict[str, Any] = {
    "passengers": 2,
    "items": [
        {
            "ref": "anker",
            "model_id": "anker-a1289",
            "quantity": 2,
            "carried_by": 1,
            "compartment_intent": "carry_on",
            "ccc_mark": "present",
            "capacity_label": "legible",
            "condition": "intact",
            "recall_check": "not_affected",
            "serial": "35S24B8A013027",
        },
        {"label": {"watt_hour": 74.5, "capacity_mah": 20000, "voltage": 3.7}},
    ],
    "segments": [
        {
            "origin": "DXB",
            "destination": "GB",
            "operating_airline": "EK",
            "marketing_airline": "QF",
            "date": "2026-11-21",
        }
    ],
    "options": {"language": "en", "citations": "deciding"},
    "ruleset_version": "2026-11-20",
}
BEYOND_A_SCHEMA = re.compile(
    r"items\[\d]\.(ref|carried_by|label\.watt_hour)|segments\[\d]\.(origin|destination|date|operating_airline)"
)
"""The fields whose value can fit the schema and not the other fields, the release or the day."""


def test_the_contract_and_the_reader_of_itineraries_say_the_same_of_every_small_change() -> None:
    schema = DOCUMENT["paths"][ITINERARIES]["post"]["requestBody"]["content"]["application/json"]["schema"]
    validator = jsonschema_rs.validator_for(
        {**schema, "components": DOCUMENT["components"]}, validate_formats=True
    )
    answers = set()
    for body in (AN_ITINERARY, *changed(AN_ITINERARY)):
        refused = _refused(body)
        if refused:
            beyond = all(BEYOND_A_SCHEMA.fullmatch(field) for field in refused)
            assert beyond or not validator.is_valid(body), (body, refused)
        else:
            assert validator.is_valid(body), body
        answers.add(bool(refused))
    assert answers == {True, False}


def _refused(body: dict[str, Any]) -> set[str]:
    """Return the fields that the reader refuses."""
    try:
        itinerary_request(as_sent(body), today=TODAY, countries=COUNTRIES)
    except ApiError as error:
        return {one.field for one in error.errors}
    return set()
