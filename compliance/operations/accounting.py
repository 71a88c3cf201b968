"""Counts every verdict, and has the fixed names under which requests are counted and logged.

The API, the pages and agents call it for verdicts; the request envelope and tracing use the names.
"""

import functools
import re
from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.operations import metrics
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer, TripAnswer

ADMIN_PREFIX = f"/{settings.ADMIN_PATH}/"
"""The prefix of all addresses of the admin."""

NOWHERE = "(none)"
"""The route of requests without a view, or that were answered before a view was searched."""

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def note_verdict(response: HttpResponseBase, answer: Answer | TripAnswer, channel: str) -> None:
    """Count the verdict that an answer gives: by the API, on a page or to an agent."""
    verdict = answer.outcome.verdict
    metrics.count_verdict("trip" if isinstance(answer, TripAnswer) else "leg", verdict, channel)
    # For the line of the log.
    response.verdict = verdict  # type: ignore[attr-defined]


def note_verdicts(counts: Mapping[Verdict, int], channel: str) -> None:
    """Count the verdicts on legs that one answer gives together, by the number of each."""
    for verdict, times in counts.items():
        metrics.count_verdict("leg", verdict, channel, times)


def method_of(request: HttpRequest) -> str:
    """Return the method of a request, one of a fixed set: clients may invent methods."""
    return request.method if request.method in METHODS else "other"


def route_of(request: HttpRequest) -> str:
    """Return the name of the requested operation: one of a fixed set, whatever the client sent."""
    match = request.resolver_match
    return NOWHERE if match is None else _named(match.route)


@functools.cache
def _named(pattern: str) -> str:
    """Write the pattern of an address in the contract's form. All of the admin is one route."""
    address = "/" + _PARAMETER.sub(r"{\1}", pattern)
    return ADMIN_PREFIX if address.startswith(ADMIN_PREFIX) else address
