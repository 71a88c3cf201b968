"""Keys that sign, of releases and of receipts: Ed25519 seeds and public keys, as JSON Web Keys. No Django.

Nothing here keeps a secret longer than its `SigningKey` lives, and no text form shows one. Called by
`rules.releases.signing`, `compliance.records.receipts.keyring`, the audit export and commands.
"""

import base64
import binascii
import hashlib
import secrets
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEY_BYTES = 32
LEAST_DISTINCT_BYTES = 16
"""Of 32 random bytes, fewer are distinct only once in a billion billion times."""


class BadKey(ValueError):
    """A text that is no key. The error never quotes the text."""


@dataclass(frozen=True)
class PublicKey:
    """A key for verifying. `kid` is its thumbprint (RFC 7638), and so names exactly this key."""

    kid: str
    x: str
    """The key itself, base64url without padding."""
    key: Ed25519PublicKey = field(repr=False, compare=False)

    def as_jwk(self) -> dict[str, str]:
        """Return the key as a JSON Web Key (RFC 8037)."""
        return {
            "kty": "OKP",
            "crv": "Ed25519",
            "x": self.x,
            "kid": self.kid,
            "alg": "EdDSA",
            "use": "sig",
        }

    def as_pem(self) -> bytes:
        """Return the key as `openssl` reads it."""
        return self.key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@dataclass(frozen=True)
class SigningKey:
    """A key that signs, with its public key."""

    public: PublicKey
    private: Ed25519PrivateKey = field(repr=False, compare=False)


def new_seed() -> str:
    """Return a fresh secret: 32 random bytes in base64url without padding."""
    return secrets.token_urlsafe(KEY_BYTES)


def signing_key(seed: str) -> SigningKey:
    """Return the key of a secret. Raises `BadKey`."""
    raw = _raw(seed)
    if len(set(raw)) < LEAST_DISTINCT_BYTES:
        raise BadKey(
            "is not random; make one with `manage.py receipts new-key` or `manage.py release new-key`"
        )
    private = Ed25519PrivateKey.from_private_bytes(raw)
    return SigningKey(of_key(private.public_key()), private)


def public_key(x: str) -> PublicKey:
    """Return a public key by its `x`. Raises `BadKey`."""
    return of_key(Ed25519PublicKey.from_public_bytes(_raw(x)))


def of_key(key: Ed25519PublicKey) -> PublicKey:
    """Return a public key with its names."""
    x = unpadded(key.public_bytes(Encoding.Raw, PublicFormat.Raw))
    # RFC 7638: only the required members, sorted by name, without white space.
    thumbprint = hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest()
    return PublicKey(unpadded(thumbprint), x, key)


def unpadded(raw: bytes) -> str:
    """Return bytes in base64url without padding, as JOSE writes them."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _raw(text: str) -> bytes:
    try:
        raw = base64.b64decode(f"{text}=".encode(), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raw = b""
    # Another spelling of the same bytes would be a second text for the same key.
    if len(raw) != KEY_BYTES or unpadded(raw) != text:
        raise BadKey("is not 32 bytes in base64url: 43 letters, digits, - and _")
    return raw
