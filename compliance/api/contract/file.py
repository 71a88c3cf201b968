"""The contract as it was reviewed: the bytes of `docs/contract/openapi.yaml`."""

import functools
import hashlib
from typing import NamedTuple

from compliance.api.protocol.caching import CONTRACT


class Reviewed(NamedTuple):
    """The file, and the quoted hash of it."""

    content: bytes
    etag: str


@functools.cache
def reviewed() -> Reviewed:
    """Return the contract. It is read once: with another contract comes another program."""
    content = CONTRACT.read_bytes()
    return Reviewed(content, f'"{hashlib.sha256(content).hexdigest()}"')
