"""Requests of programs pass by what only pages and the admin need, and go straight to their view.

Programs ask the API, and agents ask at `/mcp`.

A dozen middlewares that let a request pass by cost as much as deciding a verdict. So the settings list two
marks around those that they have no use for: `Shortcut` before the first and `ShortcutEnd` behind the last.
What all requests need stands before the first mark. A middleware that sees views being called
(`process_view`) sees those of the API too: Django calls it beside the chain.
"""

from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured, MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.api.protocol.prefixes import FOR_PROGRAMS

GetResponse = Callable[[HttpRequest], HttpResponseBase]

MCP = "/mcp"

_end: GetResponse | None = None
"""What lies behind the last mark. Django makes middlewares from the last to the first."""


class ShortcutEnd:
    """Where a request to the API goes on. It remembers that, and is itself no step on the way."""

    def __init__(self, get_response: GetResponse) -> None:
        global _end
        _end = get_response
        raise MiddlewareNotUsed


class Shortcut:
    """Lets requests to the API pass by everything up to `ShortcutEnd`."""

    def __init__(self, get_response: GetResponse) -> None:
        if _end is None:
            raise ImproperlyConfigured("ShortcutEnd must stand behind Shortcut in MIDDLEWARE.")
        self._along, self._past = get_response, _end

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        path = request.path_info
        if path.startswith(FOR_PROGRAMS) or path == MCP:
            return self._past(request)
        return self._along(request)
