"""The two tools that judge one model: on a flight, and on a trip.

Their arguments are flat, because agents fill in flat arguments best. They are put into the form of the API's
bodies, and the API's own readers read them.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from compliance.api.verdicts import questions
from compliance.api.verdicts.bounds import MAX_LEGS, MAX_TRANSIT_STOPS
from compliance.api.verdicts.requests import (
    CitationsWanted,
    CompartmentIntent,
    RequestPart,
    RulesetVersion,
    TravelDate,
    Unit,
)
from compliance.api.verdicts.trips import TripBody, trip_body
from compliance.api.verdicts.verify import VerifyBody, verify_body
from compliance.channels.mcp import texts
from compliance.channels.mcp.airlines import AirlineName, with_codes
from compliance.channels.mcp.calls import Arguments, Call, Outcome
from compliance.channels.mcp.giving import HOW, Language, brief, check_names, flat_names, give, how_to_answer
from compliance.channels.mcp.schemas import given, taken_by_struct
from compliance.channels.mcp.tools import Tool
from rules import corpus, verdicts

# The two hundred codes would be most of a tool's description.
Country = Annotated[
    str, Meta(pattern="^[A-Z]{2}$", description="A country: ISO 3166-1 alpha-2.", examples=["AE"])
]


class FlightArguments(Unit, kw_only=True):
    """The arguments of `verify_power_bank`."""

    origin: Country
    destination: Country
    airline: AirlineName
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    date: TravelDate | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    citations: CitationsWanted | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


class FlightOfTrip(RequestPart):
    """One flight of an itinerary."""

    origin: Country
    destination: Country
    airline: AirlineName


class TripArguments(Unit, kw_only=True):
    """The arguments of `verify_trip`."""

    origin: Country | UnsetType = UNSET
    transit: (
        Annotated[
            list[Country],
            Meta(
                min_length=1,
                max_length=MAX_TRANSIT_STOPS,
                description="The countries of the stops, in order. Within a country, name it again.",
            ),
        ]
        | UnsetType
    ) = UNSET
    destination: Country | UnsetType = UNSET
    airline: AirlineName | UnsetType = UNSET
    legs: (
        Annotated[
            list[FlightOfTrip],
            Meta(
                min_length=1,
                max_length=MAX_LEGS,
                description="Each flight in order, instead of origin, transit, destination and airline. It "
                "starts in the country where the flight before ended.",
            ),
        ]
        | UnsetType
    ) = UNSET
    compartment_intent: CompartmentIntent | UnsetType = UNSET
    date: TravelDate | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


_OF_TRIP = ("origin", "transit", "destination", "airline", "legs", "compartment_intent", "date")


def verify_power_bank(call: Call, arguments: Arguments) -> Outcome:
    """Judge one flight. Raises the errors of the door and the readers."""
    release = corpus.current()
    named = with_codes(arguments, release)
    # For a route with stops, the reader names the right tool.
    device, trip, rest = _sorted(FlightArguments, brief(named), also=("transit", "legs"))
    with flat_names(arguments):
        asked = questions.verify_request(
            {**device, "trip": trip, **rest}, today=call.now.date(), countries=release.corpus.countries
        )
    corpus.check_version(release, asked.ruleset_version)
    answer = verdicts.answer_from(release, asked.question, now=call.now)
    return give(call, answer, verify_body(answer, asked.language, asked.citations), asked.language)


def verify_trip(call: Call, arguments: Arguments) -> Outcome:
    """Judge a journey. Raises the errors of the door and the readers."""
    release = corpus.current()
    device, trip, rest = _sorted(TripArguments, with_codes(arguments, release))
    with flat_names(arguments):
        asked = questions.trip_request(
            {"device": device, "trip": trip, **rest},
            today=call.now.date(),
            countries=release.corpus.countries,
        )
    corpus.check_version(release, asked.ruleset_version)
    answer = verdicts.trip_answer_from(release, asked.question, now=call.now)
    return give(call, answer, trip_body(answer, asked.language), asked.language)


def _sorted(
    takes: type[msgspec.Struct], arguments: Arguments, also: tuple[str, ...] = ()
) -> tuple[Arguments, Arguments, Arguments]:
    """Return arguments grouped by their place in a body: the device, the trip, the rest.

    Raises `ApiError`.
    """
    check_names(arguments, takes.__struct_fields__, also)
    device, trip, rest = (
        {name: value for name, value in arguments.items() if name in names}
        for names in (Unit.__struct_fields__, _OF_TRIP, HOW)
    )
    return device, trip, how_to_answer(rest)


TOOLS = (
    Tool(
        name="verify_power_bank",
        title="May it travel on this flight?",
        description=texts.VERIFY_POWER_BANK,
        takes=taken_by_struct(FlightArguments),
        gives=given(VerifyBody, verdict=True),
        run=verify_power_bank,
        verdict=True,
    ),
    Tool(
        name="verify_trip",
        title="May it travel on this whole trip?",
        description=texts.VERIFY_TRIP,
        takes=taken_by_struct(TripArguments),
        gives=given(TripBody, verdict=True),
        run=verify_trip,
        verdict=True,
    ),
)
