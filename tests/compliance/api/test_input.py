"""What a request may say, field by field: strict types, closed words, and every mistake named at once."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from compliance.api.protocol.bodies import parse
from compliance.api.protocol.errors import MAX_FIELD_ERRORS, ApiError
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, answer, errors, post, problem

pytestmark = pytest.mark.usefixtures("asked_now")

HASH = "0123456789abcdef" * 4

# --- The unit ---

WRONG_UNITS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"model_id": 7}, {"model_id": "wrong_type"}),
    ({"model_id": None}, {"model_id": "required"}),
    ({"model_id": ""}, {"model_id": "invalid_format"}),
    ({"model_id": "Anker-A1263"}, {"model_id": "invalid_format"}),
    ({"model_id": "anker a1263"}, {"model_id": "invalid_format"}),
    ({"model_id": "anker-a1263\n"}, {"model_id": "invalid_format"}),
    ({"model_id": "a"}, {"model_id": "invalid_format"}),
    ({"model_id": "a" * 81}, {"model_id": "invalid_format"}),
    ({"quantity": "1"}, {"quantity": "wrong_type"}),
    ({"quantity": True}, {"quantity": "wrong_type"}),
    ({"quantity": 1.5}, {"quantity": "wrong_type"}),
    ({"quantity": [1]}, {"quantity": "wrong_type"}),
    ({"quantity": 0}, {"quantity": "out_of_range"}),
    ({"quantity": -1}, {"quantity": "out_of_range"}),
    ({"quantity": 21}, {"quantity": "out_of_range"}),
    ({"quantity": 10**30}, {"quantity": "out_of_range"}),
    ({"ccc_mark": "Present"}, {"ccc_mark": "invalid_choice"}),
    ({"ccc_mark": True}, {"ccc_mark": "wrong_type"}),
    ({"ccc_mark": ["present"]}, {"ccc_mark": "wrong_type"}),
    ({"ccc_mark": {"present": 1}}, {"ccc_mark": "wrong_type"}),
    ({"capacity_label": "readable"}, {"capacity_label": "invalid_choice"}),
    ({"condition": "swollen"}, {"condition": "invalid_choice"}),
    ({"condition": 0}, {"condition": "wrong_type"}),
    ({"recall_check": "unknown"}, {"recall_check": "invalid_choice"}),
    ({"recall_check": "NOT_AFFECTED"}, {"recall_check": "invalid_choice"}),
    ({"recall_check": True}, {"recall_check": "wrong_type"}),
    ({"serial": ""}, {"serial": "invalid_format"}),
    ({"serial": "   "}, {"serial": "invalid_format"}),
    ({"serial": "A" * 65}, {"serial": "invalid_format"}),
    ({"serial": "A\tB"}, {"serial": "invalid_format"}),
    ({"serial": "A\u0000"}, {"serial": "invalid_format"}),
    ({"serial": "A\u202eB"}, {"serial": "invalid_format"}),
    ({"serial": 4711}, {"serial": "wrong_type"}),
    ({"serial_hash": HASH.upper()}, {"serial_hash": "invalid_format"}),
    ({"serial_hash": HASH[:-1]}, {"serial_hash": "invalid_format"}),
    ({"serial_hash": HASH + "\n"}, {"serial_hash": "invalid_format"}),
    ({"serial_hash": 1}, {"serial_hash": "wrong_type"}),
    ({"serial": "A", "serial_hash": HASH}, {"serial_hash": "conflict"}),
    ({"brand": "Anker"}, {"brand": "unknown_field"}),
]

RIGHT_UNITS: list[dict[str, Any]] = [
    {"quantity": 1},
    {"quantity": 20},
    {"quantity": 2.0},
    {"ccc_mark": "present"},
    {"ccc_mark": "absent"},
    {"ccc_mark": "unknown"},
    {"capacity_label": "legible"},
    {"capacity_label": "missing"},
    {"condition": "intact"},
    {"condition": "damaged"},
    {"recall_check": "not_checked"},
    {"recall_check": "not_affected"},
    {"recall_check": "affected"},
    {"serial": "A"},
    {"serial": "A" * 64},
    {"serial": "SN: 47 11"},
    {"serial": "\uff21\uff22\uff23-\u7535"},
    {"serial_hash": HASH},
]


@pytest.mark.parametrize(("unit", "wrong"), WRONG_UNITS)
def test_a_unit_is_read_strictly(client: Client, unit: dict[str, Any], wrong: dict[str, str]) -> None:
    assert errors(post(client, VERIFY, a_request(**unit))) == wrong
    in_trip = {f"device.{field}": code for field, code in wrong.items()}
    assert errors(post(client, TRIPS, a_trip(device=unit))) == in_trip


@pytest.mark.parametrize("unit", RIGHT_UNITS)
def test_every_documented_value_of_a_unit_is_taken(client: Client, unit: dict[str, Any]) -> None:
    answer(client, VERIFY, a_request(**unit))
    answer(client, TRIPS, a_trip(device=unit))


# --- The route ---

WRONG_PLANS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"origin": "jp"}, {"trip.origin": "invalid_format"}),
    ({"origin": "Jp"}, {"trip.origin": "invalid_format"}),
    ({"origin": "JPN"}, {"trip.origin": "invalid_format"}),
    ({"origin": "JP\n"}, {"trip.origin": "invalid_format"}),
    ({"origin": ""}, {"trip.origin": "invalid_format"}),
    ({"origin": "XX"}, {"trip.origin": "unknown_country"}),
    ({"origin": "EU"}, {"trip.origin": "unknown_country"}),
    ({"origin": "UK"}, {"trip.origin": "unknown_country"}),
    ({"origin": None}, {"trip.origin": "required"}),
    ({"origin": ["JP"]}, {"trip.origin": "wrong_type"}),
    ({"destination": 81}, {"trip.destination": "wrong_type"}),
    ({"origin": "ß"}, {"trip.origin": "invalid_format"}),
    ({"airline": "sq"}, {"trip.airline": "invalid_format"}),
    ({"airline": "SIA"}, {"trip.airline": "invalid_format"}),
    ({"airline": "S"}, {"trip.airline": "invalid_format"}),
    ({"airline": "\u0663Q"}, {"trip.airline": "invalid_format"}),
    ({"airline": 7}, {"trip.airline": "wrong_type"}),
    ({"compartment_intent": "cabin"}, {"trip.compartment_intent": "invalid_choice"}),
    ({"compartment_intent": False}, {"trip.compartment_intent": "wrong_type"}),
    ({"date": "2026-11-20"}, {"trip.date": "out_of_range"}),
    ({"date": "2027-11-23"}, {"trip.date": "out_of_range"}),
    ({"date": "2026-02-30"}, {"trip.date": "invalid_format"}),
    ({"date": "20261201"}, {"trip.date": "invalid_format"}),
    ({"date": "2026-W50-1"}, {"trip.date": "invalid_format"}),
    ({"date": "2026-12-01T00:00:00Z"}, {"trip.date": "invalid_format"}),
    ({"date": "\u0662026-12-01"}, {"trip.date": "invalid_format"}),
    ({"date": 20261201}, {"trip.date": "wrong_type"}),
    ({"orgin": "JP"}, {"trip.orgin": "unknown_field"}),
]


@pytest.mark.parametrize(("trip", "wrong"), WRONG_PLANS)
def test_a_route_is_read_strictly(client: Client, trip: dict[str, Any], wrong: dict[str, str]) -> None:
    assert errors(post(client, VERIFY, a_request(trip))) == wrong
    assert errors(post(client, TRIPS, a_trip(trip))) == wrong


@pytest.mark.parametrize(
    "trip",
    [
        {"compartment_intent": "carry_on"},
        {"compartment_intent": "checked"},
        {"compartment_intent": "on_person"},
        {"date": "2026-11-21"},
        {"date": "2027-11-22"},
        {"airline": "7C"},
        {"origin": "SG", "destination": "SG"},
        {"origin": "AQ"},
    ],
)
def test_every_documented_value_of_a_route_is_taken(client: Client, trip: dict[str, Any]) -> None:
    answer(client, VERIFY, a_request(trip))
    answer(client, TRIPS, a_trip(trip))


@pytest.mark.parametrize("missing", ["origin", "destination", "airline"])
def test_what_is_required_is_asked_for(client: Client, missing: str) -> None:
    for path, body in ((VERIFY, a_request()), (TRIPS, a_trip())):
        del body["trip"][missing]
        assert errors(post(client, path, body)) == {f"trip.{missing}": "required"}


def test_a_missing_object_is_one_error(client: Client) -> None:
    assert errors(post(client, VERIFY, {"model_id": "anker-a1289"})) == {"trip": "required"}
    assert errors(post(client, TRIPS, {})) == {"device": "required", "trip": "required"}
    assert errors(post(client, TRIPS, {"device": "anker-a1289", "trip": []})) == {
        "device": "wrong_type",
        "trip": "wrong_type",
    }


def test_options_and_pins_are_read_strictly(client: Client) -> None:
    for path, body in ((VERIFY, a_request()), (TRIPS, a_trip())):
        for changes, wrong in (
            ({"options": []}, {"options": "wrong_type"}),
            ({"options": {"language": "nl"}}, {"options.language": "invalid_choice"}),
            ({"options": {"language": 7}}, {"options.language": "wrong_type"}),
            ({"options": {"lang": "en"}}, {"options.lang": "unknown_field"}),
            ({"ruleset_version": 20261120}, {"ruleset_version": "wrong_type"}),
            ({"ruleset_version": ""}, {"ruleset_version": "invalid_format"}),
            ({"ruleset_version": "9" * 65}, {"ruleset_version": "invalid_format"}),
        ):
            assert errors(post(client, path, {**body, **changes})) == wrong
        answer(client, path, {**body, "options": {}, "ruleset_version": "2026-11-20"})
        answer(client, path, {**body, "options": {"language": "en"}})


def test_all_mistakes_are_reported_at_once(client: Client) -> None:
    body = {
        "model_id": "ANKER",
        "quantity": "2",
        "quantty": 2,
        "ccc_mark": "yes",
        "trip": {"origin": "cn", "destination": "ZZ", "airline": "China", "date": "tomorrow", "via": "JP"},
        "options": {"language": "nl"},
    }
    assert errors(post(client, VERIFY, body)) == {
        "model_id": "invalid_format",
        "quantity": "wrong_type",
        "quantty": "unknown_field",
        "ccc_mark": "invalid_choice",
        "trip.origin": "invalid_format",
        "trip.destination": "unknown_country",
        "trip.airline": "invalid_format",
        "trip.date": "invalid_format",
        "trip.via": "unknown_field",
        "options.language": "invalid_choice",
    }


def test_very_many_mistakes_are_counted_and_the_first_are_shown(client: Client) -> None:
    response = post(client, VERIFY, {f"field-{number}": 1 for number in range(500)} | a_request())
    body = problem(response)
    assert len(body["errors"]) == MAX_FIELD_ERRORS
    assert "500 fields are not valid" in body["detail"]
    long_name = problem(post(client, VERIFY, {"x" * 60_000: 1} | a_request()))
    assert len(long_name["errors"][0]["field"]) == 80


def test_a_code_is_corrected_only_where_it_is_a_matter_of_case(client: Client) -> None:
    for origin, corrected in (("jP", "`JP`"), ("ß", "`JP`."), ("\u0131t", "`JP`."), ("xx", "`XX`")):
        message = problem(post(client, VERIFY, a_request({"origin": origin})))["errors"][0]["message"]
        assert corrected in message
        assert ("upper case: send" in message) == origin.isascii()


# --- Trips ---


def test_stops_become_legs(client: Client) -> None:
    pass_ = answer(client, TRIPS, a_trip({"transit": ["KR", "KR", "TH"]}))
    legs = [(segment["index"], segment["origin"], segment["destination"]) for segment in pass_["segments"]]
    assert legs == [(1, "JP", "KR"), (2, "KR", "KR"), (3, "KR", "TH"), (4, "TH", "SG")]


def test_a_trip_has_one_to_eight_stops_or_none_is_named(client: Client) -> None:
    assert len(answer(client, TRIPS, a_trip({"transit": ["KR"] * 8}))["segments"]) == 9
    direct = a_trip()
    del direct["trip"]["transit"]
    assert len(answer(client, TRIPS, direct)["segments"]) == 1
    assert errors(post(client, TRIPS, a_trip({"transit": ["KR"] * 9}))) == {"trip.transit": "out_of_range"}
    assert errors(post(client, TRIPS, a_trip({"transit": "KR"}))) == {"trip.transit": "wrong_type"}
    assert errors(post(client, TRIPS, a_trip({"transit": ["KR", "kr", "ZZ", 7]}))) == {
        "trip.transit[1]": "invalid_format",
        "trip.transit[2]": "unknown_country",
        "trip.transit[3]": "wrong_type",
    }


def test_the_verify_endpoint_takes_no_stops_and_no_legs(client: Client) -> None:
    assert errors(post(client, VERIFY, a_request({"transit": "KR"}))) == {"trip.transit": "wrong_type"}
    assert errors(post(client, VERIFY, a_request({"legs": ["JP"]}))) == {"trip.legs": "unknown_field"}


def itinerary(*legs: Any, **more: Any) -> dict[str, Any]:
    """A trip that names its flights: `("JP", "KR", "KE")` each."""
    named = [
        dict(zip(("origin", "destination", "airline"), leg, strict=False)) if isinstance(leg, tuple) else leg
        for leg in legs
    ]
    return {"device": {"model_id": "anker-a1289"}, "trip": {"legs": named, **more}}


def test_legs_serve_several_airlines(client: Client) -> None:
    pass_ = answer(client, TRIPS, itinerary(("JP", "KR", "KE"), ("KR", "KR", "7C"), ("KR", "SG", "SQ")))
    assert [segment["airline"] for segment in pass_["segments"]] == ["KE", "7C", "SQ"]


def test_legs_are_read_strictly_and_must_chain(client: Client) -> None:
    good = ("JP", "KR", "KE")
    for body, wrong in (
        (itinerary(), {"trip.legs": "out_of_range"}),
        (itinerary(*[("JP", "JP", "NH")] * 10), {"trip.legs": "out_of_range"}),
        (itinerary(good, ("SG", "TH", "SQ")), {"trip.legs[1].origin": "broken_chain"}),
        (itinerary(good, ("KR", "sg", "SQ")), {"trip.legs[1].destination": "invalid_format"}),
        (itinerary(good, ("KR", "SG")), {"trip.legs[1].airline": "required"}),
        (itinerary(good, "KR-SG"), {"trip.legs[1]": "wrong_type"}),
        (
            itinerary(good, {**dict(origin="KR", destination="SG", airline="SQ"), "via": "TH"}),
            {"trip.legs[1].via": "unknown_field"},
        ),
        (itinerary(good, origin="JP"), {"trip.origin": "conflict"}),
        (itinerary(good, transit=["KR"]), {"trip.transit": "conflict"}),
        (
            itinerary(good, airline="KE", destination="KR"),
            {"trip.airline": "conflict", "trip.destination": "conflict"},
        ),
        ({"device": {"model_id": "anker-a1289"}, "trip": {"legs": {}}}, {"trip.legs": "wrong_type"}),
    ):
        assert errors(post(client, TRIPS, body)) == wrong
    assert len(answer(client, TRIPS, itinerary(*[("JP", "JP", "NH")] * 9))["segments"]) == 9


# --- Anything at all ---

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = [
    "model_id", "quantity", "ccc_mark", "capacity_label", "condition", "recall_check", "serial",
    "serial_hash", "trip",
    "device", "options", "ruleset_version", "origin", "destination", "airline", "transit", "legs",
    "date", "language",
]  # fmt: skip
likely_values = json_values | st.sampled_from(
    ["JP", "CN", "SQ", "anker-a1263", "en", 1, HASH, "2026-11-21", []]
)
likely_objects = st.dictionaries(
    st.sampled_from(FIELDS),
    likely_values | st.dictionaries(st.sampled_from(FIELDS), likely_values, max_size=8),
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=likely_objects | json_values)
@example(body={"trip": {"transit": [[]]}, "model_id": {}})
def test_no_json_is_ever_a_failure_of_ours(client: Client, body: Any) -> None:
    for path in (VERIFY, TRIPS):
        response = post(client, path, body)
        assert response.status_code < 500
        if response.status_code != 200:
            problem(response)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200))
def test_no_bytes_are_ever_a_failure_of_ours(client: Client, body: bytes) -> None:
    for path in (VERIFY, TRIPS):
        response = client.post(path, body, content_type="application/json", CONTENT_TYPE="application/json")
        assert response.status_code == 400
        problem(response)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(change=st.dictionaries(st.sampled_from(FIELDS), likely_values, max_size=3))
def test_a_change_of_a_valid_request_is_answered_or_explained(client: Client, change: dict[str, Any]) -> None:
    for path, body in ((VERIFY, {**a_request(), **change}), (TRIPS, a_trip(change))):
        response = post(client, path, body)
        assert response.status_code in {200, 400, 404}
        if response.status_code != 200:
            problem(response)


# --- JSON itself ---


@given(json_values)
def test_what_json_can_say_is_read_as_it_was_written(value: Any) -> None:
    for written in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=2)):
        # Numbers with a point are read exactly, not as floats.
        assert parse(written.encode()) == json.loads(written, parse_float=Decimal)


@given(st.dictionaries(st.text(), st.text(), min_size=1), st.data())
def test_a_name_that_stands_twice_is_refused_wherever_it_stands(
    values: dict[str, str], data: st.DataObject
) -> None:
    twice = data.draw(st.sampled_from(sorted(values)))
    pairs = [f"{json.dumps(name)}: {json.dumps(text)}" for name, text in [*values.items(), (twice, ":")]]
    for body in (f"{{{', '.join(pairs)}}}", f'[{{"a": [{{{", ".join(pairs)}}}]}}]'):
        with pytest.raises(ApiError) as refused:
            parse(body.encode())
        assert refused.value.code == "MALFORMED_JSON"
        assert "twice" in refused.value.detail


POSTED = (
    "itineraries/verify", "itineraries/verify/batch", "receipts/check", "recalls/check", "trips/verify",
    "verify", "verify/batch", "watches",
)  # fmt: skip


@pytest.mark.parametrize("path", [f"/api/{path}" for path in POSTED] + ["/sandbox/api/verify"])
def test_a_fact_in_the_address_of_a_post_is_refused_and_not_dropped(client: Client, path: str) -> None:
    refused = client.post(f"{path}?quantity=20&condition=damaged", "{}", content_type="application/json")
    assert refused.status_code == 400
    errors = {(one["field"], one["code"]) for one in refused.json()["errors"]}
    assert errors == {("quantity", "unknown_parameter"), ("condition", "unknown_parameter")}
