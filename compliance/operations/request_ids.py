"""The id by which a caller and the logs name one request.

Called by the middleware, which sends it in `X-Request-ID`, and by the error envelope.
"""

import re
import uuid

from django.http import HttpRequest

HEADER = "X-Request-ID"

# A proxy in front may have named the request already. No other text from outside may enter logs and answers.
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
_KEY = "compliance.request_id"


def request_id(request: HttpRequest) -> str:
    """Return the id of a request: the caller's if it is safe, else a new one; the same on every call."""
    known: str | None = request.META.get(_KEY)
    if known is None:
        proposed = request.META.get("HTTP_X_REQUEST_ID", "")
        known = proposed if _SAFE.fullmatch(proposed) else uuid.uuid4().hex
        request.META[_KEY] = known
    return known
