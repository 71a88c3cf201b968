"""The compressed storage of what a page said."""

import zlib

from rules.watch.models import Snapshot


def pack(content: bytes | str) -> bytes:
    """Return text, or bytes, compressed."""
    return zlib.compress(content.encode() if isinstance(content, str) else content, 9)


def text_of(snapshot: Snapshot) -> str:
    """Return the text of a snapshot: paragraphs, one per line."""
    return zlib.decompress(bytes(snapshot.text)).decode()


def body_of(snapshot: Snapshot) -> bytes:
    """Return the bytes that the text was read from."""
    return zlib.decompress(bytes(snapshot.body))
