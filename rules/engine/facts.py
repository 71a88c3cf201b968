"""The input of the engine: the frozen values that a verdict is made from.

There are two kinds. A *question* comes from the caller: the unit that a traveler carries, the leg, the
compartment, the date. *Corpus records* (devices, airlines, rules, recalls, sources …) come from a published
release. The same types describe a row of the starter corpus, so one decoder reads both and a rule has only
one spelling. The records of the catalog and of the recalls are in `catalog.records` and `recalls.records`;
this module exports them too.

Decimals are exact, dates are calendar dates, codes are upper case (`CN`, `EK`), model ids lower case.
"""

import datetime
from decimal import ROUND_CEILING, Decimal

import msgspec

from catalog.energy import HUNDREDTH, WattHourBasis, check_figures, computed_watt_hour
from catalog.records import (
    Airline,
    Certificate,
    Country,
    Device,
    Jurisdiction,
    PolicyChange,
    Record,
    Source,
)
from recalls.records import Recall
from recalls.serials import RecallStatus
from rules.engine.quotes import Quote
from rules.engine.vocabulary import (
    Certification,
    Compartment,
    Confidence,
    Effect,
    Issuer,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    Scope,
    UnitCondition,
)

__all__ = [
    "INTERNATIONAL",
    "Airline",
    "Certificate",
    "Country",
    "Device",
    "Flight",
    "Item",
    "ItineraryQuestion",
    "Jurisdiction",
    "Label",
    "Leg",
    "Params",
    "PolicyChange",
    "Question",
    "Quote",
    "Recall",
    "Record",
    "Rule",
    "Source",
    "TripQuestion",
    "Unit",
    "When",
    "default_ref",
]

INTERNATIONAL = "INTL"
"""The jurisdiction of the ICAO and IATA baseline. It contains every country."""


# --- The question -----------------------------------------------------------------------------------------


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """The power bank as the traveler describes it. Its text form never shows a serial.

    `recall_check` speaks for all active recalls of the model.
    """

    model_id: str
    quantity: int = 1
    ccc_mark: MarkIndication = "unknown"
    capacity_label: LabelIndication = "unknown"
    condition: UnitCondition = "unknown"
    recall_check: ListAnswer = "not_checked"
    serial: str | None = None
    serial_hash: str | None = None

    def __repr__(self) -> str:
        """Leave the serial out, so that no log or traceback can contain one."""
        return f"Unit(model_id={self.model_id!r}, quantity={self.quantity})"


class Leg(msgspec.Struct, frozen=True):
    """One flight: two countries and the airline that operates it."""

    origin: str
    destination: str
    airline: str

    @property
    def domestic(self) -> bool:
        """Return whether both ends are in one country."""
        return self.origin == self.destination


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """May this unit travel on this leg, in this compartment, on this date?"""

    unit: Unit
    leg: Leg
    travel_date: datetime.date
    compartment_intent: Compartment = "carry_on"


class TripQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The same for a whole itinerary of consecutive legs."""

    unit: Unit
    legs: tuple[Leg, ...]
    travel_date: datetime.date
    compartment_intent: Compartment = "carry_on"


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is printed on a unit whose exact model is not known. At least one of the figures is given.

    `voltage` is that of the capacity, not of the output.
    """

    watt_hour: Decimal | None = None
    capacity_mah: int | None = None
    voltage: Decimal | None = None

    def device(self) -> Device:
        """Return the unit as a device: printed watt-hours are rated, mAh times volts are computed.

        With both, the higher figure counts. A capacity without its voltage leaves the energy unknown.
        """
        printed = None if self.watt_hour is None else self.watt_hour.quantize(HUNDREDTH, ROUND_CEILING)
        computed = None
        if self.capacity_mah is not None and self.voltage is not None:
            computed = computed_watt_hour(self.capacity_mah, self.voltage)
        figure = printed
        basis: WattHourBasis = "rated" if printed is not None else "unknown"
        if computed is not None and (printed is None or computed > printed):
            figure, basis = computed, "computed"
        return Device(
            model_id=BY_LABEL,
            brand="",
            model_name="",
            capacity_mah=self.capacity_mah,
            nominal_voltage=self.voltage,
            watt_hour=figure,
            watt_hour_basis=basis,
        )


BY_LABEL = ""
"""The model id of a unit that is only known by its label. No model has it."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Some equal units of an itinerary: of an exact model, or (then `unit` has no model) with a label.

    `ref` is the caller's name of it, unique in the question; a recorded question has none. `unit.quantity` is
    how many units there are. `carried_by` is the number of the passenger who carries them; if it is none,
    they may be carried by any passengers.
    """

    ref: str = ""
    unit: Unit
    label: Label | None = None
    carried_by: int | None = None
    compartment_intent: Compartment = "carry_on"


def default_ref(place: int) -> str:
    """Return the name of an item without one, by its place in the question, counted from 0."""
    return f"item_{place + 1}"


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """One flight of an itinerary, on its own date: two countries, with their airports if they are known.

    At least one airline is given: the `operating_airline` flies, the `marketing_airline` sold the ticket
    under its own flight number. `date_assumed` says that the date was not given.
    """

    origin: str
    destination: str
    origin_airport: str | None = None
    destination_airport: str | None = None
    operating_airline: str | None = None
    marketing_airline: str | None = None
    date: datetime.date
    date_assumed: bool = False

    @property
    def leg(self) -> Leg:
        """The flight under the rules that decide: those of the operating airline, if it is known."""
        return Leg(self.origin, self.destination, self.operating_airline or self.marketing_airline or "")

    @property
    def seller_leg(self) -> Leg | None:
        """The flight under the rules of the marketing airline; none if no others decide."""
        if self.operating_airline is None or self.marketing_airline in {None, self.operating_airline}:
            return None
        return Leg(self.origin, self.destination, self.marketing_airline or "")

    def connects_to(self, later: "Flight") -> bool:
        """Return whether the next flight is a connection: from the same place, at most a day later."""
        airports = self.destination_airport, later.origin_airport
        same_place = airports[0] == airports[1] if all(airports) else self.destination == later.origin
        return same_place and (later.date - self.date).days <= 1


class ItineraryQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """May these units travel with these passengers, on all these flights?

    Passengers are numbered from 1. Flights are in order of travel, and need not connect.
    """

    passengers: int
    items: tuple[Item, ...]
    flights: tuple[Flight, ...]


# --- Corpus records ---------------------------------------------------------------------------------------


class When(Record, frozen=True, kw_only=True, omit_defaults=True):
    """The conditions of a rule. All must be met; an absent condition is always met."""

    watt_hour_over: Decimal | None = None
    watt_hour_at_least: Decimal | None = None
    watt_hour_up_to: Decimal | None = None
    compartment: tuple[Compartment, ...] | None = None
    recall_status: tuple[RecallStatus, ...] | None = None
    condition: tuple[UnitCondition, ...] | None = None
    certification_missing: Certification | None = None
    quantity_over: int | None = None
    model: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be written. Raises `ValueError`."""
        check_figures(
            watt_hour_over=self.watt_hour_over,
            watt_hour_at_least=self.watt_hour_at_least,
            watt_hour_up_to=self.watt_hour_up_to,
        )


class Params(Record, frozen=True, kw_only=True, omit_defaults=True):
    """The parameters of a rule's code."""

    max_units: int | None = None
    limit_watt_hour: Decimal | None = None

    def __post_init__(self) -> None:
        """Refuse a number that cannot be written. Raises `ValueError`."""
        check_figures(limit_watt_hour=self.limit_watt_hour)


class Rule(Record, frozen=True, kw_only=True):
    """One typed, dated, cited rule of a regulator or an airline.

    In force from `effective_from` to `effective_until`, both included; null is open.
    """

    rule_id: str
    issuer: Issuer
    authority: str
    jurisdiction: str
    airline: str | None = None
    applies: tuple[Scope, ...]
    when: When = When()
    effect: Effect
    code: str | None = None
    params: Params = Params()
    effective_from: datetime.date | None = None
    effective_until: datetime.date | None = None
    summary: str
    confidence: Confidence
    sources: tuple[str, ...]
    quotes: tuple[Quote, ...] = ()

    def in_force(self, day: datetime.date) -> bool:
        """Return whether the rule is in force on a day, whatever its other conditions."""
        started = self.effective_from is None or self.effective_from <= day
        return started and (self.effective_until is None or day <= self.effective_until)
