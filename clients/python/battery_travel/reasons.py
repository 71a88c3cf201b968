"""Why an answer is no green light: words for programs, and sentences for people who read a log.

The same words are in the JavaScript client and in `clients/vectors.json`.
"""

from typing import Final, Literal, NamedTuple, get_args

Code = Literal[
    "timeout",
    "unreachable",
    "rate_limited",
    "server_error",
    "refused",
    "unexpected_status",
    "malformed",
    "other_question",
    "conditional",
    "banned",
    "insufficient",
    "unknown_verdict",
    "contradictory",
    "sandbox",
    "receipt_missing",
    "receipt_invalid",
    "clock_in_doubt",
    "expired",
    "not_fresh",
]

CODES: Final[tuple[Code, ...]] = get_args(Code)

MESSAGES: Final[dict[Code, str]] = {
    "timeout": "The service did not answer in time.",
    "unreachable": "The service could not be reached, or its answer was cut off.",
    "rate_limited": "Too many requests. Ask again after `retry_after_seconds`.",
    "server_error": "The service could not answer. Ask again later.",
    "refused": "The service refused the question. `problem` says why.",
    "unexpected_status": "The answer is not from the service: the service never sends this status.",
    "malformed": "The response is not an answer of the service.",
    "other_question": "The answer does not belong to the question that was asked.",
    "conditional": "It may travel only after every constraint is settled.",
    "banned": "It may not travel.",
    "insufficient": "Not enough is known to let it travel.",
    "unknown_verdict": "The answer contains a verdict that this client does not know.",
    "contradictory": "The answer says allowed, but also something that contradicts it.",
    "sandbox": "The answer comes from the sandbox. It says nothing about a real flight.",
    "receipt_missing": "The answer came without the receipt that this client requires.",
    "receipt_invalid": "The receipt does not belong to this answer, or none of your keys signed it.",
    "clock_in_doubt": "This machine and the service disagree about the time, so it is not known what has "
    "expired.",
    "expired": "The answer has expired. Ask again.",
    "not_fresh": "The answer was not made for this request. A cache between client and service sent an old "
    "one.",
}


class WhyNot(NamedTuple):
    """Why an answer is no green light. Decide by `code`; `message` is English, for developers.

    Attributes: field: The path of the first wrong field, such as `trip.origin`, if one is known: of your
    question if the service refused it, of the answer if it is malformed.

    """

    code: Code
    message: str
    field: str | None = None


def why_not(code: Code, more: str = "", field: str | None = None) -> WhyNot:
    """Return a reason by its code, with further details."""
    return WhyNot(code, f"{MESSAGES[code]} {more}".strip(), field)
