"""The bytes that a receipt signs: the answer as canonical JSON (RFC 8785).

A client parses our answer, stores it in any form, and can make the same bytes again: sorted names, no white
space, numbers as JavaScript writes them. So `canonical` of a body that we send, and `canonical_json` of what
a client parsed from it, are the same bytes.
"""

import functools
import hashlib
import json
from decimal import Decimal
from typing import Any

import msgspec
import rfc8785
from msgspec.structs import replace

sorted_json = msgspec.json.Encoder(decimal_format="number", order="sorted").encode
"""Encode a value as canonical JSON if its numbers are whole; for others, the first step of `canonical`."""

MAX_SIGNIFICANT_DIGITS = 15
"""A decimal of so many digits is written exactly as its nearest binary number is."""


def canonical(body: msgspec.Struct) -> bytes:
    """Return the canonical bytes of a verdict's body that is about to be sent.

    Such a body needs little more than sorting: its names, counts and texts already have the form of RFC 8785.
    The exception is the watt-hours, its only number that is no count: 10.00 is 10 there. So they are written
    again; a number that no catalog has takes the slow path, and so does an itinerary, which has many.
    """
    if not hasattr(body, "device_resolved"):
        return rfc8785.dumps(json.loads(sorted_json(body)))
    device = body.device_resolved
    if device.watt_hour is None:
        return sorted_json(body)
    respelled = _respelled(device.watt_hour)
    if respelled is None:
        return rfc8785.dumps(json.loads(sorted_json(body)))
    return sorted_json(replace(body, device_resolved=replace(device, watt_hour=respelled)))


def batch_payload(content: bytes) -> bytes:
    """Return what the receipt of a batch signs: the SHA-256 of its canonical bytes, as canonical JSON.

    Signing the megabytes themselves, which Ed25519 reads twice, would take longer than deciding the verdicts.
    """
    return b'{"batch_sha256":"%b"}' % hashlib.sha256(content).hexdigest().encode()


def canonical_json(value: Any) -> bytes | None:
    """Return the canonical bytes of parsed JSON; none if RFC 8785 has no form for it, so it is no answer."""
    try:
        return rfc8785.dumps(_binary(value))
    except (rfc8785.CanonicalizationError, RecursionError):
        return None


def _binary(value: Any) -> Any:
    """Return parsed JSON with numbers as JavaScript has them, where it was read with decimals."""
    match value:
        case dict():
            return {name: _binary(inner) for name, inner in value.items()}
        case list():
            return [_binary(inner) for inner in value]
        case Decimal():
            return float(value)
    return value


@functools.lru_cache(maxsize=4096)
def _respelled(number: Decimal) -> Decimal | None:
    """Return a number as RFC 8785 writes it; none if that takes more than removing zeros."""
    respelled = Decimal(f"{number.normalize():f}")
    return respelled if _is_spelled_as_canonical(respelled) else None


def _is_spelled_as_canonical(number: Decimal) -> bool:
    spelled = str(number)
    if "." in spelled:
        # No exponent and no zero at the end; below a millionth JavaScript would write an exponent.
        return (
            spelled[-1] != "0"
            and len(spelled) <= MAX_SIGNIFICANT_DIGITS
            and "E" not in spelled
            and not spelled.startswith(("0.000000", "-"))
        )
    return spelled.isdigit() and len(spelled) <= MAX_SIGNIFICANT_DIGITS
