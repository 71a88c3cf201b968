"""The secret of a watch: the end of its address. Pure.

It is 160 random bits as 32 characters of base32 in lower case. Only its SHA-256 is stored.
`compliance.partners.keys` explains why a plain hash is enough.
"""

import base64
import hashlib
import re
import secrets

SECRET_BYTES = 20

_SECRET = re.compile(r"[a-z2-7]{32}")


def make_secret() -> str:
    """Return a new secret that no one can guess."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode().lower()


def is_secret(text: str) -> bool:
    """Say whether a text has the form of a secret. Only the table knows whether it is one."""
    return _SECRET.fullmatch(text) is not None


def digest(secret: str) -> str:
    """Return the stored form of a secret: its SHA-256, as 64 lower-case hex digits."""
    return hashlib.sha256(secret.encode()).hexdigest()
