"""The same server for one agent on this machine, over stdin and stdout. Called by `manage.py mcp`.

Its requests count for this machine, or for the partner whose key is in MCP_KEY.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any, cast

import msgspec
from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest
from mcp.server.stdio import stdio_server

from compliance.api.protocol.bodies import decode, encode
from compliance.channels.mcp.admission import admit
from compliance.channels.mcp.calls import Call
from compliance.channels.mcp.numbers import unrounded
from compliance.channels.mcp.server import Context, server


async def serve() -> None:
    """Answer until stdin is closed."""
    made = server(_call)
    async with stdio_server(cast(Any, _messages())) as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


async def _messages() -> AsyncIterator[str]:
    """Yield the lines of stdin, with no number in them that the SDK would round."""
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        try:
            yield encode(unrounded(decode(line))).decode()
        except (RecursionError, UnicodeDecodeError, msgspec.DecodeError):
            # The SDK answers what is no message.
            yield line.decode(errors="replace")


def _call(context: Context) -> Call:
    """Return a call by the agent of this process, counted."""
    # A web process does this between two requests.
    close_old_connections()
    request = HttpRequest()
    request.method, request.path = "POST", "/mcp"
    request.META["REMOTE_ADDR"] = "127.0.0.1"
    if settings.MCP_KEY:
        request.META["HTTP_X_SERVICE_KEY"] = settings.MCP_KEY
    return admit(request)
