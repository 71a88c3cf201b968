"""The same server for one agent on this machine, over stdin and stdout. Called by `manage.py mcp`.

Its requests count for this machine, or for the partner whose key is in MCP_KEY.
"""

from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest
from mcp.server.stdio import stdio_server

from compliance.channels.mcp.admission import admit
from compliance.channels.mcp.calls import Call
from compliance.channels.mcp.server import Context, server


async def serve() -> None:
    """Answer until stdin is closed."""
    made = server(_call)
    async with stdio_server() as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


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
