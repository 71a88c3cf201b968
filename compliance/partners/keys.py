"""The form of a partner key. Pure: no database, no clock, no settings.

A key is `btk_` + 8 characters + `_` + 40 characters, all of base32 in lower case, as in `btk_k3vq7m2a_…`. The
prefix lets people and secret scanners recognize a key. The part before the second underscore is the key's
*public id*, by which people, pages and logs name it. The rest is the secret: 200 random bits.

Only the SHA-256 of a key is stored. A plain hash is right here, unlike for passwords: no one can try 2^200
keys, so a slow hash with a salt would protect nothing and would cost every request a fraction of a second.

Called by the actions, which make keys, and by `compliance.partners.register`, which recognizes them.
"""

import base64
import hashlib
import re
import secrets

PREFIX = "btk_"
PUBLIC_BYTES, SECRET_BYTES = 5, 25

PUBLIC_ID = r"btk_[a-z2-7]{8}"
_KEY = re.compile(rf"{PUBLIC_ID}_[a-z2-7]{{40}}")
_NAMED = re.compile(rf"({PUBLIC_ID})(_|$)")


class PlainKey:
    """A key to show once. Printing or logging the object shows only the public id."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the key itself."""
        return self._text

    @property
    def public_id(self) -> str:
        """The part by which people name the key."""
        return self._text.rpartition("_")[0]

    @property
    def digest(self) -> str:
        """The stored form of the key: see `digest`."""
        return digest(self._text)

    def __repr__(self) -> str:
        return f"<PlainKey {self.public_id}>"

    def __reduce__(self) -> str:
        raise TypeError("a plain key is not to be stored")


def make_key() -> PlainKey:
    """Return a new key that no one can guess."""
    public, secret = (_base32(secrets.token_bytes(size)) for size in (PUBLIC_BYTES, SECRET_BYTES))
    return PlainKey(f"{PREFIX}{public}_{secret}")


def is_key(text: str) -> bool:
    """Say whether a text has the form of a key. Only the register knows whether it is one."""
    return _KEY.fullmatch(text) is not None


def is_public_id(text: str) -> bool:
    """Say whether a text has exactly the form of the public id of a key."""
    return re.fullmatch(PUBLIC_ID, text) is not None


def digest(key: str) -> str:
    """Return the SHA-256 of a key in UTF-8, as 64 lower-case hex digits. Any text has one."""
    # A text that cannot be encoded is no key of ours, and the error would quote it.
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def public_id(text: str) -> str | None:
    """Return the public id if a text is one, or begins as a whole key does; else None."""
    found = _NAMED.match(text)
    return found[1] if found else None


def _base32(random: bytes) -> str:
    """Return bytes, a multiple of five of them, as letters and digits that people do not confuse."""
    return base64.b32encode(random).decode().lower()
