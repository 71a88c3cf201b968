"""Requests of programs skip the middleware that only pages and the admin need.

Programs ask the API, and agents ask at `/mcp`.

A dozen middlewares that ignore a request cost as much as deciding a verdict. So the settings list two marks
around those that programs do not need: `Shortcut` before the first and `ShortcutEnd` after the last.
Middleware for all requests is listed before the first mark. Middleware with `process_view` sees the views of
the API too: Django calls it outside the chain.
"""

from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured, MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.api.protocol.prefixes import FOR_PROGRAMS

GetResponse = Callable[[HttpRequest], HttpResponseBase]

MCP = "/mcp"

_end: GetResponse | None = None
"""The function after the last mark. Django makes middlewares from the last to the first."""


class ShortcutEnd:
    """The point where a request to the API goes on. It stores that function, and does nothing itself."""

    def __init__(self, get_response: GetResponse) -> None:
        global _end
        _end = get_response
        raise MiddlewareNotUsed


class Shortcut:
    """Makes requests to the API skip everything up to `ShortcutEnd`."""

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
