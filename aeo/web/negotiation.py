"""The form in which a reader wants a page: HTML, or Markdown if that is preferred.

HTML is the default and wins ties, so browsers and readers without a preference get it. Called by
`aeo.pages.answers`.
"""

from functools import lru_cache
from typing import Literal

from django.http import HttpRequest
from django.http.request import MediaType

Representation = Literal["text/html", "text/markdown"]

HTML: Representation = "text/html"
MARKDOWN: Representation = "text/markdown"


def preferred(request: HttpRequest) -> Representation:
    """Return the form that a reader wants, by the `Accept` header (RFC 9110, section 12.5.1)."""
    return _preferred(request.META.get("HTTP_ACCEPT", ""))


# Browsers and crawlers send few different headers.
@lru_cache(maxsize=64)
def _preferred(header: str) -> Representation:
    return MARKDOWN if quality(header, MARKDOWN) > quality(header, HTML) else HTML


def quality(header: str, media_type: Representation) -> float:
    """Return how much a media type is wanted, from 0 to 1.

    The most specific range that matches the type decides, and `q=0` means never. Other parameters of a range
    do not matter: each type is served in one variant.
    """
    ranges = [MediaType(item) for item in header.split(",") if item.strip()]
    main, _, sub = media_type.partition("/")
    found = [
        (one.specificity, one.quality)
        for one in ranges
        if (one.main_type, one.sub_type) in {(main, sub), (main, "*"), ("*", "*")}
    ]
    return max(found)[1] if found else 0.0
