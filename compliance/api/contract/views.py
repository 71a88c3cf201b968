"""GET /openapi.yaml, the exact bytes of the contract; GET /api/docs/, a page to read it and to try it out."""

import functools
import hashlib
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from aeo.web.codings import coding_of, compressed
from compliance.api.protocol.caching import CONTRACT

MAX_AGE_SECONDS = 3600
STALE_WHILE_REVALIDATE_SECONDS = 86400

POLICY = "; ".join(
    [
        "default-src 'none'",
        "connect-src 'self'",
        # Swagger UI draws its arrows from `data:` addresses.
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
"""What the page may load: nothing from elsewhere, and no inline script."""


class Reviewed(NamedTuple):
    """The contract as it was reviewed (`docs/contract/openapi.yaml`), and the quoted hash of it."""

    content: bytes
    etag: str


@functools.cache
def _compressed(coding: str) -> bytes:
    """Return the contract in a compressed form. Each is made once."""
    return compressed(reviewed().content, coding)


@functools.cache
def reviewed() -> Reviewed:
    """Return the contract. It is read once: it changes only with the program."""
    content = CONTRACT.read_bytes()
    return Reviewed(content, f'"{hashlib.sha256(content).hexdigest()}"')


def _etag(request: HttpRequest) -> str:
    return reviewed().etag


@require_safe
@cache_control(public=True, max_age=MAX_AGE_SECONDS, stale_while_revalidate=STALE_WHILE_REVALIDATE_SECONDS)
@condition(etag_func=_etag)
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the contract, or 304 to a caller who has it cached."""
    coding = coding_of(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    if coding:
        headers = {"Content-Encoding": coding}
        return HttpResponse(_compressed(coding), content_type="application/yaml", headers=headers)
    return HttpResponse(reviewed().content, content_type="application/yaml")


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Return the page."""
    response = render(request, "api_docs.html")
    response.headers["Content-Security-Policy"] = POLICY
    return response
