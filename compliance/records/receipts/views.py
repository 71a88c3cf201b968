"""GET /.well-known/jwks.json: the public keys of receipts, in the form of JOSE libraries (RFC 7517)."""

import hashlib

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from compliance.records.receipts.keyring import keyring

CONTENT_TYPE = "application/jwk-set+json"
MAX_AGE_SECONDS = 3600
"""A reader may not know a new key for so long, so a key is published before it signs."""
STALE_WHILE_REVALIDATE_SECONDS = 86400


def _content() -> bytes:
    return msgspec.json.encode({"keys": [key.as_jwk() for key in keyring().published]})


def _etag(request: HttpRequest) -> str:
    return f'"{hashlib.sha256(_content()).hexdigest()[:32]}"'


@require_safe
@cache_control(public=True, max_age=MAX_AGE_SECONDS, stale_while_revalidate=STALE_WHILE_REVALIDATE_SECONDS)
@condition(etag_func=_etag)
def keys(request: HttpRequest) -> HttpResponse:
    """Return the present and the former signing keys, or 304 to a caller who has them cached."""
    return HttpResponse(_content(), content_type=CONTENT_TYPE)
