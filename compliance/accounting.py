"""What is noted of every answer: a count, a time and a line of the log. Called by the middleware alone."""

import functools
import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance import access_log, metrics
from compliance.admin_middleware import ADMIN_PREFIX
from compliance.api.request_ids import request_id

NOWHERE = "(none)"
"""The route of requests that no view was found for, or that were answered before one was looked for."""

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    """Note an answer that took so many seconds."""
    route = route_of(request)
    metrics.count_answer(route, response.status_code, seconds)
    if not access_log.is_kept():
        return
    caller = getattr(request, "auth", None)
    access_log.write(
        access_log.Line(
            request_id=request_id(request),
            # Anybody may make a method up.
            method=request.method if request.method in METHODS else "other",
            route=route,
            status=response.status_code,
            milliseconds=round(seconds * 1000, 2),
            verdict=getattr(response, "verdict", ""),
            caller=caller.kind if caller else "anonymous",
            partner=caller.name if caller and caller.key else "",
        )
    )


def route_of(request: HttpRequest) -> str:
    """Return the name of the operation that a request asked for: one of a fixed set, whatever was typed."""
    match = request.resolver_match
    return NOWHERE if match is None else _named(match.route)


@functools.cache
def _named(pattern: str) -> str:
    """Write the pattern of an address as the contract does. All of the admin is one route."""
    address = "/" + _PARAMETER.sub(r"{\1}", pattern)
    return ADMIN_PREFIX if address.startswith(ADMIN_PREFIX) else address
