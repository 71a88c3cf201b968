"""A verdict's description of itself, in the words of the contract. Shared by the endpoints."""

import datetime
from typing import Annotated

from msgspec import Meta

_PROOF = (
    "Store it with the request, `ruleset_version` and `generated_at`: together they prove that the answer "
    "is ours."
)

VerdictId = Annotated[
    str, Meta(pattern="^vdt_[a-z2-7]{26}$", description=f"The id of this verdict. {_PROOF}")
]
TripVerdictId = Annotated[
    str, Meta(pattern="^trip_[a-z2-7]{26}$", description=f"The id of this trip's verdict. {_PROOF}")
]
ItineraryVerdictId = Annotated[
    str, Meta(pattern="^itn_[a-z2-7]{26}$", description=f"The id of this itinerary's verdict. {_PROOF}")
]
RulesetVersion = Annotated[
    str, Meta(description="The release of rules that the answer is based on.", examples=["2026-11-20"])
]
ExpiresAt = Annotated[
    datetime.datetime,
    Meta(
        description=(
            "From this time on, treat the answer as *not allowed* and ask again. With the warning "
            "`evidence_stale` the answer expires after half the usual time, or after a quarter if that "
            "warning is a `caution`."
        )
    ),
]
