"""The secret of a watch: what stands at the end of its address. Pure.

It is 160 random bits as 32 characters of base32 in lower case. Only its SHA-256 is kept, and a plain hash is
right for the reason that `compliance.partners.keys` gives.
"""

import base64
import hashlib
import re
import secrets

SECRET_BYTES = 20

_SECRET = re.compile(r"[a-z2-7]{32}")


def make_secret() -> str:
    """Return a new secret that nobody can guess."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode().lower()


def is_secret(text: str) -> bool:
    """Tell whether a text is spelled as a secret. Whether it is one is for the table to say."""
    return _SECRET.fullmatch(text) is not None


def digest(secret: str) -> str:
    """Return what is kept of a secret: its SHA-256, as 64 lower-case hex digits."""
    return hashlib.sha256(secret.encode()).hexdigest()
