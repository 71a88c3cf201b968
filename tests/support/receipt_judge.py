"""Checks receipts with independent code: joserfc for the signature, rfc8785 for the canonical bytes."""

import hashlib
import json
import warnings

import rfc8785
from django.test import Client
from joserfc import jws
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import KeySet

HEADER = "X-Service-Receipt"
JWKS = "/.well-known/jwks.json"


def published_keys() -> KeySet:
    """Return the keys as a reader gets them from their address."""
    return KeySet.import_key_set(Client().get(JWKS).json())


def is_proven(content: bytes, receipt: str, keys: KeySet) -> bool:
    """Return whether a receipt proves an answer, as a client with a JOSE library checks it."""
    answer = json.loads(content)
    payload = rfc8785.dumps(answer)
    if "items" in answer and "counts" in answer:
        payload = rfc8785.dumps({"batch_sha256": hashlib.sha256(payload).hexdigest()})
    return is_signed(payload, receipt, keys)


def is_signed(payload: bytes, receipt: str, keys: KeySet) -> bool:
    """Return the same for bytes that are already canonical."""
    with warnings.catch_warnings():
        # RFC 9864 requires `Ed25519`, which few libraries know yet.
        warnings.simplefilter("ignore", SecurityWarning)
        try:
            jws.deserialize_compact(receipt, keys, algorithms=["EdDSA", "Ed25519"], payload=payload)
        except JoseError:
            return False
    return True
