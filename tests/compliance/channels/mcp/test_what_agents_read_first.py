"""What an agent reads before its first call: short, and with every rule that it needs."""

import json
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client

from compliance.channels.mcp.server import TOOLS
from tests.support.agent_client import CALLS, say, tool_result

MOST_CHARACTERS = 30_000
"""All tools together, as they are sent."""

MOST_OF_A_DESCRIPTION = 1_024
MOST_OF_THE_INSTRUCTIONS = 2_000
"""Some hosts cut longer ones."""


@pytest.fixture
def listed(client: Client) -> dict[str, Any]:
    tools: dict[str, Any] = {one["name"]: one for one in _tools(client)}
    return tools


def _tools(client: Client) -> Any:
    return say(client, "tools/list").json()["result"]["tools"]


def instructions(client: Client) -> str:
    asked = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    said: str = say(client, "initialize", asked).json()["result"]["instructions"]
    return said


def test_the_list_of_tools_is_short(client: Client, listed: dict[str, Any]) -> None:
    assert len(say(client, "tools/list").content.decode()) <= MOST_CHARACTERS
    assert len(instructions(client)) <= MOST_OF_THE_INSTRUCTIONS
    for tool in listed.values():
        assert len(tool["description"]) <= MOST_OF_A_DESCRIPTION, tool["name"]


def test_the_instructions_have_the_rules_of_all_tools(client: Client) -> None:
    said = instructions(client)
    for rule in (
        "only `clear_to_pack` true means allowed",
        "`conditional`, `banned`, `insufficient`, every gap, error, time-out, expired answer and unknown",
        "Never infer a verdict",
        "never choose for them",
        "unknown never counts in a unit's favor",
        "The step alone clears nothing",
        "Never answer `recall_check` for the person",
        "never infer the operating airline",
        "without any serial",
        "A call costs one request",
        "`retry_after_seconds`",
        "no legal advice",
    ):
        assert rule in said


def test_a_tool_repeats_what_must_not_be_missed(listed: dict[str, Any]) -> None:
    """Not every host shows the instructions of a server."""
    for name, tool in listed.items():
        said = tool["description"]
        assert tool["annotations"]["readOnlyHint"]
        assert ("Fail closed: only `clear_to_pack` true means allowed" in said) == TOOLS[name].verdict
    for name, rule in {
        "search_models": "No match means that nothing is known about the model, never that it may travel",
        "get_model": "Empty `certifications` means not known, never not certified",
        "check_recall": "no permission to travel",
        "get_airline_policy": "It is no verdict",
        "search_rules": "an empty list is no permission",
        "verify_itinerary": "no part of it is cleared",
    }.items():
        assert rule in listed[name]["description"]


def test_every_argument_is_explained_and_none_by_a_wall_of_a_pattern(listed: dict[str, Any]) -> None:
    for tool in listed.values():
        for path, argument in _arguments(tool["inputSchema"]):
            assert argument.get("description"), (tool["name"], path)
            assert len(argument.get("pattern", "")) < 40, (tool["name"], path)


def _arguments(schema: dict[str, Any], path: str = "") -> list[tuple[str, dict[str, Any]]]:
    inside = schema.get("items", schema)
    found = [(f"{path}.{name}", value) for name, value in inside.get("properties", {}).items()]
    return found + [deeper for name, value in found for deeper in _arguments(value, name)]


def test_a_list_of_tools_needs_nothing_from_elsewhere_to_be_read(listed: dict[str, Any]) -> None:
    for tool in listed.values():
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            jsonschema_rs.meta.validate(schema)
            said = json.dumps(schema)
            assert "$ref" not in said
            # Not every client knows lists of types.
            assert '"type": [' not in said


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("verify_power_bank", {"model_id": "Anker A1289!"}, "model_id"),
        ("verify_power_bank", {"serial": "\u200b"}, "serial"),
        ("verify_power_bank", {"serial": "A1", "serial_hash": "0" * 64}, "serial_hash"),
        ("verify_itinerary", {"items": [{"quantity": 2}]}, "items[0].model_id"),
        (
            "verify_itinerary",
            {"items": [{"model_id": "anker-a1289", "label": {"watt_hour": 74}}]},
            "items[0]",
        ),
        ("search_models", {"q": "\u0000"}, "q"),
    ],
)
def test_what_the_short_schema_does_not_say_is_still_checked(
    client: Client, tool: str, arguments: dict[str, Any], field: str
) -> None:
    result = tool_result(client, tool, **CALLS[tool] | arguments)
    assert result["gap"]["reason_code"] == "VALIDATION_ERROR"
    assert any(error["field"].startswith(field) for error in result["gap"]["errors"]), result["gap"]
    assert all(error["message"] for error in result["gap"]["errors"])
