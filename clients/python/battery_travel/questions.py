"""The possible questions: one flight (`Question`), or a journey of several (`TripQuestion`).

The service checks every value and refuses unknown ones, so nothing is checked twice here.
"""

import datetime
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Compartment = Literal["carry_on", "checked", "on_person"]
Mark = Literal["present", "absent", "unknown"]
Label = Literal["legible", "missing", "unknown"]
Condition = Literal["intact", "damaged", "unknown"]
ListAnswer = Literal["not_checked", "not_affected", "affected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The power bank in question. A missing value counts as unknown, and is never guessed.

    Attributes: model_id: The exact catalog model. quantity: How many units of this model one passenger
    carries. ccc_mark: Whether the unit has a readable CCC (3C) mark. capacity_label: Whether its rating is
    readable. condition: Its state. recall_check: What the maker's recall list says about the unit, for all
    recalls of the model. serial: The identifier that a recall asks for, as printed on the unit. It is not in
    `repr`, and so not in logs. serial_hash: Instead of `serial`: the SHA-256 of the serial (trimmed, upper
    case) as lower-case hex digits.

    """

    model_id: str
    quantity: int = 1
    ccc_mark: Mark = "unknown"
    capacity_label: Label = "unknown"
    condition: Condition = "unknown"
    recall_check: ListAnswer = "not_checked"
    serial: str | None = field(default=None, repr=False)
    serial_hash: str | None = field(default=None, repr=False)

    def unit_fields(self) -> dict[str, Any]:
        """Return the unit in the form of the API, without unknown values."""
        sent: dict[str, Any] = {"model_id": self.model_id, "quantity": self.quantity}
        for name in ("ccc_mark", "capacity_label", "condition"):
            if (value := getattr(self, name)) != "unknown":
                sent[name] = value
        if self.recall_check != "not_checked":
            sent["recall_check"] = self.recall_check
        for name in ("serial", "serial_hash"):
            if (value := getattr(self, name)) is not None:
                sent[name] = value
        return sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Unit):
    """May this power bank travel on this flight? Countries are ISO 3166-1 alpha-2, airlines IATA codes."""

    origin: str
    destination: str
    airline: str
    compartment_intent: Compartment = "carry_on"
    date: datetime.date | None = None

    def body(self) -> dict[str, Any]:
        """Return the question as a body of `POST /api/verify`."""
        flight = {"origin": self.origin, "destination": self.destination, "airline": self.airline}
        return {**self.unit_fields(), "trip": {**flight, **_when_and_where(self)}}


@dataclass(frozen=True, slots=True)
class Leg:
    """One flight of a journey."""

    origin: str
    destination: str
    airline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TripQuestion(Unit):
    """May this power bank travel on this whole journey? Each leg starts where the one before ended."""

    legs: Sequence[Leg]
    compartment_intent: Compartment = "carry_on"
    date: datetime.date | None = None

    def __post_init__(self) -> None:
        """Copy the legs: a later change of the list must not change the question."""
        object.__setattr__(self, "legs", tuple(self.legs))

    def body(self) -> dict[str, Any]:
        """Return the question as a body of `POST /api/trips/verify`."""
        legs = [
            {"origin": leg.origin, "destination": leg.destination, "airline": leg.airline}
            for leg in self.legs
        ]
        return {"device": self.unit_fields(), "trip": {"legs": legs, **_when_and_where(self)}}


def legs_through(countries: Sequence[str], airline: str) -> tuple[Leg, ...]:
    """Return the legs of a journey on one airline through countries, from the first to the last."""
    return tuple(Leg(start, end, airline) for start, end in itertools.pairwise(countries))


def _when_and_where(question: Question | TripQuestion) -> dict[str, str]:
    sent: dict[str, str] = {"compartment_intent": question.compartment_intent}
    if question.date is not None:
        sent["date"] = question.date.isoformat()
    return sent
