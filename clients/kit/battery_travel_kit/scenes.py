"""The scenes: situations in which a program asks, and whether it may then show a green light.

They come from the vectors that the clients of the service pass: every outcome of its sandbox, and what no
sandbox can play. Three scenes are about programs that cache answers.
"""

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from battery_travel_kit.levels import Demand, demand_of, demand_of_outcome

Json = Mapping[str, Any]

Operation = Literal["verify", "trips", "itineraries"]

OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
"""What questions are for: one flight, a journey, or an itinerary."""

VECTORS: Final = Path(__file__).with_name("vectors.json")

RECORDED: Final = "sandbox/"
"""The prefix of the sandbox's own outcomes."""

MADE_UP: Final = (
    "clear",
    "clear-trip",
    "clear-serial",
    "itinerary-clear",
    "itinerary-clear-",
    "itinerary-undecided",
    "itinerary-conditional",
    "itinerary-label",
    "itinerary-move-to-cabin",
    "itinerary-unknown-verdict",
    "itinerary-malformed-without-verdict",
    "itinerary-malformed-without-expires-at",
    "itinerary-malformed-without-items",
    "itinerary-malformed-without-segments",
    "itinerary-malformed-without-packing",
    "itinerary-malformed-without-packing-",
    "itinerary-other-",
    "itinerary-contradictory-",
    "unknown-verdict-",
    "malformed-without-verdict",
    "malformed-without-expires-at",
    "malformed-verdict-true",
    "malformed-body-empty",
    "malformed-body-half",
    "malformed-body-list",
    "malformed-body-null",
    "malformed-body-text",
    "malformed-page",
    "other-model",
    "other-serial",
    "other-trip-",
    "contradictory-",
    "clock-slow-by-days",
    "clock-fast-by-days",
    "expired-",
    "status-302",
    "status-400-allowed",
    "status-404",
    "status-429",
    "status-500",
    "status-500-allowed",
    "status-503",
    "timeout",
    "unreachable",
)
"""The other scenes to play. The rest tests how a client reads, not what it lets through."""

SHORT_LIFE_SECONDS: Final = 2

ONLY_FOR_ITS_QUESTION: Final = Demand("contract", "A kept answer is for the question that was asked.")


@dataclass(frozen=True, slots=True)
class Act:
    """One question, and the reply of the service.

    Attributes:
        request: The question, in the form of the API.
        reply: The answer, in the format of the vectors.
        starts_at: When the reply was made. All its times are shifted to the time of playing.
        clear: Whether a green light is right; None if both are.
        wait_seconds: The wait before the question.

    """

    request: Json
    reply: Json
    starts_at: datetime.datetime
    clear: bool | None
    wait_seconds: float = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A situation. `reason` is why the light is not green, in the words of the clients; None if it is."""

    name: str
    why: str
    reason: str | None
    acts: tuple[Act, ...]
    demand: Demand

    @property
    def operation(self) -> Operation:
        """The operation that its questions are for."""
        asked = self.acts[0].request
        return "itineraries" if "items" in asked else "trips" if "device" in asked else "verify"


def scenes() -> tuple[Scene, ...]:
    """Return all scenes."""
    vectors = {vector["id"]: vector for vector in json.loads(VECTORS.read_text(encoding="utf-8"))}
    return (
        *(_scene(vector) for name, vector in vectors.items() if _is_played(name)),
        *_about_keeping(vectors["sandbox/allowed"], vectors["sandbox/banned-airline"]),
    )


def all_is_well(played: Iterable[Scene]) -> tuple[Act, Act, Act]:
    """Return the acts in which everything is right, for a flight, a trip and an itinerary."""
    acts = {scene.name: scene.acts[0] for scene in played}
    return acts["sandbox/allowed"], acts["sandbox/trip-allowed"], acts["sandbox/itinerary-allowed"]


def outcomes(listed: Json) -> tuple[Scene, ...]:
    """Return the scenes that a running sandbox lists, without those that no typed client can send."""
    return tuple(
        Scene(
            name=RECORDED + outcome["id"],
            why=outcome["why"],
            reason=None if outcome["expect"]["clear_to_pack"] else "sandbox outcome",
            acts=(Act(outcome["request"], {}, _now(), outcome["expect"]["clear_to_pack"]),),
            demand=demand_of_outcome(outcome["expect"]),
        )
        for outcome in listed["outcomes"]
        if outcome["id"] not in {"misspelt-field", "stale-ruleset-pinned"}
    )


def _is_played(name: str) -> bool:
    return name.startswith(RECORDED) or any(
        name.startswith(played) if played.endswith("-") else name == played for played in MADE_UP
    )


def _scene(vector: Json) -> Scene:
    [reply], [read] = vector["replies"], vector["reads"]
    return Scene(
        vector["id"],
        vector["why"],
        read["why_not"],
        (_act(vector, reply, read["clear_to_pack"]),),
        demand_of(vector["id"], read["why_not"]),
    )


def _act(vector: Json, reply: Json, clear: bool | None, **more: Any) -> Act:
    return Act(
        request=more.pop("request", vector["request"]),
        reply=reply,
        starts_at=datetime.datetime.fromisoformat(vector["starts_at"]),
        clear=clear,
        **more,
    )


def _about_keeping(allowed: Json, banned: Json) -> Iterator[Scene]:
    """Yield scenes for programs that cache answers: for too long, or for other questions."""
    [good], [bad] = allowed["replies"], banned["replies"]
    start = datetime.datetime.fromisoformat(allowed["starts_at"])
    end = start + datetime.timedelta(seconds=SHORT_LIFE_SECONDS)
    brief = {**good, "json": {**good["json"], "expires_at": end.strftime("%Y-%m-%dT%H:%M:%SZ")}}
    yield Scene(
        "kept-past-its-end",
        "An answer was allowed for two seconds. Then it has expired, and the service is not reachable.",
        "expired",
        (
            _act(allowed, brief, None),
            _act(allowed, {"takes_seconds": 0, "failure": "unreachable"}, False, wait_seconds=3),
        ),
        Demand("contract", "A kept answer is not allowed from its `expires_at` on."),
    )
    yield Scene(
        "kept-for-another-flight",
        "A model was allowed on one airline. The next question is about another airline.",
        "banned",
        (_act(allowed, good, None), _act(banned, bad, False)),
        ONLY_FOR_ITS_QUESTION,
    )
    yield Scene(
        "kept-for-another-number",
        "One unit was allowed. The next question is about three.",
        "banned",
        (
            _act(allowed, good, None),
            _act(allowed, bad, False, request={**allowed["request"], "quantity": 3}),
        ),
        ONLY_FOR_ITS_QUESTION,
    )


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
