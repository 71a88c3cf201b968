"""Accepts a call as the API accepts a request: it identifies the caller and checks the limit.

Called by `views` and `local`.
"""

from django.http import HttpRequest
from django.utils import timezone

from compliance.api.protocol import limits
from compliance.api.protocol.callers import ANONYMOUS, identify, partner_headers
from compliance.api.protocol.environment import SERVICE
from compliance.api.protocol.errors import ApiError
from compliance.channels.mcp.calls import Call


def admit(request: HttpRequest) -> tuple[Call, dict[str, str]]:
    """Return a counted call, and the headers that its answer needs in any case.

    A refused call has the reason.
    """
    caller = ANONYMOUS
    refusal: Exception | None = None
    try:
        caller = identify(request)
    except Exception as wrong:
        refusal = wrong
    # Also after a wrong key, by the address: the limit applies to trying keys, too.
    spent = limits.count(request, caller, group=SERVICE.limit_group, allowed=SERVICE.rate(caller))
    headers = partner_headers(caller) | limits.limit_headers(spent)
    try:
        limits.check(spent)
    except ApiError as too_many:
        refusal = too_many
        headers |= too_many.headers
    return Call(request, caller, timezone.now(), refusal), headers
