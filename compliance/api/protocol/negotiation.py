"""Which answers a client accepts. There is JSON alone, so the question is only whether that will do.

Called by `views`. Errors are `application/problem+json` whatever was asked for.
"""

import re
from collections.abc import Iterable

from django.http import HttpRequest

from compliance.api.protocol.errors import ApiError

JSON = "application/json"

_RANGES = {"*/*": 0, "application/*": 1, JSON: 2}
"""The media ranges that JSON belongs to, by how specific they are."""

_QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


def check_accepts_json(request: HttpRequest) -> None:
    """Let a request pass that JSON will do for. Raises `ApiError`.

    `application/problem+json` alone is refused as well: no answer but an error is of that type.
    """
    if not accepts_json(request.META.get("HTTP_ACCEPT", "")):
        raise ApiError("NOT_ACCEPTABLE")


def accepts_json(header: str) -> bool:
    """Tell whether an `Accept` header lets JSON through (RFC 9110, section 12.5.1); an empty one does.

    The most specific range that JSON belongs to decides, and `q=0` means never. Other parameters do not
    matter: many clients name a charset, which JSON does not have.
    """
    if header in {"", "*/*", JSON}:
        return True
    wanted = [item.strip().split(";") for item in header.lower().split(",") if item.strip()]
    found = [
        (_RANGES[name], _quality(parameters))
        for media_range, *parameters in wanted
        if (name := media_range.strip()) in _RANGES
    ]
    return not wanted or (bool(found) and max(found)[1] > 0)


def _quality(parameters: Iterable[str]) -> float:
    """Return how much a media range is wanted, 0 to 1; what cannot be read is 1, as if it were not there."""
    found = [float(match[1]) for parameter in parameters if (match := _QUALITY.fullmatch(parameter.strip()))]
    return found[0] if found else 1
