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
    SERIAL_HASH,
)
from rules.engine.document import AIRLINE_CODE, MODEL_ID
from rules.engine.vocabulary import (
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)


def _whole(pattern: str) -> str:
    return f"^({pattern})$"


COUNTRIES = tuple(iso_countries())
"""Every country that a route can touch, by ISO 3166-1 alpha-2 code."""

CountryCode = Annotated[str, Meta(extra_json_schema={"enum": list(COUNTRIES)})]
AirlineCode = Annotated[str, Meta(pattern=_whole(AIRLINE_CODE.pattern))]

ModelId = Annotated[
    str,
    Meta(
        pattern=_whole(MODEL_ID.pattern),
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
        pattern=_whole(SERIAL_HASH.pattern),
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


class RequestPart(msgspec.Struct, forbid_unknown_fields=True):
    """An object of a request. Unlisted fields are refused; answers, on the other hand, may grow."""


class OptionsRequest(RequestPart):
    """Options of the answer."""

    language: (
        Annotated[
            str,
            Meta(
                description="The language of messages and summaries. Absent: `en`.",
                extra_json_schema={"enum": list(LANGUAGES)},
            ),
        ]
        | UnsetType
    ) = UNSET


class FlightRequest(RequestPart):
    """One flight. `transit` may be an empty list. A route with stops is a trip."""

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


class StopsRequest(RequestPart):
    """A journey on one airline with stops: one flight more than there are stops."""

    origin: CountryCode
    destination: CountryCode
    airline: AirlineCode
    transit: (
        Annotated[
            list[CountryCode],
            Meta(
                min_length=1,
                max_length=MAX_TRANSIT_STOPS,
                description=(
                    "The countries of the stops, in order. For a connection inside one country, name the "
                    "country again. Absent: a direct flight."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
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
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    date: TravelDate | UnsetType = UNSET


class ItineraryRequest:
    """A journey by its stops or by its flights."""

    one_of: ClassVar = (StopsRequest, LegsRequest)


class Unit(RequestPart, kw_only=True):
    """The power bank in question."""

    also: ClassVar[Mapping[str, Any]] = {
        "not": {"required": ["serial", "serial_hash"], "properties": {"serial": {}, "serial_hash": {}}}
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
    options: OptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


class DeviceRequest(Unit, kw_only=True):
    """The power bank in question."""


class TripRequest(RequestPart, kw_only=True):
    """The body of POST /api/trips/verify. A field that is not listed here is refused, never ignored."""

    device: DeviceRequest
    trip: ItineraryRequest
    options: OptionsRequest | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET
