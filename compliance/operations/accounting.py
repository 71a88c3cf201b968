"""Counts every verdict, and has the fixed names under which requests are counted and logged.

The API, the pages and agents call it for verdicts; the request envelope and tracing use the names.
"""

import functools
import re
import uuid
from collections.abc import Mapping
from typing import Literal

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.operations import metrics
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer, AnyAnswer, ItineraryAnswer, TripAnswer

ADMIN_PREFIX = f"/{settings.ADMIN_PATH}/"
"""The prefix of all addresses of the admin."""

PARTNERS = "/partners"
"""The first page of those for partners, and the start of the others."""

NOWHERE = "(none)"
"""The route of requests without a view, or that were answered before a view was searched."""

REQUEST_ID_HEADER = "X-Request-ID"

Kind = Literal["leg", "trip", "itinerary"]
"""What a verdict is about."""

READS = frozenset({"GET", "HEAD"})
"""The methods that only ask for something (RFC 9110, section 9.2.1)."""

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

# A proxy in front may have named the request already. No other text from outside may enter logs and answers.
# Never a key of a partner: logs and answers repeat the id.
_SAFE_REQUEST_ID = re.compile(r"(?!.*(?i:btk_|whsec_))[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
_REQUEST_ID_KEY = "compliance.request_id"

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def is_for_partners(path: str) -> bool:
    """Say whether an address is one of the pages of partners."""
    return path == PARTNERS or path.startswith(f"{PARTNERS}/")


def is_for_the_signed_in(path: str) -> bool:
    """Say whether an address is a page of people who sign in: of the desk, or of partners."""
    return path.startswith(ADMIN_PREFIX) or is_for_partners(path)


def note_verdict(response: HttpResponseBase, answer: AnyAnswer, channel: str) -> None:
    """Count the verdict that an answer gives: by the API, on a page or to an agent."""
    verdict = answer.outcome.verdict
    metrics.count_verdict(_kind(answer), verdict, channel)
    # For the line of the log.
    response.verdict = verdict  # type: ignore[attr-defined]


def _kind(answer: AnyAnswer) -> Kind:
    match answer:
        case ItineraryAnswer():
            return "itinerary"
        case TripAnswer():
            return "trip"
        case Answer():
            return "leg"


def note_verdicts(kind: Kind, counts: Mapping[Verdict, int], channel: str) -> None:
    """Count the verdicts of one kind that one answer gives together, by the number of each."""
    for verdict, times in counts.items():
        metrics.count_verdict(kind, verdict, channel, times)


def request_id(request: HttpRequest) -> str:
    """Return the id by which a caller and the logs name a request; the same on every call.

    It is the caller's if that is safe, else a new one.
    """
    known: str | None = request.META.get(_REQUEST_ID_KEY)
    if known is None:
        proposed = request.META.get("HTTP_X_REQUEST_ID", "")
        known = proposed if _SAFE_REQUEST_ID.fullmatch(proposed) else uuid.uuid4().hex
        request.META[_REQUEST_ID_KEY] = known
    return known


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
