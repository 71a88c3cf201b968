"""What a case asks: one unit on a flight or on a trip, or an itinerary. And what no one could ask."""

import datetime
import itertools
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated

import msgspec

from catalog.energy import HUNDREDTH, WattHourBasis, is_plain
from rules.engine.facts import (
    Flight,
    Item,
    ItineraryQuestion,
    Leg,
    Question,
    TripQuestion,
    Unit,
    default_ref,
)
from rules.engine.vocabulary import (
    MAX_FLIGHTS,
    MAX_ITEMS,
    MAX_PASSENGERS,
    MAX_QUANTITY,
    MAX_UNIT_FLIGHTS,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)

ModelId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{1,79}$")]
CountryCode = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{2}$")]
AirlineCode = Annotated[str, msgspec.Meta(pattern=r"^[A-Z0-9]{2}$")]
Serial = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
SerialHash = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Quantity = Annotated[int, msgspec.Meta(ge=1, le=MAX_QUANTITY)]
Passenger = Annotated[int, msgspec.Meta(ge=1, le=MAX_PASSENGERS)]
Ref = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,40}$")]
Route = Annotated[tuple[CountryCode, ...], msgspec.Meta(min_length=2, max_length=10)]
CaseLeg = tuple[CountryCode, CountryCode, AirlineCode]
Legs = Annotated[tuple[CaseLeg, ...], msgspec.Meta(min_length=1, max_length=9)]


class GivenUnit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A catalog model, or any unit of a rating: `watt_hour` with its `basis`."""

    model_id: ModelId | None = None
    watt_hour: Decimal | None = None
    basis: WattHourBasis | None = None
    compartment: Compartment = "carry_on"
    quantity: Quantity = 1
    ccc_mark: MarkIndication = "unknown"
    capacity_label: LabelIndication = "unknown"
    condition: UnitCondition = "unknown"
    recall_check: ListAnswer = "not_checked"
    serial: Serial | None = None
    serial_hash: SerialHash | None = None

    def rated_model_id(self) -> str:
        """Return the model id of any unit of this rating."""
        return f"verdict-case-{self.basis}-{self.watt_hour}".lower().replace(".", "-")

    def unit(self) -> Unit:
        """Return the unit as the engine is asked about it."""
        return Unit(
            model_id=self.model_id or self.rated_model_id(),
            quantity=self.quantity,
            ccc_mark=self.ccc_mark,
            capacity_label=self.capacity_label,
            condition=self.condition,
            recall_check=self.recall_check,
            serial=self.serial,
            serial_hash=self.serial_hash,
        )


class GivenItem(GivenUnit, frozen=True, kw_only=True, omit_defaults=True):
    """Some equal units of an itinerary, with their name in it and who carries them."""

    ref: Ref | None = None
    carried_by: Passenger | None = None


class GivenSegment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A flight of an itinerary. Without a `date` it is on the day of the flight before."""

    origin: CountryCode
    destination: CountryCode
    operating_airline: AirlineCode | None = None
    marketing_airline: AirlineCode | None = None
    date: datetime.date | None = None


Items = Annotated[tuple[GivenItem, ...], msgspec.Meta(min_length=1, max_length=MAX_ITEMS)]
Segments = Annotated[tuple[GivenSegment, ...], msgspec.Meta(min_length=1, max_length=MAX_FLIGHTS)]


class Given(GivenUnit, frozen=True, kw_only=True):
    """The question of a case: travel on the day `on`, asked on the day `today` (the same day unless given).

    One unit flies a route or legs. Or the case asks an itinerary, as POST /api/itineraries/verify does:
    `passengers`, `items` and `segments`, and then nothing else of a unit or a flight.
    """

    on: datetime.date
    today: datetime.date | None = None
    route: Route | None = None
    airline: AirlineCode | None = None
    legs: Legs | None = None
    passengers: Passenger = 1
    items: Items | None = None
    segments: Segments | None = None

    def units(self) -> tuple[GivenUnit, ...]:
        """Return the units that the case asks about."""
        return (self,) if self.items is None else self.items

    def flights(self) -> tuple[Leg, ...]:
        """Return the legs under the rules that decide: those of the itinerary, or given, or of the route."""
        if self.segments is not None:
            return tuple(flight.leg for flight in _flights_of(self))
        if self.legs is not None:
            return tuple(Leg(*leg) for leg in self.legs)
        route = self.route or ()
        return tuple(Leg(start, end, self.airline or "") for start, end in itertools.pairwise(route))

    def question(self) -> Question | TripQuestion | ItineraryQuestion:
        """Return the question as the engine is asked."""
        if self.items is not None:
            items = tuple(_item(place, item) for place, item in enumerate(self.items))
            return ItineraryQuestion(
                passengers=self.passengers, items=items, flights=tuple(_flights_of(self))
            )
        unit, legs = self.unit(), self.flights()
        if len(legs) == 1:
            return Question(unit=unit, leg=legs[0], travel_date=self.on, compartment_intent=self.compartment)
        return TripQuestion(unit=unit, legs=legs, travel_date=self.on, compartment_intent=self.compartment)


def _flights_of(given: Given) -> Iterator[Flight]:
    """Yield the flights of an itinerary, each on its day."""
    day = given.on
    for segment in given.segments or ():
        day = segment.date or day
        yield Flight(
            origin=segment.origin,
            destination=segment.destination,
            operating_airline=segment.operating_airline,
            marketing_airline=segment.marketing_airline,
            date=day,
        )


def _item(place: int, item: GivenItem) -> Item:
    return Item(
        ref=item.ref or default_ref(place),
        unit=item.unit(),
        carried_by=item.carried_by,
        compartment_intent=item.compartment,
    )


# --- Questions that no one could ask ------------------------------------------------------------------------


def objections(given: Given) -> Iterator[str]:
    """Yield why no one could ask this, each as the end of a sentence about the case."""
    if given.items is not None and given.segments is not None:
        yield from _about_itinerary(given, given.items)
    elif given.items is not None or given.segments is not None or given.passengers > 1:
        yield "asks about an itinerary, so it needs both `items` and `segments`"
    else:
        yield from _about_unit(given)
        yield from _about_route(given)


def _about_unit(unit: GivenUnit) -> Iterator[str]:
    by_rating = unit.watt_hour is not None or unit.basis is not None
    if (unit.model_id is not None) == by_rating:
        yield "needs either `model_id`, or `watt_hour` with `basis`"
    elif by_rating and (unit.basis is None or (unit.basis == "unknown") != (unit.watt_hour is None)):
        yield "`watt_hour` and `basis` go together; only the basis `unknown` stands without a figure"
    if unit.watt_hour is not None and not _is_amount(unit.watt_hour):
        yield "`watt_hour` is not a positive number with at most two decimals"
    if unit.serial is not None and unit.serial_hash is not None:
        yield "has a serial and a hash; a question holds one of them"


def _is_amount(watt_hour: Decimal) -> bool:
    return is_plain(watt_hour) and watt_hour > 0 and watt_hour == watt_hour.quantize(HUNDREDTH)


def _about_route(given: Given) -> Iterator[str]:
    if given.legs is None and (given.route is None or given.airline is None):
        yield "needs either `route` and `airline`, or `legs`"
    if given.legs is not None and (given.route is not None or given.airline is not None):
        yield "has `legs`, so it takes neither `route` nor `airline`"
    if any(flight.destination != onward.origin for flight, onward in itertools.pairwise(given.flights())):
        yield "the legs do not follow each other: one starts where the one before does not end"


def _about_itinerary(given: Given, items: Items) -> Iterator[str]:
    own = {"on", "today", "passengers", "items", "segments"}
    silent = Given(on=given.on)
    for name in given.__struct_fields__:
        if name not in own and getattr(given, name) != getattr(silent, name):
            yield f"asks about an itinerary; `{name}` belongs to one of its items or segments"
    for item in items:
        yield from _about_unit(item)
    asked = [_item(place, item) for place, item in enumerate(items)]
    if len({item.ref for item in asked}) < len(asked):
        yield "two items have the same `ref`"
    if any((item.carried_by or 1) > given.passengers for item in items):
        yield "`carried_by` names a passenger whom there is not"
    flights = tuple(_flights_of(given))
    if any(not flight.leg.airline for flight in flights):
        yield "a segment needs an `operating_airline` or a `marketing_airline`"
    days = [given.on, *[flight.date for flight in flights]]
    if days != sorted(days):
        yield "the segments are not in order of their dates, or the first one is before `on`"
    if sum(item.quantity for item in items) * len(flights) > MAX_UNIT_FLIGHTS:
        yield f"has more than {MAX_UNIT_FLIGHTS} units times flights"
