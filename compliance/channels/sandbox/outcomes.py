"""GET /sandbox/api/outcomes: every outcome of the sandbox, how to get it, and whether it is a permission.

`outcomes.json` is the list. Our clients and the contract kit use it too, and a test compares the sandbox with
it.
"""

import functools
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import Reading, ReadView
from rules.engine.vocabulary import Verdict

LIST = Path(__file__).with_name("outcomes.json")

FaultWord = Literal[
    "expired",
    "bad_gateway",
    "not_json",
    "half_json",
    "unknown_verdict",
    "no_expiry",
    "other_model",
    "cut_off",
    "slow",
]


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    """The answer that arrives, and what it means for a client."""

    status: Annotated[int | None, Meta(description="The HTTP status; null if no complete answer arrives.")]
    verdict: Annotated[Verdict | None, Meta(description="The verdict; null if there is none to read.")]
    code: Annotated[
        str | None, Meta(description="The code of the error; null if it is not an error of the service.")
    ]
    fault: Annotated[FaultWord | None, Meta(description="What is wrong with the answer; null if nothing is.")]
    clear_to_pack: Annotated[bool, Meta(description="Whether a client may show a green light.")]


class Outcome(msgspec.Struct, forbid_unknown_fields=True):
    """One outcome. To get it, POST `request` to `path` below `/sandbox/api`.

    For an itinerary, `clear_to_pack` is about all passengers together.
    """

    id: str
    path: Literal["/verify", "/trips/verify", "/itineraries/verify"]
    request: dict[str, Any]
    expect: Expected
    why: str


class OutcomesBody(msgspec.Struct):
    """The answer of GET /sandbox/api/outcomes."""

    ruleset_version: str
    outcomes: tuple[Outcome, ...]


class OutcomesView(ReadView):
    """The list."""

    operation = Operation(
        operation_id="listOutcomes",
        tag="Verdicts",
        summary="List the outcomes of the sandbox",
        description="The request for each outcome, and whether a client may treat the outcome as a "
        "permission.",
        answer=OutcomesBody,
    )

    def answer(self, reading: Reading, **path: str) -> OutcomesBody:
        """Return the whole list."""
        return OutcomesBody(reading.published.ruleset_version, outcomes())


@functools.cache
def outcomes() -> tuple[Outcome, ...]:
    """Return the list. It is read once: it changes only with the program."""
    return msgspec.json.decode(LIST.read_bytes(), type=tuple[Outcome, ...])
