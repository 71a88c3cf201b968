"""What a recovery code is made of. Pure: no database, no clock, no settings.

A code is 80 random bits as 16 letters and digits, in groups of four: `k3vq-7m2a-ohx4-tz5e`. Nobody can try
so many, so a plain SHA-256 keeps it, as it does partner keys. People may type it in any case and without
hyphens.
"""

import base64
import hashlib
import secrets

COUNT = 10
"""How many codes somebody gets at a time."""

_BYTES, _GROUP = 10, 4


def make_codes() -> list[str]:
    """Return new codes, as they are shown."""
    return [grouped(base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()) for _ in range(COUNT)]


def grouped(text: str) -> str:
    """Return a text in groups of four, which people copy without losing their place."""
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def digest(code: str) -> str:
    """Return what is kept of a code, however it was typed: 64 lower-case hex digits."""
    plain = "".join(filter(str.isalnum, code)).lower()
    return hashlib.sha256(plain.encode(errors="replace")).hexdigest()
