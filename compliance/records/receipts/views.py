"""GET /.well-known/jwks.json: the public keys of receipts, in the form of JOSE libraries (RFC 7517)."""

import hashlib

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from catalog.signing_keys import PublicKey
from compliance.records.receipts.keyring import keyring

CONTENT_TYPE = "application/jwk-set+json"
MAX_AGE_SECONDS = 3600
"""A reader may not know a new key for so long, so a key is published before it signs."""
STALE_WHILE_REVALIDATE_SECONDS = 86400


def _content() -> bytes:
    return msgspec.json.encode({"keys": [_as_jwk(key) for key in keyring().published]})


def _as_jwk(key: PublicKey) -> dict[str, str]:
    """Return a key for readers, with `alg` as long as all its receipts have that one.

    A library refuses a receipt whose `alg` is not that of its key.
    """
    jwk = key.as_jwk()
    if jwk["alg"] != settings.RECEIPT_ALGORITHM:
        del jwk["alg"]
    return jwk


def _etag(request: HttpRequest) -> str:
    return f'"{hashlib.sha256(_content()).hexdigest()[:32]}"'


@require_safe
@cache_control(public=True, max_age=MAX_AGE_SECONDS, stale_while_revalidate=STALE_WHILE_REVALIDATE_SECONDS)
@condition(etag_func=_etag)
def keys(request: HttpRequest) -> HttpResponse:
    """Return the present and the former signing keys, or 304 to a caller who has them cached."""
    return HttpResponse(_content(), content_type=CONTENT_TYPE)
