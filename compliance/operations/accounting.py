"""What is noted of every answer: a count, a time and a line of the log; and of every verdict.

Called by the middleware for answers, by `api.giving`, `mcp.views` and `page_middleware` for verdicts.
"""

import functools
import re
from collections.abc import Mapping

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.api.protocol.callers import caller_of
from compliance.middleware.admin import ADMIN_PREFIX
from compliance.operations import access_log, metrics
from compliance.operations.request_ids import request_id
from compliance.records.verdict_log.models import Channel
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer, TripAnswer

NOWHERE = "(none)"
"""The route of requests that no view was found for, or that were answered before one was looked for."""

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    """Note an answer that took so many seconds."""
    route = route_of(request)
    status = response.status_code
    metrics.count_answer(route, status, seconds)
    if not access_log.is_kept():
        return
    caller = caller_of(request)
    access_log.write(
        access_log.Line(
            request_id=request_id(request),
            method=method_of(request),
            route=route,
            status=status,
            milliseconds=round(seconds * 1000, 2),
            verdict=getattr(response, "verdict", ""),
            caller=caller.kind,
            partner=caller.name if caller.key else "",
        )
    )


def note_verdict(response: HttpResponseBase, answer: Answer | TripAnswer, channel: Channel) -> None:
    """Note the verdict that an answer gives, by the API, on a page or to an agent."""
    verdict = answer.outcome.verdict
    metrics.count_verdict("trip" if isinstance(answer, TripAnswer) else "leg", verdict, channel)
    # For the line of the log.
    response.verdict = verdict  # type: ignore[attr-defined]


def note_verdicts(counts: Mapping[Verdict, int], channel: Channel) -> None:
    """Note the verdicts on legs that one answer gives together, by how many there are of each."""
    for verdict, times in counts.items():
        metrics.count_verdict("leg", verdict, channel, times)


def method_of(request: HttpRequest) -> str:
    """Return the method of a request, one of a fixed set: anybody may make one up."""
    return request.method if request.method in METHODS else "other"


def route_of(request: HttpRequest) -> str:
    """Return the name of the operation that a request asked for: one of a fixed set, whatever was typed."""
    match = request.resolver_match
    return NOWHERE if match is None else _named(match.route)


@functools.cache
def _named(pattern: str) -> str:
    """Write the pattern of an address as the contract does. All of the admin is one route."""
    address = "/" + _PARAMETER.sub(r"{\1}", pattern)
    return ADMIN_PREFIX if address.startswith(ADMIN_PREFIX) else address
