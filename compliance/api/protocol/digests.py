"""`Content-Digest` (RFC 9530): the digest of the bytes of a message's content, as they are sent.

A request whose digest does not match was altered on its way: it gets no answer. No framework in here.
"""

import base64
import binascii
import hashlib
import re

FIELD = "Content-Digest"

_KNOWN = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512}
# Parameters say nothing here (RFC 9530 defines none).
_MEMBER = re.compile(r"[ \t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):(?:;[^,]*)?[ \t]*")


def content_digest(content: bytes) -> str:
    """Return the field for some content."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def is_of(field: str, content: bytes) -> bool | None:
    """Return whether a field names the digest of some content; none if it has no digest that is known here.

    Digests by other algorithms are ignored. A field of another form names no content.
    """
    stated = _stated(field)
    if stated is None:
        return False
    return all(_KNOWN[name](content).digest() == digest for name, digest in stated) if stated else None


def is_checked(field: str) -> bool:
    """Return whether `is_of` compares the field with the content."""
    return bool(_stated(field))


def _stated(field: str) -> list[tuple[str, bytes]] | None:
    """Return the digests of a field by known algorithms; none if it cannot be read."""
    found = []
    for one in field.split(","):
        member = _MEMBER.fullmatch(one)
        if member is None:
            return None
        try:
            digest = base64.b64decode(member[2], validate=True)
        except binascii.Error:
            return None
        if member[1] in _KNOWN:
            found.append((member[1], digest))
    return found
