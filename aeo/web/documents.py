"""JSON as it is published, and the hash of its content. Called by views and by builders of documents."""

import hashlib
from decimal import Decimal
from typing import Any

import msgspec
import rfc8785

_encoder = msgspec.json.Encoder(decimal_format="number")


def encode(body: Any) -> bytes:
    """Return plain values as JSON; decimals are numbers."""
    return _encoder.encode(body)


def hash_of(manifest: dict[str, Any]) -> str:
    """Return the SHA-256, in hex, of a manifest without its hash and its time."""
    said = {name: value for name, value in manifest.items() if name not in {"content_hash", "generated_at"}}
    return hashlib.sha256(rfc8785.dumps(_floats(said))).hexdigest()


def _floats(value: Any) -> Any:
    """Return a value as readers of its JSON get it, so that all of them compute the same hash."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: _floats(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_floats(item) for item in value]
    return value


def encoded(schema: dict[str, Any]) -> tuple[bytes, str]:
    """Return a schema as canonical JSON, and the SHA-256 of these bytes in hex."""
    body = rfc8785.dumps(schema)
    return body, hashlib.sha256(body).hexdigest()
