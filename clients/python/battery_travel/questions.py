"""The possible questions: one flight (`Question`), a journey (`TripQuestion`), or an `ItineraryQuestion`.

The service checks every value and refuses unknown ones, so nothing is checked twice here.
"""

import datetime
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Compartment = Literal["carry_on", "checked", "on_person"]
Mark = Literal["present", "absent", "unknown"]
Legibility = Literal["legible", "missing", "unknown"]
Condition = Literal["intact", "damaged", "unknown"]
ListAnswer = Literal["not_checked", "not_affected", "affected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known about the units in question. A missing value counts as unknown, and is never guessed.

    Attributes: quantity: How many equal units. ccc_mark: Whether the unit has a readable CCC (3C) mark.
    capacity_label: Whether its rating is readable. condition: Its state. recall_check: What the maker's
    recall list says about the unit, for all recalls of the model. serial: The identifier that a recall asks
    for, as printed on the unit. It is not in `repr`, and so not in logs. serial_hash: Instead of `serial`:
    the SHA-256 of the serial (trimmed, upper case) as lower-case hex digits.

    """

    quantity: int = 1
    ccc_mark: Mark = "unknown"
    capacity_label: Legibility = "unknown"
    condition: Condition = "unknown"
    recall_check: ListAnswer = "not_checked"
    serial: str | None = field(default=None, repr=False)
    serial_hash: str | None = field(default=None, repr=False)

    def known(self) -> dict[str, Any]:
        """Return the facts in the form of the API, without unknown values."""
        sent: dict[str, Any] = {"quantity": self.quantity}
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
class Unit(Facts):
    """The power bank in question.

    Attributes: model_id: The exact catalog model. quantity: How many units of this model one passenger
    carries.

    """

    model_id: str

    def unit_fields(self) -> dict[str, Any]:
        """Return the unit in the form of the API, without unknown values."""
        return {"model_id": self.model_id, **self.known()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Unit):
    """May this power bank travel on this flight? Countries are ISO 3166-1 alpha-2, airlines IATA codes.

    Attributes: date: The day of the flight, as a date or as text (`2026-12-20`). Left out: today (UTC).
    Raises: `ValueError` for text that is no date, `TypeError` for anything else, also a date with a time.

    """

    origin: str
    destination: str
    airline: str
    compartment_intent: Compartment = "carry_on"
    date: datetime.date | str | None = None

    def __post_init__(self) -> None:
        """Read the date: one that is wrong is an error here, before anything is asked."""
        object.__setattr__(self, "date", _day(self.date))

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
    date: datetime.date | str | None = None

    def __post_init__(self) -> None:
        """Read the date, and copy the legs: a later change of the list must not change the question."""
        object.__setattr__(self, "date", _day(self.date))
        object.__setattr__(self, "legs", tuple(self.legs))

    def body(self) -> dict[str, Any]:
        """Return the question as a body of `POST /api/trips/verify`."""
        legs = [
            {"origin": leg.origin, "destination": leg.destination, "airline": leg.airline}
            for leg in self.legs
        ]
        return {"device": self.unit_fields(), "trip": {"legs": legs, **_when_and_where(self)}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What is printed on a unit of an unknown model. `voltage` is that of the capacity, not of the output."""

    watt_hour: float | None = None
    capacity_mah: int | None = None
    voltage: float | None = None

    def body(self) -> dict[str, Any]:
        """Return the label in the form of the API."""
        figures = {name: getattr(self, name) for name in ("watt_hour", "capacity_mah", "voltage")}
        return {name: figure for name, figure in figures.items() if figure is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Facts):
    """Some equal units of an itinerary: of an exact model, or of an unknown one by their label.

    Attributes: ref: The name by which answers name the item; left out: `item_1`, `item_2` and so on.
    carried_by: The number of the passenger who carries it. Left out: the service looks for the best
    distribution.

    """

    model_id: str | None = None
    label: Label | None = None
    ref: str | None = None
    carried_by: int | None = None
    compartment_intent: Compartment = "carry_on"

    def body(self, ref: str) -> dict[str, Any]:
        """Return the item in the form of the API, named by a ref."""
        sent: dict[str, Any] = {"ref": ref, **self.known(), "compartment_intent": self.compartment_intent}
        for name in ("model_id", "carried_by"):
            if (value := getattr(self, name)) is not None:
                sent[name] = value
        if self.label is not None:
            sent["label"] = self.label.body()
        return sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """One flight of an itinerary, on its own date. Places are countries (`AE`) or airports (`DXB`).

    Attributes: operating_airline: Who flies. marketing_airline: Whose number the ticket shows. At least one
    of them is needed; with the second alone no answer is ever clear. date: As in `Question`. Left out: that
    of the flight before, for the first one today (UTC).

    """

    origin: str
    destination: str
    operating_airline: str | None = None
    marketing_airline: str | None = None
    date: datetime.date | str | None = None

    def __post_init__(self) -> None:
        """Read the date: one that is wrong is an error here, before anything is asked."""
        object.__setattr__(self, "date", _day(self.date))

    def body(self) -> dict[str, str]:
        """Return the flight in the form of the API."""
        sent = {"origin": self.origin, "destination": self.destination}
        for name in ("operating_airline", "marketing_airline"):
            if (airline := getattr(self, name)) is not None:
                sent[name] = airline
        if self.date is not None:
            sent["date"] = str(self.date)
        return sent


@dataclass(frozen=True, slots=True, kw_only=True)
class ItineraryQuestion:
    """May all these power banks travel with these passengers on all these flights, and who carries what?

    Attributes: passengers: How many people have a seat of their own. More people than travel would get a
    milder answer, and a wrong one. flights: All of them, in order of travel. A return is a flight too.

    """

    items: Sequence[Item]
    flights: Sequence[Flight]
    passengers: int = 1

    def __post_init__(self) -> None:
        """Copy the lists: a later change of them must not change the question."""
        object.__setattr__(self, "items", tuple(self.items))
        object.__setattr__(self, "flights", tuple(self.flights))

    def numbers(self) -> range:
        """Return the number of each passenger. There is at least one, whatever was asked."""
        return _numbers(self.passengers)

    def refs(self) -> tuple[str, ...]:
        """Return the name of each item in answers."""
        return tuple(item.ref or f"item_{number}" for number, item in enumerate(self.items, 1))

    def body(self) -> dict[str, Any]:
        """Return the question as a body of `POST /api/itineraries/verify`."""
        return {
            "passengers": self.passengers,
            "items": [item.body(ref) for item, ref in zip(self.items, self.refs(), strict=True)],
            "segments": [flight.body() for flight in self.flights],
        }


AnyQuestion = Question | TripQuestion | ItineraryQuestion


def legs_through(countries: Sequence[str], airline: str) -> tuple[Leg, ...]:
    """Return the legs of a journey on one airline through countries, from the first to the last."""
    return tuple(Leg(start, end, airline) for start, end in itertools.pairwise(countries))


def _numbers(passengers: object) -> range:
    """Return the number of each passenger. A program without type checks may give anything."""
    return range(1, passengers + 1 if isinstance(passengers, int) and passengers > 0 else 2)


def _when_and_where(question: Question | TripQuestion) -> dict[str, str]:
    sent: dict[str, str] = {"compartment_intent": question.compartment_intent}
    if question.date is not None:
        sent["date"] = str(question.date)
    return sent


def _day(date: object) -> datetime.date | None:
    """Return a date, which a program without type checks may give as anything."""
    if isinstance(date, str):
        try:
            return datetime.date.fromisoformat(date)
        except ValueError:
            raise ValueError(f"date must be text such as 2026-12-20, not {date!r}") from None
    # A moment is on different days in different places.
    if date is None or (isinstance(date, datetime.date) and not isinstance(date, datetime.datetime)):
        return date
    raise TypeError(f"date must be a date or text such as 2026-12-20, not {type(date).__name__}")
