"""Whether a caller asks for the receipt of a verdict: by `Prefer: receipt` (RFC 7240), or by the agreement.

A receipt takes a fifth of the time of a verdict, and most callers never look at it. So none is made unasked.
"""

import re

from django.http import HttpRequest, HttpResponse

from compliance.api.protocol.callers import Caller
from compliance.records.receipts.attaching import HEADER

PREFERENCE = "receipt"
APPLIED = "Preference-Applied"
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def wants_receipt(request: HttpRequest, caller: Caller) -> bool:
    """Return whether the request asks for a receipt, or its partner gets one with every verdict."""
    return (caller.key is not None and caller.key.receipts) or _prefers_receipt(request)


def note_applied(request: HttpRequest, response: HttpResponse) -> None:
    """Say that a preference was followed, if the request has one and the answer has a receipt."""
    if HEADER in response.headers and _prefers_receipt(request):
        response.headers[APPLIED] = PREFERENCE


def _prefers_receipt(request: HttpRequest) -> bool:
    sent = request.META.get("HTTP_PREFER")
    if not sent:
        return False
    # Names of preferences ignore case. What follows a semicolon are parameters, and this one has none.
    unquoted = _QUOTED.sub('""', sent)
    return any(one.partition(";")[0].strip().lower() == PREFERENCE for one in unquoted.split(","))
