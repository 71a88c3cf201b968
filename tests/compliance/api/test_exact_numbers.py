"""A number is read exactly as it was sent: none is rounded to one that has a milder verdict."""

import json
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from compliance.api.protocol.bodies import MAX_BODY_BYTES, decode, parse
from compliance.api.protocol.errors import ApiError
from compliance.channels.mcp.numbers import exact, unrounded
from tests.support.agent_client import MCP, REVISIONS, message
from tests.support.api_requests import (
    BATCH,
    ITINERARIES,
    ITINERARY_BATCH,
    TRIPS,
    VERIFY,
    a_request,
    a_trip,
    answer,
    errors,
)

pytestmark = pytest.mark.usefixtures("asked_now")

MODEL = {"model_id": "anker-a1289"}
FLIGHT = {"origin": "AE", "destination": "GB", "operating_airline": "EK"}
NEARLY = [
    "1.9999999999999999999",
    "1.0000000000000000001",
    "0.99999999999999999999",
    "1.99",
    "1e-99999999999999999999",
]
"""Numbers that are not whole; a float is 2, 1, 1 for the first three."""


def sent(body: Any, number: str) -> str:
    """Return a body as JSON, with a number spelled like this in place of `#`."""
    return json.dumps(body).replace('"#"', number)


def errors_of(client: Client, path: str, body: Any, number: str) -> dict[str, str]:
    return errors(client.post(path, sent(body, number), content_type="application/json"))


def told(client: Client, tool: str, arguments: dict[str, Any], number: str) -> dict[str, Any]:
    """Return what a tool answers."""
    response = client.post(
        MCP,
        sent(message(tool, arguments), number),
        content_type="application/json",
        headers={"accept": "application/json, text/event-stream", "mcp-protocol-version": REVISIONS[0]},
    )
    structured: dict[str, Any] = response.json()["result"]["structuredContent"]
    return structured


@pytest.mark.parametrize("number", NEARLY)
def test_a_count_that_is_not_whole_is_refused(client: Client, number: str) -> None:
    item = {**MODEL, "quantity": "#"}
    segments = [FLIGHT]
    for path, body, field in (
        (VERIFY, a_request(quantity="#"), "quantity"),
        (TRIPS, {**a_trip(), "device": item}, "device.quantity"),
        (ITINERARIES, {"items": [item], "segments": segments}, "items[0].quantity"),
        (ITINERARIES, {"items": [MODEL], "segments": segments, "passengers": "#"}, "passengers"),
        ("/api/watches", {**a_trip(), "device": item}, "device.quantity"),
        ("/sandbox/api/verify", a_request(quantity="#"), "quantity"),
    ):
        assert errors_of(client, path, body, number)[field] == "wrong_type"


@pytest.mark.parametrize("number", NEARLY)
def test_a_count_of_a_batch_that_is_not_whole_is_refused(client: Client, number: str) -> None:
    itinerary = {"items": [{**MODEL, "quantity": 2}], "segments": [FLIGHT], "passengers": "#"}
    for path, question, field in (
        (BATCH, a_request(quantity="#"), "quantity"),
        (ITINERARY_BATCH, itinerary, "passengers"),
    ):
        response = client.post(path, sent({"items": [question]}, number), content_type="application/json")
        [item] = response.json()["items"]
        assert item["answer"] is None
        assert [(one["field"], one["code"]) for one in item["problem"]["errors"]] == [(field, "wrong_type")]


@pytest.mark.parametrize("number", NEARLY)
def test_a_count_of_an_agent_that_is_not_whole_is_refused(client: Client, number: str) -> None:
    leg = {"origin": "AE", "destination": "GB", "airline": "EK"}
    for tool, arguments in (
        ("verify_power_bank", {**MODEL, **leg, "quantity": "#"}),
        ("verify_trip", {**MODEL, **leg, "quantity": "#"}),
        ("verify_itinerary", {"items": [MODEL], "segments": [FLIGHT], "passengers": "#"}),
        ("search_models", {"q": "Anker", "limit": "#"}),
    ):
        said = told(client, tool, arguments, number)
        assert said["answer"] is None
        assert [one["code"] for one in said["gap"]["errors"]] == ["wrong_type"]


@pytest.mark.parametrize("number", ["2", "2.0", "2e0", "0.2E1"])
def test_a_whole_number_may_be_spelled_with_a_point(client: Client, number: str) -> None:
    body = sent(a_request(quantity="#"), number)
    response = client.post(VERIFY, body, content_type="application/json")
    assert response.json() == answer(client, VERIFY, a_request(quantity=2))
    leg = {"origin": "AE", "destination": "GB", "airline": "EK"}
    arguments = {**MODEL, **leg, "quantity": "#"}
    assert told(client, "verify_power_bank", arguments, number) == told(
        client, "verify_power_bank", arguments, "2"
    )


@pytest.mark.parametrize("number", ["160.00000000000000001", "160.01"])
def test_energy_over_a_bound_is_over_it_however_little(client: Client, number: str) -> None:
    body = {
        "items": [{"label": {"watt_hour": "#"}}],
        "segments": [{"origin": "DE", "destination": "GB", "operating_airline": "EK"}],
    }
    response = client.post(ITINERARIES, sent(body, number), content_type="application/json")
    assert response.json()["items"][0]["label"] == {"watt_hour": 160.01}
    assert response.json()["verdict"] == "banned"
    within = client.post(ITINERARIES, sent(body, "160.0"), content_type="application/json").json()
    assert within["items"][0]["label"] == {"watt_hour": 160}
    said = told(client, "verify_itinerary", body, "160.00000000000000001")
    assert [one["code"] for one in said["gap"]["errors"]] == ["wrong_type"]
    assert told(client, "verify_itinerary", body, "160.01")["answer"]["verdict"] == "banned"


@pytest.mark.parametrize("number", ["1e999999999", "1e99999999999999999999", "-1e999999999"])
def test_a_number_beyond_all_bounds_is_refused_at_once(client: Client, number: str) -> None:
    assert set(errors_of(client, VERIFY, a_request(quantity="#"), number)) == {"quantity"}
    label = {"items": [{"label": {"watt_hour": "#"}}], "segments": [FLIGHT]}
    assert set(errors_of(client, ITINERARIES, label, number)) == {"items[0].label.watt_hour"}
    assert told(client, "search_models", {"limit": "#"}, number)["answer"] is None


def test_a_corrected_request_has_the_numbers_that_were_sent(client: Client) -> None:
    label = {"watt_hour": "#", "voltage": 3.7}
    question = {"items": [{"label": label}], "segments": [{**FLIGHT, "origin": "ae"}]}
    refused = client.post(
        ITINERARIES, sent(question, "160.00000000000000001"), content_type="application/json"
    )
    corrected = parse(refused.content)["corrected_request"]
    assert corrected["items"] == [
        {"label": {"watt_hour": Decimal("160.00000000000000001"), "voltage": Decimal("3.7")}}
    ]
    batch = client.post(
        ITINERARY_BATCH,
        sent({"items": [question]}, "160.00000000000000001"),
        content_type="application/json",
    )
    assert parse(batch.content)["items"][0]["problem"]["corrected_request"]["items"] == corrected["items"]


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False).filter(lambda one: abs(one.adjusted()) < 300)


@given(NUMBERS)
def test_what_passes_through_the_sdk_of_agents_is_what_was_sent(number: Decimal) -> None:
    text = f"[{number}]"
    [passed] = unrounded(decode(text.encode()))
    if isinstance(passed, str):
        assert Decimal(passed) == number
    else:
        [read] = exact(json.loads(text))
        assert read == number


@given(st.binary(max_size=200) | st.from_regex(rb"\[-?[0-9]{1,30}\.[0-9]{1,30}([eE]-?[0-9]{1,25})?\]"))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    assert len(body) < MAX_BODY_BYTES
    with suppress(ApiError):
        parse(body)
