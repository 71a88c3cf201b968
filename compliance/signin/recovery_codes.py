"""The form of a recovery code. Pure: no database, no clock, no settings.

A code is 80 random bits as 16 letters and digits, in groups of four: `k3vq-7m2a-ohx4-tz5e`. No one can try so
many, so a plain SHA-256 protects it, as it protects partner keys. People may type it in any case and without
hyphens.
"""

import base64
import hashlib
import secrets

COUNT = 10
"""How many codes a user gets at a time."""

_BYTES, _GROUP = 10, 4


def make_codes() -> list[str]:
    """Return new codes, as users see them."""
    return [grouped(base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()) for _ in range(COUNT)]


def grouped(text: str) -> str:
    """Return a text in groups of four, which are easier to copy."""
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def digest(code: str) -> str:
    """Return the stored form of a code, however it was typed: 64 lower-case hex digits."""
    plain = "".join(filter(str.isalnum, code)).lower()
    return hashlib.sha256(plain.encode(errors="replace")).hexdigest()
