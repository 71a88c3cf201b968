"""Accepts a call as the API accepts a request: it identifies the caller and checks the limit.

Called by `views` and `local`, and by a tool whose call counts as more than one request.
"""

from django.http import HttpRequest
from django.utils import timezone

from compliance.api.protocol import limits
from compliance.api.protocol.callers import ANONYMOUS, Caller, identify, partner_headers
from compliance.api.protocol.environment import SERVICE
from compliance.api.protocol.errors import ApiError
from compliance.api.protocol.limits import Spent
from compliance.api.protocol.preferences import wants_receipt
from compliance.channels.mcp.calls import Call


def admit(request: HttpRequest) -> Call:
    """Return a call that is counted. A refused one has the reason."""
    caller = ANONYMOUS
    refusal: Exception | None = None
    try:
        caller = identify(request)
    except Exception as wrong:
        refusal = wrong
    # Also after a wrong key, by the address: the limit applies to trying keys, too.
    spent = _count(request, caller)
    headers = partner_headers(caller) | limits.limit_headers(spent)
    try:
        limits.check(spent)
    except ApiError as too_many:
        refusal = too_many
        headers |= too_many.headers
    return Call(request, caller, timezone.now(), spent, headers, refusal, wants_receipt(request, caller))


def spend(call: Call, requests: int) -> None:
    """Count so many requests in addition to the call itself, all of them or none. Raises `ApiError`."""
    try:
        limits.check_more(call.spent, call.caller, requests)
        if requests:
            call.spent = _count(call.request, call.caller, requests)
            call.headers |= limits.limit_headers(call.spent)
            limits.check(call.spent)
    except ApiError as too_many:
        call.headers |= too_many.headers
        raise


def _count(request: HttpRequest, caller: Caller, requests: int = 1) -> Spent:
    return limits.count(request, caller, requests, group=SERVICE.limit_group, allowed=SERVICE.rate(caller))
