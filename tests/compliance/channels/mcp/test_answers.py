"""A tool says what the API says, byte for byte, and never more than that is clear."""

import json
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from joserfc.jwk import KeySet

from compliance.channels.mcp.server import RECEIPT
from rules import corpus
from rules.corpus import CorpusUnavailable, Published
from tests.support.agent_client import CALLS, call, say, tool_result
from tests.support.api_requests import ITINERARIES, TRIPS, VERIFY, post
from tests.support.receipt_judge import is_proven

READS: dict[str, tuple[str, dict[str, Any], str]] = {
    "search_models": ("/api/devices", {"q": "Anker 20k", "limit": 3}, ""),
    "get_model": ("/api/devices/anker-a1263", {"serial": "35S24B8A013027"}, "model_id"),
    "get_airline_policy": ("/api/airlines/EK", {"language": "ja"}, "airline"),
    "search_rules": ("/api/rules", {"airline": "EK", "language": "de", "limit": 50}, ""),
    "get_sources": ("/api/sources", {"model_id": "anker-a1263", "limit": 50}, ""),
    "list_policy_changes": ("/api/policy-changes", {"airline": "EK", "limit": 10}, ""),
}


@pytest.mark.parametrize("tool", READS)
def test_a_tool_that_reads_says_what_the_api_says(client: Client, tool: str) -> None:
    address, query, inside = READS[tool]
    named = {inside: address.rpartition("/")[2]} if inside else {}
    assert tool_result(client, tool, **named, **query)["answer"] == client.get(address, query).json()


def test_an_agent_says_how_much_evidence_it_wants(client: Client) -> None:
    asked = {"model_id": "anker-a1263", "origin": "US", "destination": "GB", "airline": "BA"}
    whole = tool_result(client, "verify_power_bank", **asked, citations="full")["answer"]
    none = tool_result(client, "verify_power_bank", **asked, citations="none")["answer"]
    assert none == {**whole, "citations": []}
    refused = tool_result(client, "verify_trip", **asked, citations="none")
    assert refused["gap"]["reason_code"] == "VALIDATION_ERROR"


def test_an_agent_that_does_not_ask_for_all_evidence_gets_what_decides(client: Client) -> None:
    flight = {"origin": "US", "destination": "GB", "airline": "BA"}
    body = {"model_id": "anker-a1263", "trip": flight, "options": {"citations": "deciding"}}
    decisive = post(client, VERIFY, body).json()
    assert decisive["citations"]
    answer = tool_result(client, "verify_power_bank", model_id="anker-a1263", **flight)["answer"]
    assert answer == decisive
    asked = CALLS["verify_itinerary"]
    itinerary = post(client, ITINERARIES, {**asked, "options": {"citations": "deciding"}}).json()
    assert tool_result(client, "verify_itinerary", **asked)["answer"] == itinerary


def test_a_verdict_is_that_of_the_api_with_the_same_id(client: Client) -> None:
    asked = {"model_id": "anker-a1263", "quantity": 2, "ccc_mark": "present"}
    flight = {"origin": "US", "destination": "GB", "airline": "BA"}
    body = {**asked, "trip": flight, "options": {"language": "fr"}}
    how = {"language": "fr", "citations": "full"}
    answer = tool_result(client, "verify_power_bank", **asked, **flight, **how)["answer"]
    assert answer == post(client, VERIFY, body).json()


def test_a_trip_is_that_of_the_api_with_the_same_ids(client: Client) -> None:
    journey = {"origin": "JP", "transit": ["CN"], "destination": "CN", "airline": "CA"}
    legs = [{"origin": "JP", "destination": "CN", "airline": "NH"}]
    for trip in (journey, {"legs": legs, "compartment_intent": "on_person"}):
        answer = tool_result(client, "verify_trip", model_id="anker-a1289", **trip)["answer"]
        assert answer == post(client, TRIPS, {"device": {"model_id": "anker-a1289"}, "trip": trip}).json()


def test_an_itinerary_is_that_of_the_api_with_the_same_ids(client: Client) -> None:
    asked = CALLS["verify_itinerary"]
    answer = tool_result(client, "verify_itinerary", **asked, language="fr", citations="full")["answer"]
    assert answer == post(client, ITINERARIES, {**asked, "options": {"language": "fr"}}).json()
    assert answer["itinerary_verdict_id"].startswith("itn_")


def test_an_airline_named_by_a_person_is_judged_as_its_code(client: Client) -> None:
    unit = {"model_id": "anker-a1289"}
    flight = {"origin": "CN", "destination": "GB"}
    trip = [{**flight, "airline": "Air China"}, {"origin": "GB", "destination": "AE", "airline": "uae"}]
    legs = [{**flight, "airline": "CA"}, {"origin": "GB", "destination": "AE", "airline": "EK"}]
    assert tool_result(client, "verify_trip", **unit, legs=trip) == tool_result(
        client, "verify_trip", **unit, legs=legs
    )
    named = {**flight, "operating_airline": "国航", "marketing_airline": "LH 720"}
    coded = {**flight, "operating_airline": "CA", "marketing_airline": "LH"}
    assert tool_result(client, "verify_itinerary", items=[unit], segments=[named]) == tool_result(
        client, "verify_itinerary", items=[unit], segments=[coded]
    )


def test_an_itinerary_is_clear_only_as_a_whole(client: Client) -> None:
    """What may travel is said, and cleared only once it is asked about."""
    flight = {"origin": "AE", "destination": "GB", "operating_airline": "EK"}
    facts = {"condition": "intact", "capacity_label": "legible", "ccc_mark": "present"}
    items = [{"ref": name, "model_id": "anker-a1289", **facts} for name in ("one", "two")]
    banned = tool_result(client, "verify_itinerary", items=items, segments=[flight])
    assert (banned["clear_to_pack"], banned["answer"]["verdict"], banned["gap"]) == (False, "banned", None)
    assert banned["answer"]["packing"]["may_travel"]["verdict"] == "allowed"
    for cleared in ({"items": items[:1]}, {"items": items, "passengers": 2}):
        assert tool_result(client, "verify_itinerary", **cleared, segments=[flight])["clear_to_pack"] is True


def test_the_recalls_of_a_unit_are_those_of_the_api_and_what_they_say_together(client: Client) -> None:
    serial = "35S24B8A013027"
    answer = tool_result(client, "check_recall", model_id="anker-a1263", serial=serial)["answer"]
    listed = client.get("/api/devices/anker-a1263/recalls", {"serial": serial}).json()
    assert {name: answer[name] for name in listed} == listed
    facts = client.get("/api/devices/anker-a1263", {"serial": serial}).json()
    assert answer["serial_evaluation"] == facts["serial_evaluation"]
    verdict = tool_result(
        client, "verify_power_bank", **CALLS["verify_power_bank"] | {"model_id": "anker-a1263"}
    )
    assert verdict["answer"]["device_resolved"]["recall_status"] == answer["recall_status"]


def test_an_agent_that_asks_for_the_receipt_of_a_verdict_gets_it(client: Client) -> None:
    keys = KeySet.import_key_set(client.get("/.well-known/jwks.json").json())
    for tool in ("verify_power_bank", "verify_trip", "verify_itinerary"):
        asked: dict[str, Any] = {"name": tool, "arguments": CALLS[tool]}
        by_call = say(client, "tools/call", asked | {"_meta": {RECEIPT: True}})
        by_header = say(client, "tools/call", asked, prefer="receipt")
        for response in (by_call, by_header):
            result = response.json()["result"]
            answer = json.dumps(result["structuredContent"]["answer"]).encode()
            assert is_proven(answer, result["_meta"][RECEIPT], keys)
        for meta in ({}, {RECEIPT: False}, {RECEIPT: "true"}):
            result = say(client, "tools/call", asked | {"_meta": meta}).json()["result"]
            assert RECEIPT not in result.get("_meta", {})


def test_every_result_keeps_the_schema_that_its_tool_promises(client: Client) -> None:
    wrong: dict[str, dict[str, Any]] = {name: {"nonsense": 1} for name in CALLS}
    unknown = {name: arguments | {"model_id": "nobody-knows"} for name, arguments in CALLS.items()}
    for tool in say(client, "tools/list").json()["result"]["tools"]:
        name = tool["name"]
        promised = jsonschema_rs.validator_for(tool["outputSchema"])
        taken = jsonschema_rs.validator_for(tool["inputSchema"])
        assert taken.is_valid(CALLS[name])
        for calls in (CALLS, wrong, unknown):
            promised.validate(tool_result(client, name, **calls[name]))


MODELS = st.sampled_from(["anker-a1289", "anker-a1263", "anker-a1268", "anker-a1340", "nobody-knows"])
COUNTRIES = st.sampled_from(["AE", "CN", "GB", "JP", "KR", "SG", "US", "XX"])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    arguments=st.fixed_dictionaries(
        {
            "model_id": MODELS,
            "origin": COUNTRIES,
            "destination": COUNTRIES,
            "airline": st.sampled_from(["EK", "CA", "SQ", "BA", "7C", "ZZ"]),
        },
        optional={
            "quantity": st.sampled_from([1, 2, 20, None]),
            "compartment_intent": st.sampled_from(["carry_on", "checked", "on_person"]),
            "condition": st.sampled_from(["intact", "damaged"]),
            "recall_check": st.sampled_from(["not_checked", "not_affected", "affected"]),
            "capacity_label": st.sampled_from(["legible", "missing"]),
            "ccc_mark": st.sampled_from(["present", "absent", "unknown"]),
        },
    )
)
def test_only_allowed_is_clear_and_whatever_is_not_decided_says_why(
    client: Client, arguments: dict[str, Any]
) -> None:
    _is_clear_only_if_allowed(tool_result(client, "verify_power_bank", **arguments))


ITEMS = st.one_of(
    st.fixed_dictionaries(
        {"model_id": MODELS},
        optional={
            "quantity": st.sampled_from([1, 2, None]),
            "compartment_intent": st.sampled_from(["carry_on", "checked"]),
            "condition": st.sampled_from(["intact", "damaged"]),
            "recall_check": st.sampled_from(["not_affected", "affected"]),
            "ccc_mark": st.sampled_from(["present", "absent"]),
        },
    ),
    st.fixed_dictionaries(
        {"label": st.sampled_from([{"watt_hour": 74}, {"watt_hour": 130}, {"capacity_mah": 20000}])}
    ),
)
AIRLINES = st.sampled_from(["EK", "CA", "SQ", "BA", "ZZ"])
SEGMENTS = st.one_of(
    st.fixed_dictionaries(
        {"origin": COUNTRIES, "destination": COUNTRIES, "operating_airline": AIRLINES},
        optional={"marketing_airline": AIRLINES},
    ),
    st.fixed_dictionaries({"origin": COUNTRIES, "destination": COUNTRIES, "marketing_airline": AIRLINES}),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    passengers=st.integers(1, 3),
    items=st.lists(ITEMS, min_size=1, max_size=3),
    segments=st.lists(SEGMENTS, min_size=1, max_size=3),
)
def test_only_an_allowed_itinerary_is_clear_and_whatever_is_not_decided_says_why(
    client: Client, passengers: int, items: list[Any], segments: list[Any]
) -> None:
    asked = {"passengers": passengers, "items": items, "segments": segments}
    _is_clear_only_if_allowed(tool_result(client, "verify_itinerary", **asked))


def _is_clear_only_if_allowed(result: dict[str, Any]) -> None:
    verdict = (result["answer"] or {}).get("verdict")
    assert result["clear_to_pack"] is (verdict == "allowed")
    assert (result["gap"] is None) == (verdict in {"allowed", "banned"})
    if result["gap"] is not None:
        assert result["gap"]["reason_code"]
        assert result["gap"]["suggested_next_step"]["message"]


def test_without_a_release_a_call_says_so_and_when_to_come_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable() -> Published:
        raise CorpusUnavailable

    monkeypatch.setattr(corpus, "current", unavailable)
    for tool, arguments in CALLS.items():
        result = call(client, tool, **arguments)
        gap = result["structuredContent"]["gap"]
        assert result["isError"], tool
        assert (gap["reason_code"], gap["retry_after_seconds"]) == ("SERVICE_UNAVAILABLE", 30)
    assert say(client, "resources/list").json()["error"]["code"] == -32603
