"""A detached JSON Web Signature (RFC 7515, appendix F) with Ed25519 (RFC 8037). No Django.

A receipt is `HEADER..SIGNATURE`. The signed text is `HEADER.PAYLOAD`, where the payload is the canonical
answer. The client already has the answer, so it is not sent twice. The header of a key is always one of two:
`{"alg":"EdDSA","kid":"…"}`, or with `Ed25519`, the name of the same algorithm in RFC 9864. A reader of our
receipts looks those bytes up and interprets nothing, so no header can choose another algorithm or bring its
own key.
"""

import binascii
from collections.abc import Mapping
from typing import Literal, get_args

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from catalog.signing_keys import PublicKey, unpadded

Algorithm = Literal["EdDSA", "Ed25519"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

SIGNATURE_CHARACTERS = 86
"""64 bytes in base64url without padding."""

_FROM_URL = bytes.maketrans(b"-_", b"+/")


def protected_header(kid: str, algorithm: Algorithm = "EdDSA") -> bytes:
    """Return the first part of every receipt of a key, by the algorithm's name."""
    return unpadded(f'{{"alg":"{algorithm}","kid":"{kid}"}}'.encode()).encode()


def sign(payload: bytes, header: bytes, key: Ed25519PrivateKey) -> str:
    """Return the receipt of a payload. It takes about 50 microseconds, nearly all of them the signature."""
    signature = key.sign(header + b"." + _base64url(payload))
    return (header + b".." + _base64url(signature)).decode()


def signer_of(payload: bytes, receipt: str, keys: Mapping[bytes, PublicKey]) -> PublicKey | None:
    """Return which of some keys signed a payload; none if none of them did, whatever the receipt is."""
    header, _, rest = receipt.partition(".")
    key = keys.get(header.encode("utf-8", "replace"))
    if key is None or rest[:1] != "." or len(rest) != 1 + SIGNATURE_CHARACTERS:
        return None
    signature = _from_base64url(rest[1:])
    if signature is None:
        return None
    try:
        key.key.verify(signature, header.encode() + b"." + _base64url(payload))
    except InvalidSignature:
        return None
    return key


def _base64url(raw: bytes) -> bytes:
    encoded = binascii.b2a_base64(raw, newline=False)
    # Text rarely has either character. Finding none is ten times as fast as looking up every character.
    return encoded.replace(b"+", b"-").replace(b"/", b"_").rstrip(b"=")


def _from_base64url(text: str) -> bytes | None:
    """Return the bytes of a text; none if the text is not their only valid spelling."""
    try:
        raw = binascii.a2b_base64(text.encode("ascii").translate(_FROM_URL) + b"==", strict_mode=True)
    except (ValueError, binascii.Error):
        return None
    return raw if _base64url(raw) == text.encode() else None
