"""Calls the tools as agents do: with the official client of the SDK, or one message at a time."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from django.test import Client
from mcp.client import Client as Agent

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

Result = TypeVar("Result")

MCP = "/mcp"
REVISIONS = ("2025-11-25", "2026-07-28")
"""Versions of the protocol: the last one with a handshake, and the one without."""

CALLS: dict[str, dict[str, Any]] = {
    "search_models": {"q": "Anker 20k"},
    "get_model": {"model_id": "anker-a1263"},
    "verify_power_bank": {"model_id": "anker-a1289", "origin": "AE", "destination": "GB", "airline": "EK"},
    "verify_trip": {
        "model_id": "anker-a1289",
        "origin": "JP",
        "transit": ["KR"],
        "destination": "SG",
        "airline": "SQ",
    },
    "verify_itinerary": {
        "passengers": 2,
        "items": [
            {"ref": "anker", "model_id": "anker-a1289", "condition": "intact"},
            {"ref": "old", "label": {"watt_hour": 74}},
        ],
        "segments": [
            {"origin": "DXB", "destination": "LHR", "operating_airline": "EK"},
            {"origin": "GB", "destination": "AE", "operating_airline": "EK"},
        ],
    },
    "check_recall": {"model_id": "anker-a1263", "serial": "35S24B8A013027"},
    "get_airline_policy": {"airline": "Emirates"},
    "search_rules": {"airline": "EK", "q": "overhead bin"},
    "get_sources": {"model_id": "anker-a1263"},
    "list_policy_changes": {"airline": "EK"},
}
"""A successful call of each tool."""


def message(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the message that calls a tool."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


def say(client: Client, method: str, params: dict[str, Any] | None = None, **headers: str) -> "Response":
    """Send one message over HTTP. Headers are named with underscores."""
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}
    sent = {"accept": "application/json, text/event-stream", "mcp_protocol_version": REVISIONS[0], **headers}
    return client.post(
        MCP,
        json.dumps(message),
        content_type="application/json",
        headers={name.replace("_", "-"): text for name, text in sent.items()},
    )


def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool, and return its result."""
    response = say(client, "tools/call", {"name": tool, "arguments": arguments})
    assert response.status_code == 200, response.content
    result: dict[str, Any] = response.json()["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result


def tool_result(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool, and return its structured result."""
    structured: dict[str, Any] = call(client, tool, **arguments)["structuredContent"]
    return structured


def converse(agent: Callable[[], Agent], conversation: Callable[[Agent], Awaitable[Result]]) -> Result:
    """Run an agent's conversation, and return its result."""

    async def run_agent() -> Result:
        async with agent() as talking:
            return await conversation(talking)

    return asyncio.run(run_agent())
