"""Which answers a client accepts. All answers are JSON, so it checks only whether the client accepts JSON.

Called by `views`. Errors are `application/problem+json` whatever the client asked for.
"""

import re
from collections.abc import Iterable

from django.http import HttpRequest

from compliance.api.protocol.errors import ApiError

JSON = "application/json"

_RANGES = {"*/*": 0, "application/*": 1, JSON: 2}
"""The media ranges that include JSON, by how specific they are."""

_QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


def check_accepts_json(request: HttpRequest) -> None:
    """Accept a request if its client takes JSON. Raises `ApiError`.

    `application/problem+json` alone is refused as well: only errors are of that type.
    """
    if not accepts_json(request.META.get("HTTP_ACCEPT", "")):
        raise ApiError("NOT_ACCEPTABLE")


def accepts_json(header: str) -> bool:
    """Say whether an `Accept` header allows JSON (RFC 9110, section 12.5.1); an empty one does.

    The most specific range that includes JSON decides, and `q=0` means never. Other parameters do not matter:
    many clients name a charset, which JSON does not have.
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
    """Return the weight of a media range, 0 to 1; an unreadable weight is 1, as if it were absent."""
    found = [float(match[1]) for parameter in parameters if (match := _QUALITY.fullmatch(parameter.strip()))]
    return found[0] if found else 1
