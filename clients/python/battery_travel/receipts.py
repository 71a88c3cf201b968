"""Checks the receipt of an answer against keys that you have. Needs the extra `receipts`.

A receipt is a detached JSON Web Signature with Ed25519 over the canonical JSON (RFC 8785) of the answer. The
keys are those of `/.well-known/jwks.json`. Fetch them once, over a connection that you trust, and give them
to the client. Keys that come together with the answers prove little.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SIGNATURE_BYTES = 64
ALGORITHMS = ("EdDSA", "Ed25519")
"""Two names of one algorithm: of RFC 8037, and of RFC 9864."""


class ReceiptKeys:
    """Public keys of the service. Nothing in a receipt can choose another algorithm, or add a key."""

    def __init__(self, jwks: Mapping[str, Any]) -> None:
        """Take the keys of a JSON Web Key Set. Raises `ValueError` if it has no Ed25519 key."""
        self._keys = {
            _base64url(_header(key["kid"], algorithm)): Ed25519PublicKey.from_public_bytes(_raw(key["x"]))
            for key in jwks.get("keys", [])
            if key.get("kty") == "OKP" and key.get("crv") == "Ed25519"
            for algorithm in ALGORITHMS
        }
        if not self._keys:
            raise ValueError("There is no Ed25519 key in this set.")

    def signed(self, content: bytes, receipt: str) -> bool:
        """Return whether one of the keys signed the body of an answer. Never raises, whatever was sent."""
        header, _, rest = receipt.partition("..")
        key = self._keys.get(header)
        if key is None:
            return False
        try:
            signature = _raw(rest)
            payload = rfc8785.dumps(json.loads(content))
            key.verify(signature, f"{header}.{_base64url(payload)}".encode())
        except (ValueError, RecursionError, InvalidSignature, rfc8785.CanonicalizationError):
            return False
        return len(signature) == SIGNATURE_BYTES


def _header(kid: str, algorithm: str) -> bytes:
    """Return the exact bytes of the header that all receipts of a key have, by the algorithm's name."""
    return f'{{"alg":"{algorithm}","kid":"{kid}"}}'.encode()


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _raw(text: str) -> bytes:
    """Return the bytes of a text in base64url without padding. Raises `ValueError`."""
    try:
        raw = base64.b64decode(f"{text}{'=' * (-len(text) % 4)}", altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("This is not base64url.") from error
    if _base64url(raw) != text:
        raise ValueError("This is not the canonical base64url of these bytes.")
    return raw
