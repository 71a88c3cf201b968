"""What each operation of the API promises, in one place.

The contract is made from it, and views use it to read requests.

A view names its `Operation`. Its query parameters are the very objects that read the query, and its answer is
the type that is sent. So the contract always says what the code does.
"""

from dataclasses import dataclass
from typing import Literal

import msgspec

from compliance.api.protocol.parameters import AnyParameter

Tag = Literal["Verdicts", "Devices", "Recalls", "Airlines", "Rules and evidence"]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One method at one address.

    `errors` are the codes (of `compliance.api.protocol.errors.PROBLEMS`) that only some operations give; the
    contract adds those that every operation can give. `body` is the type that documents the request's body.
    Callers may ask for a receipt of the answer of a `signed` operation. One that `creates` something takes an
    `Idempotency-Key`.
    """

    operation_id: str
    tag: Tag
    summary: str
    description: str
    answer: type[msgspec.Struct]
    body: type | None = None
    path: tuple[AnyParameter, ...] = ()
    query: tuple[AnyParameter, ...] = ()
    errors: tuple[str, ...] = ()
    signed: bool = False
    creates: bool = False
