"""Which answers a client accepts. There is JSON alone, so the question is only whether that will do.

Named in the settings as DRF's content negotiation. Errors are `application/problem+json` whatever was asked
for.
"""

import re
from collections.abc import Iterable

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

JSON = "application/json"

_RANGES = {"*/*": 0, "application/*": 1, JSON: 2}
"""The media ranges that JSON belongs to, by how specific they are."""

_QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


class JsonOnly(BaseContentNegotiation):
    """Answers with JSON, or with 406 where a client accepts something else alone.

    `application/problem+json` alone is a 406 as well: no answer but an error is of that type.
    """

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the one renderer. Raises `NotAcceptable`."""
        if not accepts_json(request.META.get("HTTP_ACCEPT", "")):
            raise NotAcceptable
        return next(iter(renderers)), JSON

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return no parser: `bodies` reads what is sent."""
        return None


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
