"""An agent's end of `/mcp`: it sends calls, and counts the characters that a model reads."""

import http.client
import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

Json = dict[str, Any]

Send = Callable[[str, Json], Json]
"""Sends a method with its parameters, and returns the result."""

REVISION = "2025-11-25"
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": REVISION,
}
HELLO = {
    "protocolVersion": REVISION,
    "capabilities": {},
    "clientInfo": {"name": "checks.agents", "version": "1"},
}

CHARACTERS_OF_A_TOKEN = 4
"""A usual figure for English and JSON. No tokenizer is the one of every model."""


class Reply(NamedTuple):
    """The result of a call, and how many characters of it a model reads."""

    result: Json
    characters: int


def over_http(url: str) -> Send:
    """Return how to send messages to a service."""
    address = urlsplit(url).netloc

    def send(method: str, params: Json) -> Json:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        connection = http.client.HTTPConnection(address, timeout=60)
        try:
            connection.request("POST", "/mcp", body, HEADERS)
            answer = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        if "result" not in answer:
            raise RuntimeError(f"{method} {params}: {answer}")
        result: Json = answer["result"]
        return result

    return send


def call(send: Send, tool: str, arguments: Json) -> Reply:
    """Call a tool. A host shows its model one form of the result: here, the text."""
    result = send("tools/call", {"name": tool, "arguments": arguments})
    return Reply(result["structuredContent"], sum(len(one["text"]) for one in result["content"]))


def read_first(send: Send) -> int:
    """Return how many characters an agent reads before its first call."""
    tools = send("tools/list", {})["tools"]
    listed = json.dumps(tools, separators=(",", ":"), ensure_ascii=False)
    return len(send("initialize", HELLO)["instructions"]) + len(listed)


def tokens(characters: float) -> int:
    """Return about how many tokens a text is."""
    return round(characters / CHARACTERS_OF_A_TOKEN)
