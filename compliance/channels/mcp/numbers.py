"""Numbers that pass through the SDK, which reads each with a point as a float and so may round it.

A rounded number can have a milder verdict: 1.9999999999999999999 units are no 2 units. So a number that a
float does not have is passed on as a text, which all readers refuse. What the SDK read is then exact.
"""

import math
from decimal import Decimal
from typing import Any


def unrounded(sent: Any) -> Any:
    """Return parsed JSON in which a number that a float would round is a text."""
    match sent:
        case dict():
            return {name: unrounded(value) for name, value in sent.items()}
        case list():
            return [unrounded(value) for value in sent]
        case Decimal() if Decimal(repr(float(sent))) != sent:
            return str(sent)
        case float():
            # Its exponent is beyond all bounds.
            return repr(sent)
    return sent


def exact(read: Any) -> Any:
    """Return what the SDK read from `unrounded` JSON, with the numbers as our own readers have them."""
    match read:
        case dict():
            return {name: exact(value) for name, value in read.items()}
        case list():
            return [exact(value) for value in read]
        case float() if math.isfinite(read):
            return Decimal(repr(read))
    return read
