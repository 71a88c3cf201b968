"""The form of the two questions, for the contract and its readers.

`VerifyRequest` is also the reader of a body without errors. `questions` reads all other bodies by hand,
because its errors are more exact than a decoder's; a test compares both. Three rules that no schema can
express are only in the descriptions: a date is between today and a year ahead, legs chain, and a pinned
version is the current one.
"""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from catalog.places.iso_3166 import iso_countries
from compliance.api.protocol.fields import VISIBLE_TEXT
from compliance.api.verdicts.bounds import (
    LANGUAGES,
    MAX_LEGS,
    MAX_SERIAL_CHARACTERS,
    MAX_TRANSIT_STOPS,
    MAX_VERSION_CHARACTERS,
    PLACE_CODE,
    REF,
    SERIAL_HASH,
    Citations,
)
from rules.engine.document import AIRLINE_CODE, MODEL_ID
from rules.engine.vocabulary import (
    MAX_FLIGHTS,
    MAX_ITEMS,
    MAX_PASSENGERS,
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)


def whole(pattern: str) -> str:
    """Return a pattern that a whole text must match, as JSON Schema writes it."""
    return f"^({pattern})$"


COUNTRIES = tuple(iso_countries())
"""Every country that a route can touch, by ISO 3166-1 alpha-2 code."""

CountryCode = Annotated[str, Meta(extra_json_schema={"enum": list(COUNTRIES)})]
AirlineCode = Annotated[str, Meta(pattern=whole(AIRLINE_CODE.pattern))]

ModelId = Annotated[
    str,
    Meta(
        pattern=whole(MODEL_ID.pattern),
        description="The exact catalog model, as GET /api/devices lists it.",
        examples=["anker-a1263"],
    ),
]
Serial = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_SERIAL_CHARACTERS,
        pattern=f"^{VISIBLE_TEXT.pattern}$",
        description=(
            "The identifier that a recall asks for, as printed on the unit: mostly its serial number. It is "
            "compared in memory, never stored or logged. Send either this or `serial_hash`."
        ),
        examples=["35S24B8A013027"],
    ),
]
SerialHash = Annotated[
    str,
    Meta(
        pattern=whole(SERIAL_HASH.pattern),
        description=(
            "SHA-256 of the serial (trimmed, upper case) as 64 lower-case hex digits. A recall with a "
            "pattern cannot be checked against a hash and stays `unknown`."
        ),
    ),
]
CccMark = Annotated[
    MarkIndication, Meta(description="Whether the unit has a readable CCC (3C) mark. Absent: `unknown`.")
]
Quantity = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_QUANTITY,
        description="How many units of this model one passenger carries. Absent: 1.",
        examples=[2],
    ),
]
CapacityLabel = Annotated[
    LabelIndication, Meta(description="Whether the rating is readable on the unit. Absent: `unknown`.")
]
Condition = Annotated[UnitCondition, Meta(description="The state of the unit. Absent: `unknown`.")]
RecallCheck = Annotated[
    ListAnswer,
    Meta(
        description=(
            "What the maker's recall list says about the unit, for all active recalls of the model. With "
            "`affected` the verdict is `banned`. With `not_affected` the constraint `recall_list_proof` "
            "replaces `recall_serial_check`; the verdict is still `conditional` at best. Absent: "
            "`not_checked`."
        ),
        examples=["not_affected"],
    ),
]
CompartmentIntent = Annotated[
    Compartment, Meta(description="Where the power bank is to travel. Absent: `carry_on`.")
]
TravelDate = Annotated[
    datetime.date,
    Meta(description="The day of the flight, from today (UTC) up to 366 days ahead. Absent: today."),
]
RulesetVersion = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_VERSION_CHARACTERS,
        description=(
            "The ruleset that must answer. Any version except the current one is refused with "
            "`RULESET_VERSION_NOT_CURRENT`. Absent: the current one."
        ),
        examples=["2026-11-20"],
    ),
]


MustBeAbsent = Annotated[None, Meta(description="Not a field of this form: absent or null.")] | UnsetType


class RequestPart(msgspec.Struct, forbid_unknown_fields=True):
    """An object of a request. Unlisted fields are refused; answers, on the other hand, may grow.

    An optional field may be null, which counts as absent (`contract.schemas` adds that to each).
    """


class OptionsRequest(RequestPart):
    """Options of the answer."""

    language: (
        Annotated[
            str,
            Meta(
                description="The language of messages and summaries. A regional tag of BCP 47, such as "
                "`en-GB`, counts as its language. Absent: `en`.",
                extra_json_schema={"enum": list(LANGUAGES)},
            ),
        ]
        | UnsetType
    ) = UNSET


CitationsWanted = Annotated[
    Citations,
    Meta(
        description=(
            "Which `citations` the answer lists. `deciding`: the sources of the models, and of the rules "
            "that ban, demand what is open or, where none does, permit. `none`: an empty list; `rule_ids` "
            "still name the rules. The verdict and its id are the same. Absent: `full`."
        )
    ),
]


class AnswerOptionsRequest(OptionsRequest):
    """Options of an answer that lists its evidence."""

    citations: CitationsWanted | UnsetType = UNSET


NoLegs = Annotated[
    list[str],
    Meta(max_length=0, description="Always empty: this form has no flights of its own."),
]


class FlightRequest(RequestPart):
    """One flight. A route with stops is a trip."""

    origin: CountryCode
    destination: CountryCode
    airline: AirlineCode
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    date: TravelDate | UnsetType = UNSET
    transit: (
        Annotated[
            list[str],
            Meta(
                max_length=0,
                description="Always empty: send a trip with stops to POST /api/trips/verify.",
            ),
        ]
        | UnsetType
    ) = UNSET
    legs: NoLegs | UnsetType = UNSET


class StopsRequest(RequestPart):
    """A journey on one airline with stops: one flight more than there are stops."""

    origin: CountryCode
    destination: CountryCode
    airline: AirlineCode
    transit: (
        Annotated[
            list[CountryCode],
            Meta(
                max_length=MAX_TRANSIT_STOPS,
                description=(
                    "The countries of the stops, in order. For a connection inside one country, name the "
                    "country again. Empty or absent: a direct flight."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
    legs: NoLegs | UnsetType = UNSET
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    date: TravelDate | UnsetType = UNSET


class LegRequest(RequestPart):
    """One flight of an itinerary."""

    origin: CountryCode
    destination: CountryCode
    airline: AirlineCode


class LegsRequest(RequestPart):
    """A journey flight by flight, on one or more airlines."""

    legs: Annotated[
        list[LegRequest],
        Meta(
            min_length=1,
            max_length=MAX_LEGS,
            description="The flights in order. Each one starts in the country where the flight before ended.",
        ),
    ]
    origin: MustBeAbsent = UNSET
    transit: (
        Annotated[list[str], Meta(max_length=0, description="Always empty: the legs already name the stops.")]
        | UnsetType
    ) = UNSET
    destination: MustBeAbsent = UNSET
    airline: MustBeAbsent = UNSET
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    date: TravelDate | UnsetType = UNSET


class ItineraryRequest:
    """A journey by its stops or by its flights."""

    one_of: ClassVar = (StopsRequest, LegsRequest)


class Unit(RequestPart, kw_only=True):
    """The power bank in question."""

    also: ClassVar[Mapping[str, Any]] = {
        "not": {
            "required": ["serial", "serial_hash"],
            "properties": {"serial": {"type": "string"}, "serial_hash": {"type": "string"}},
        }
    }

    model_id: ModelId
    ccc_mark: CccMark | UnsetType = UNSET
    quantity: Quantity | UnsetType = UNSET
    capacity_label: CapacityLabel | UnsetType = UNSET
    condition: Condition | UnsetType = UNSET
    recall_check: RecallCheck | UnsetType = UNSET
    serial: Serial | UnsetType = UNSET
    serial_hash: SerialHash | UnsetType = UNSET


class VerifyRequest(Unit, kw_only=True):
    """The body of POST /api/verify. A field that is not listed here is refused, never ignored."""

    trip: FlightRequest
    options: AnswerOptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


class DeviceRequest(Unit, kw_only=True):
    """The power bank in question."""


class TripRequest(RequestPart, kw_only=True):
    """The body of POST /api/trips/verify. A field that is not listed here is refused, never ignored."""

    device: DeviceRequest
    trip: ItineraryRequest
    options: OptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


ItemRef = Annotated[
    str,
    Meta(
        pattern=whole(REF.pattern),
        description=(
            "Your name of the item, unique in the question; the answer uses it. Absent: `item_1`, `item_2` "
            "and so on, by place."
        ),
        examples=["anker"],
    ),
]
ItemQuantity = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_QUANTITY,
        description="How many of these units travel, with all passengers together. Absent: 1.",
        examples=[2],
    ),
]
CarriedBy = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_PASSENGERS,
        description=(
            "The number of the passenger who carries the units of this item, from 1 to `passengers`. Absent: "
            "the service looks for the distribution with the mildest verdict."
        ),
    ),
]
PlaceCode = Annotated[
    str,
    Meta(
        pattern=whole(PLACE_CODE.pattern),
        description="A country (ISO 3166-1 alpha-2) or an airport (IATA), such as `AE` or `DXB`. A code "
        "of an airport that is also the alpha-3 code of another country needs its own before it: `DE-FRA`.",
        examples=["DXB", "AE"],
    ),
]


class LabelRequest(RequestPart):
    """What is printed on a unit whose exact model is not known: at least one figure.

    Watt-hours are taken as rated, mAh times volts as computed; with both, the higher figure counts. A
    capacity without its voltage leaves the energy unknown.
    """

    also: ClassVar[Mapping[str, Any]] = {
        "not": {"properties": {name: {"type": "null"} for name in ("watt_hour", "capacity_mah", "voltage")}}
    }

    watt_hour: Annotated[float, Meta(ge=1, le=10_000, description="In Wh.")] | UnsetType = UNSET
    capacity_mah: Annotated[int, Meta(ge=200, le=1_000_000, description="In mAh.")] | UnsetType = UNSET
    voltage: (
        Annotated[
            float,
            Meta(ge=3, le=60, description="The voltage of the capacity, not that of the output, in V."),
        ]
        | UnsetType
    ) = UNSET


class WatchedModelItemRequest(RequestPart, kw_only=True):
    """Some equal power banks of an exact model, without identifiers of a single unit."""

    ref: ItemRef | UnsetType = UNSET
    model_id: ModelId
    label: MustBeAbsent = UNSET
    quantity: ItemQuantity | UnsetType = UNSET
    carried_by: CarriedBy | UnsetType = UNSET
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    ccc_mark: CccMark | UnsetType = UNSET
    capacity_label: CapacityLabel | UnsetType = UNSET
    condition: Condition | UnsetType = UNSET
    recall_check: RecallCheck | UnsetType = UNSET


def _several_units_with(name: str) -> dict[str, Any]:
    return {
        "required": [name, "quantity"],
        "properties": {name: {"type": "string"}, "quantity": {"type": "integer", "minimum": 2}},
    }


class ModelItemRequest(WatchedModelItemRequest, kw_only=True):
    """Some equal power banks of an exact model. A serial is that of one unit."""

    also: ClassVar[Mapping[str, Any]] = {
        "allOf": [
            Unit.also,
            *({"not": _several_units_with(name)} for name in ("serial", "serial_hash")),
        ]
    }

    serial: Serial | UnsetType = UNSET
    serial_hash: SerialHash | UnsetType = UNSET


class LabelItemRequest(RequestPart, kw_only=True):
    """Some equal power banks of an unknown model, by their label. At best `conditional`."""

    ref: ItemRef | UnsetType = UNSET
    label: LabelRequest
    model_id: MustBeAbsent = UNSET
    serial: MustBeAbsent = UNSET
    serial_hash: MustBeAbsent = UNSET
    quantity: ItemQuantity | UnsetType = UNSET
    carried_by: CarriedBy | UnsetType = UNSET
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    ccc_mark: CccMark | UnsetType = UNSET
    capacity_label: CapacityLabel | UnsetType = UNSET
    condition: Condition | UnsetType = UNSET
    recall_check: RecallCheck | UnsetType = UNSET


class ItemRequest:
    """Some equal power banks: of an exact model, or by their label."""

    one_of: ClassVar = (ModelItemRequest, LabelItemRequest)


class SegmentRequest(RequestPart, kw_only=True):
    """One flight of an itinerary. At least one of the two airlines is required."""

    origin: PlaceCode
    destination: PlaceCode
    operating_airline: (
        Annotated[
            AirlineCode,
            Meta(description="The airline that flies, by its IATA code. Its rules decide.", examples=["EK"]),
        ]
        | UnsetType
    ) = UNSET
    marketing_airline: (
        Annotated[
            AirlineCode,
            Meta(
                description=(
                    "The airline whose number is on the ticket, by its IATA code. If it is sent alone, the "
                    "verdict is at best `conditional`."
                ),
                examples=["QF"],
            ),
        ]
        | UnsetType
    ) = UNSET
    date: (
        Annotated[
            datetime.date,
            Meta(
                description=(
                    "The day of the flight, up to 366 days ahead and never before the flight before. Absent: "
                    "the day of the flight before, or today (UTC); the answer then has `date_assumed`."
                )
            ),
        ]
        | UnsetType
    ) = UNSET


class TravelerRequest(RequestPart, kw_only=True):
    """What a traveler has: several power banks, passengers and flights."""

    passengers: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_PASSENGERS,
                description="People with a seat of their own; a lap infant is not counted. Absent: 1.",
            ),
        ]
        | UnsetType
    ) = UNSET
    items: Annotated[list[ItemRequest], Meta(min_length=1, max_length=MAX_ITEMS)]
    segments: Annotated[
        list[SegmentRequest],
        Meta(
            min_length=1,
            max_length=MAX_FLIGHTS,
            description="The flights in order of travel. They need not connect: a return is a flight too.",
        ),
    ]


class ItineraryVerifyRequest(TravelerRequest, kw_only=True):
    """The body of POST /api/itineraries/verify. A field that is not listed here is refused, never ignored."""

    options: AnswerOptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET
