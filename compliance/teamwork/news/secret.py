"""The secret in the address of a person's feed. Pure.

It is derived from the key of this service, the person and the number of the address, so no table contains it,
and the person can look it up again. A new number, and a new VERDICT_KEY, make another one.
"""

import base64
import hashlib
import hmac

_PURPOSE = b"feed of one's own work\n"
"""No other text that is digested with the same key begins like this."""


def secret_of(person: int, number: int, *, key: str) -> str:
    """Return the secret: 160 bits as 32 characters of base32 in lower case."""
    derived = hmac.digest(key.encode(), _PURPOSE + f"{person} {number}".encode(), "sha256")
    return base64.b32encode(derived[:20]).decode().lower()


def digest(secret: str) -> str:
    """Return the stored form of a secret: its SHA-256, as 64 lower-case hex digits."""
    return hashlib.sha256(secret.encode()).hexdigest()
