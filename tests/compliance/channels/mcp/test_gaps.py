"""What is missing is a result that says why and what to do next, never an exception of the protocol."""

from typing import Any

import pytest
from django.test import Client

from compliance.channels.mcp.gaps import TOOLS_OF_STEPS
from compliance.channels.mcp.server import TOOLS
from tests.support.agent_client import CALLS, call, say, tool_result

FLIGHT = {"origin": "AE", "destination": "GB", "airline": "EK"}
ITEM = {"model_id": "anker-a1289"}
SEGMENT = {"origin": "AE", "destination": "GB", "operating_airline": "EK"}


@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "step"),
    [
        ("search_models", {"q": "anker"}, "SEVERAL_MODELS", "ask_which_model"),
        ("search_models", {"brand": "Anker"}, "SEVERAL_MODELS", "ask_which_model"),
        ("search_models", {"brand": "Nobody"}, "MODEL_NOT_FOUND", "search_models"),
        ("search_models", {"q": "qqqqzz"}, "MODEL_NOT_FOUND", "search_models"),
        ("get_model", {"model_id": "nobody-knows"}, "MODEL_NOT_FOUND", "search_models"),
        ("check_recall", {"model_id": "nobody-knows"}, "MODEL_NOT_FOUND", "search_models"),
        ("check_recall", {"model_id": "anker-a1263"}, "external_list_required", "check_recall_list"),
        ("get_model", {"model_id": "anker-a1263"}, "external_list_required", "check_recall_list"),
        (
            "get_model",
            {"model_id": "anker-a1263", "serial": "35S24B8A013027"},
            "external_list_required",
            "check_recall_list",
        ),
        ("get_airline_policy", {"airline": "ZZ"}, "AIRLINE_NOT_COVERED", "ask_airline"),
        ("get_airline_policy", {"airline": "Nowhere Air"}, "AIRLINE_NAME_UNKNOWN", "find_airline"),
        ("get_airline_policy", {"airline": "emirats"}, "AIRLINE_NAME_UNKNOWN", "find_airline"),
        ("get_airline_policy", {"airline": "china"}, "SEVERAL_AIRLINES", "ask_which_airline"),
        ("get_sources", {"rule_id": "nobody.knows"}, "NOT_FOUND", "check_address"),
        ("search_rules", {"q": "qqqqzz"}, "NO_RULE_FOUND", "verify_power_bank"),
        ("verify_power_bank", {"model_id": "nobody-knows", **FLIGHT}, "MODEL_NOT_FOUND", "search_models"),
        (
            "verify_power_bank",
            {"model_id": "anker-a1289", **FLIGHT, "airline": "ZZ"},
            "AIRLINE_NOT_COVERED",
            "ask_airline",
        ),
        (
            "verify_power_bank",
            {"model_id": "anker-a1289", **FLIGHT, "airline": "EK001"},
            "operating_airline_unconfirmed",
            "ask_which_airline",
        ),
        (
            "verify_itinerary",
            {"items": [ITEM], "segments": [SEGMENT, {**SEGMENT, "operating_airline": "Nowhere Air"}]},
            "AIRLINE_NAME_UNKNOWN",
            "find_airline",
        ),
        (
            "verify_power_bank",
            {"model_id": "anker-a1263", "origin": "US", "destination": "GB", "airline": "BA"},
            "external_list_required",
            "check_recall_list",
        ),
        # Its recall has a pattern beside the maker's list: the serial number may tell.
        (
            "verify_power_bank",
            {"model_id": "belkin-bpd005", "origin": "US", "destination": "GB", "airline": "BA"},
            "recall_serial_unknown",
            "check_recall_list",
        ),
        (
            "verify_trip",
            {
                "model_id": "anker-a1289",
                "origin": "JP",
                "transit": ["CN"],
                "destination": "CN",
                "airline": "CA",
            },
            "ccc_mark_required",
            "check_ccc_mark",
        ),
        (
            "verify_trip",
            {"model_id": "anker-a1289", **FLIGHT, "airline": "ZZ"},
            "AIRLINE_NOT_COVERED",
            "ask_airline",
        ),
        (
            "verify_itinerary",
            {"items": [ITEM, {"model_id": "nobody-knows"}], "segments": [SEGMENT]},
            "MODEL_NOT_FOUND",
            "search_models",
        ),
        (
            "verify_itinerary",
            {"items": [ITEM], "segments": [SEGMENT, {**SEGMENT, "operating_airline": "ZZ"}]},
            "AIRLINE_NOT_COVERED",
            "ask_airline",
        ),
        (
            "verify_itinerary",
            {"items": [{"label": {"watt_hour": 74}}], "segments": [SEGMENT]},
            "exact_model_unknown",
            "find_exact_model",
        ),
        (
            "verify_itinerary",
            {"items": [{"label": {"capacity_mah": 20000}}], "segments": [SEGMENT]},
            "watt_hour_unknown",
            "read_label",
        ),
        (
            "verify_itinerary",
            {
                "items": [ITEM],
                "segments": [{"origin": "DE", "destination": "SG", "marketing_airline": "SQ"}],
            },
            "operating_airline_unconfirmed",
            "find_operating_airline",
        ),
        (
            "verify_itinerary",
            {"items": [{"model_id": "anker-a1263"}], "segments": [SEGMENT]},
            "external_list_required",
            "check_recall_list",
        ),
    ],
)
def test_what_is_not_known_or_not_settled_is_a_gap_with_a_next_step(
    client: Client, tool: str, arguments: dict[str, Any], reason: str, step: str
) -> None:
    result = call(client, tool, **arguments)
    gap = result["structuredContent"]["gap"]
    assert not result["isError"]
    assert (gap["reason_code"], gap["suggested_next_step"]["code"]) == (reason, step)
    assert gap["message"]
    assert result["structuredContent"].get("clear_to_pack") is not True


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "code"),
    [
        ("verify_power_bank", {**FLIGHT, "quantiti": 2}, "quantiti", "unknown_field"),
        ("verify_power_bank", {**FLIGHT, "quantity": "2"}, "quantity", "wrong_type"),
        ("verify_power_bank", {**FLIGHT, "origin": "ae"}, "origin", "invalid_format"),
        ("verify_power_bank", {**FLIGHT, "language": "xx"}, "language", "invalid_choice"),
        ("verify_power_bank", {**FLIGHT, "trip": {}}, "trip", "unknown_field"),
        ("verify_trip", {"legs": [{"origin": "AE"}]}, "legs[0].destination", "required"),
        ("verify_itinerary", {"options": {"language": "de"}}, "options", "unknown_field"),
        ("verify_itinerary", {"language": "xx"}, "language", "invalid_choice"),
        ("verify_itinerary", {"passengers": 0}, "passengers", "out_of_range"),
        ("verify_itinerary", {"items": [{**ITEM, "quantty": 2}]}, "items[0].quantty", "unknown_field"),
        ("verify_itinerary", {"items": [None]}, "items[0]", "wrong_type"),
        ("verify_itinerary", {"items": None}, "items", "required"),
        (
            "verify_itinerary",
            {"segments": [{"origin": "AE", "destination": "GB"}]},
            "segments[0].operating_airline",
            "required",
        ),
        (
            "verify_itinerary",
            {"segments": [{**SEGMENT, "flight_number": "EK1"}]},
            "segments[0].flight_number",
            "unknown_field",
        ),
        ("search_rules", {"in_force_on": "soon"}, "in_force_on", "invalid_format"),
        ("search_models", {"limit": "5"}, "limit", "wrong_type"),
        ("search_models", {"limit": True}, "limit", "wrong_type"),
        ("search_models", {"limit": 5000}, "limit", "out_of_range"),
        ("search_models", {"recent": "true"}, "recent", "wrong_type"),
        ("get_sources", {"model": "anker-a1289"}, "model", "unknown_parameter"),
        ("get_model", {}, "model_id", "required"),
    ],
)
def test_what_is_wrong_with_a_call_is_named_as_it_was_sent(
    client: Client, tool: str, arguments: dict[str, Any], field: str, code: str
) -> None:
    if tool == "verify_itinerary":
        arguments = {"items": [ITEM], "segments": [SEGMENT], **arguments}
    elif tool.startswith("verify"):
        arguments = {"model_id": "anker-a1289", **arguments}
    result = call(client, tool, **arguments)
    gap = result["structuredContent"]["gap"]
    assert result["isError"]
    assert result["structuredContent"]["answer"] is None
    assert (gap["reason_code"], gap["suggested_next_step"]["code"]) == ("VALIDATION_ERROR", "correct_request")
    assert {(one["field"], one["code"]) for one in gap["errors"]} >= {(field, code)}


def test_a_flight_with_stops_is_sent_to_the_tool_for_trips(client: Client) -> None:
    gap = tool_result(client, "verify_power_bank", **CALLS["verify_power_bank"], transit=["DE"])["gap"]
    assert gap["reason_code"] == "USE_TRIP_ENDPOINT"
    assert gap["suggested_next_step"]["tool"] == "verify_trip"


def test_an_argument_that_is_null_counts_as_left_out(client: Client) -> None:
    asked = CALLS["verify_power_bank"]
    filled = {"serial": None, "quantity": None, "date": None, "language": None}
    assert tool_result(client, "verify_power_bank", **asked, **filled) == tool_result(
        client, "verify_power_bank", **asked
    )


def test_a_field_that_is_null_inside_an_argument_counts_as_left_out(client: Client) -> None:
    filled = {
        "items": [{**ITEM, "label": None, "serial": None, "carried_by": None}],
        "segments": [{**SEGMENT, "marketing_airline": None, "date": None}],
    }
    assert tool_result(client, "verify_itinerary", **filled) == tool_result(
        client, "verify_itinerary", items=[ITEM], segments=[SEGMENT]
    )


def test_an_itinerary_that_is_too_large_is_refused_whole(client: Client) -> None:
    items = [{**ITEM, "quantity": 20}] * 3
    result = call(client, "verify_itinerary", items=items, segments=[SEGMENT] * 7)
    assert result["isError"]
    assert result["structuredContent"]["clear_to_pack"] is False
    assert result["structuredContent"]["gap"]["reason_code"] == "QUESTION_TOO_LARGE"


def test_a_failure_of_ours_is_a_gap_that_tells_nothing_of_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the secret of this house")

    monkeypatch.setattr("rules.verdicts.answer_from", fail)
    result = call(client, "verify_power_bank", **CALLS["verify_power_bank"])
    assert result["isError"]
    assert result["structuredContent"]["clear_to_pack"] is False
    assert result["structuredContent"]["gap"]["reason_code"] == "INTERNAL_ERROR"
    assert result["structuredContent"]["gap"]["request_id"]
    assert "secret" not in str(result)


def test_a_step_names_only_tools_that_there_are(client: Client) -> None:
    assert set(TOOLS_OF_STEPS.values()) <= set(TOOLS)
    assert say(client, "tools/call", {"name": "clear_everything"}).json()["error"]["code"] == -32602
