"""Taking a call in as the API takes in a request: who asks, and whether it is one too many.

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
    """Return a call, counted, and what its answer has to say anyway. Why it is refused stands in the call."""
    caller = ANONYMOUS
    refusal: Exception | None = None
    try:
        caller = identify(request)
    except Exception as wrong:
        refusal = wrong
    # Also after a wrong key, by the address: nobody tries out keys faster than the limit lets them.
    spent = limits.count(request, caller, group=SERVICE.limit_group, allowed=SERVICE.rate(caller))
    headers = partner_headers(caller) | limits.limit_headers(spent)
    try:
        limits.check(spent)
    except ApiError as too_many:
        refusal = too_many
        headers |= too_many.headers
    return Call(request, caller, timezone.now(), refusal), headers
