"""The digests and the encryption of answers that are given once. Pure.

All of them are derived from the key of this service, the caller and the key that the caller sent. So the
table alone reveals nothing, and a reader of tables and settings must still guess the caller's key.
"""

import hmac
import secrets

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_NONCE_BYTES = 12


def digest_of(service_key: str, about: str) -> str:
    """Return the digest of the id of what was created, by which its answers are found when it ends."""
    return hmac.digest(service_key.encode(), f"idempotency about\n{about}".encode(), "sha256").hex()


class Seal:
    """What is derived for one caller and one key: the digest of the row, and a key for its answer."""

    def __init__(self, *, service_key: str, caller: str, key: str) -> None:
        self._root = hmac.digest(service_key.encode(), f"idempotency key\n{caller}\n{key}".encode(), "sha256")
        self.digest = self._derive(b"row").hex()
        self.lock = int.from_bytes(self._derive(b"lock")[:8], signed=True)

    def of_request(self, request: bytes) -> str:
        """Return the digest of a request."""
        return self._derive(b"request\n" + request).hex()

    def close(self, answer: bytes) -> bytes:
        """Encrypt an answer."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher().encrypt(nonce, answer, None)

    def open(self, sealed: bytes) -> bytes:
        """Decrypt an answer. Raises `cryptography.exceptions.InvalidTag` if it was changed."""
        return self._cipher().decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], None)

    def _cipher(self) -> ChaCha20Poly1305:
        return ChaCha20Poly1305(self._derive(b"answer"))

    def _derive(self, purpose: bytes) -> bytes:
        return hmac.digest(self._root, purpose, "sha256")
