"""A verdict's description of itself, in the words of the contract. Shared by the two endpoints."""

import datetime
from typing import Annotated

from msgspec import Meta

_PROOF = (
    "Keep it with the request, `ruleset_version` and `generated_at`: together they prove that the answer was "
    "ours."
)

VerdictId = Annotated[str, Meta(pattern="^vdt_[a-z2-7]{26}$", description=f"Names this verdict. {_PROOF}")]
TripVerdictId = Annotated[
    str, Meta(pattern="^trip_[a-z2-7]{26}$", description=f"Names this trip's verdict. {_PROOF}")
]
RulesetVersion = Annotated[
    str, Meta(description="The release of rules that the answer was made from.", examples=["2026-11-20"])
]
ExpiresAt = Annotated[
    datetime.datetime,
    Meta(
        description=(
            "From this instant on the answer counts as *not allowed*: ask again. It comes sooner where the "
            "warning `evidence_stale` stands: after half the usual time, a quarter where that is a `caution`."
        )
    ),
]
