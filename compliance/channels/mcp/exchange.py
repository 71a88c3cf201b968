"""One message through the SDK's HTTP transport, without a web server of its own.

The SDK serves HTTP as an ASGI application. Here it gets one request as plain values and returns one answer.
Its session manager lives only that long, so a process has nothing to start, share or stop. Called by `views`.
"""

import asyncio
import functools
from collections.abc import Mapping, MutableMapping
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from compliance.api.protocol.bodies import MAX_BODY_BYTES, encode
from compliance.channels.mcp.calls import Call
from compliance.channels.mcp.numbers import unrounded
from compliance.channels.mcp.server import Context, server

Event = MutableMapping[str, Any]
"""A part of a request or of an answer, in ASGI's form."""

_CALL = "compliance.call"
_PASSED_ON = ("accept", "content-type", "host", "mcp-")
"""Prefixes of the headers that the protocol knows. No key and no cookie is passed on."""


async def exchange(call: Call, message: Mapping[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer to a message."""
    body = encode(unrounded(message))
    sent = [
        (name.lower().encode("latin-1"), value.encode("latin-1", "replace"))
        for name, value in call.request.headers.items()
        if name.lower().startswith(_PASSED_ON)
    ]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": call.request.path,
        "raw_path": call.request.path.encode(),
        "query_string": b"",
        "headers": sent,
        _CALL: call,
    }
    unread: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]
    given: list[Event] = []

    async def receive() -> Event:
        if not unread:
            # Never disconnect before the answer: the SDK would drop its work.
            await asyncio.Event().wait()
        return unread.pop()

    async def send(event: Event) -> None:
        given.append(event)

    manager = StreamableHTTPSessionManager(
        _server(), json_response=True, stateless=True, max_request_body_size=2 * MAX_BODY_BYTES
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)
    begun = next(event for event in given if event["type"] == "http.response.start")
    headers = {
        name.decode("latin-1").title(): value.decode("latin-1") for name, value in begun.get("headers", ())
    }
    headers.pop("Content-Length", None)
    return begun["status"], headers, b"".join(event.get("body", b"") for event in given)


@functools.cache
def _server() -> Server[Any]:
    return server(_call_of)


def _call_of(context: Context) -> Call:
    # The request of the SDK, which contains the scope above.
    request: Any = context.request
    call: Call = request.scope[_CALL]
    return call
