"""What a scene demands of a program: what the documentation says, or more than that.

The documented rule: status 200 with the verdict `allowed`, for the model that was asked about, before its
`expires_at`. An itinerary is so for each of its items, and nothing in it is clear on a part of `packing` that
the program does not know. A program that keeps it passes the level `contract`. The level `paranoid` adds
answers that the service does not give: a cache, a proxy or a fault has changed them, or a clock is wrong.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

Level = Literal["contract", "paranoid"]

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels. Each has the scenes of those before it, too."""

DEFAULT: Final[Level] = "paranoid"


class Demand(NamedTuple):
    """The level of a scene, and the reason for it."""

    level: Level
    because: str


BY_REASON: Final[Mapping[str | None, Demand]] = {
    None: Demand("contract", "A program that clears nothing proves nothing."),
    "timeout": Demand("contract", "A time-out is not allowed."),
    "unreachable": Demand("contract", "Without an answer nothing is allowed."),
    "rate_limited": Demand("contract", "Every error is not allowed."),
    "server_error": Demand("contract", "Every error is not allowed."),
    "refused": Demand("contract", "Every error is not allowed."),
    "unexpected_status": Demand("contract", "Only status 200 is an answer."),
    "malformed": Demand("contract", "It has no verdict and no end that can be read."),
    "conditional": Demand("contract", "Only `allowed` is allowed."),
    "banned": Demand("contract", "Only `allowed` is allowed."),
    "insufficient": Demand("contract", "Only `allowed` is allowed."),
    "unknown_verdict": Demand("contract", "A value that a program does not know is not allowed."),
    "expired": Demand("contract", "An expired answer is not allowed."),
    "clock_in_doubt": Demand("paranoid", "Nothing demands a comparison with the clock of the service."),
    "other_question": Demand("paranoid", "The service answers the question that it gets. A cache may not."),
    "contradictory": Demand("paranoid", "The verdict decides. The service does not contradict it."),
}
"""The level of a scene, by the reason against a green light (in the words of the clients)."""

OF_MODEL: Final = Demand("contract", "An answer about another model is not allowed.")

BY_NAME: Final[Mapping[str, Demand]] = {
    **dict.fromkeys(
        (
            "sandbox/other-model",
            "sandbox/itinerary-other-model",
            "other-model",
            "other-trip-model",
            "itinerary-other-item-model",
        ),
        OF_MODEL,
    ),
    "expired-by-the-service": Demand("paranoid", "By the clock of this machine it has not expired."),
    "itinerary-contradictory-unknown-part": Demand(
        "contract",
        "`packing` has `to_be_sealed`. A part that a program does not know clears nothing.",
    ),
    **{
        f"itinerary-malformed-without-{name}": Demand(
            "paranoid", "It has a verdict and an end. The service leaves no other field out."
        )
        for name in ("items", "segments", "packing")
    },
}
"""The level of scenes whose names begin so. It comes before their reason."""


def demand_of(name: str, reason: str | None) -> Demand:
    """Return what a scene demands, by its name and the reason against a green light."""
    named = [demand for start, demand in BY_NAME.items() if name.startswith(start)]
    return named[0] if named else BY_REASON[reason]


def demand_of_outcome(expect: Mapping[str, Any]) -> Demand:
    """Return what an outcome of a running sandbox demands, from what its list expects."""
    if expect["clear_to_pack"]:
        return BY_REASON[None]
    if expect.get("fault") == "other_model":
        return OF_MODEL
    return Demand("contract", "Before you go live, no outcome of the sandbox may be allowed.")


def is_within(level: Level, chosen: Level) -> bool:
    """Return whether a level belongs to a chosen one."""
    return LEVELS.index(level) <= LEVELS.index(chosen)
