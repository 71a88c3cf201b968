"""The tool that judges an itinerary: several power banks, passengers and flights.

A call counts as many requests as the same question to the API does.
"""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from compliance.api.verdicts.itineraries import ItineraryBody, itinerary_body, requests_of
from compliance.api.verdicts.itinerary_request import itinerary_request
from compliance.api.verdicts.requests import (
    CitationsWanted,
    ItemRequest,
    RulesetVersion,
    SegmentRequest,
    TravelerRequest,
)
from compliance.channels.mcp import texts
from compliance.channels.mcp.admission import spend
from compliance.channels.mcp.airlines import AIRLINE_ABOUT, AirlineName, with_codes
from compliance.channels.mcp.calls import Arguments, Call, Outcome
from compliance.channels.mcp.giving import Language, brief, check_names, flat_names, give, how_to_answer
from compliance.channels.mcp.schemas import given, taken_by_struct
from compliance.channels.mcp.tools import Tool
from rules import corpus, verdicts
from rules.engine.vocabulary import MAX_FLIGHTS, MAX_ITEMS


class FlightOfItinerary(SegmentRequest, kw_only=True):
    """One flight of an itinerary. At least one of the two airlines is required."""

    operating_airline: (
        Annotated[AirlineName, Meta(description=f"Who flies; ask the person. {AIRLINE_ABOUT}")] | UnsetType
    ) = UNSET
    marketing_airline: (
        Annotated[
            AirlineName,
            Meta(
                description="Whose number is on the ticket, also as a flight number. Alone: at best "
                f"`conditional`. {AIRLINE_ABOUT}"
            ),
        ]
        | UnsetType
    ) = UNSET


class ItineraryArguments(TravelerRequest, kw_only=True):
    """The arguments of `verify_itinerary`."""

    items: Annotated[
        list[ItemRequest],
        Meta(
            min_length=1,
            max_length=MAX_ITEMS,
            description="Equal power banks each: by the exact `model_id`, or, if it is not known, by what "
            "is on the `label`; never both.",
        ),
    ]
    segments: Annotated[  # type: ignore[assignment]
        list[FlightOfItinerary],
        Meta(
            min_length=1,
            max_length=MAX_FLIGHTS,
            description="All flights in order of travel; they need not connect. Each needs at least one of "
            "the two airlines.",
        ),
    ]
    language: Language | UnsetType = UNSET
    citations: CitationsWanted | UnsetType = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


def verify_itinerary(call: Call, arguments: Arguments) -> Outcome:
    """Judge an itinerary. Raises the errors of the door and the reader."""
    check_names(arguments, ItineraryArguments.__struct_fields__)
    release = corpus.current()
    body = how_to_answer(brief(with_codes(arguments, release)))
    with flat_names(arguments):
        asked = itinerary_request(body, today=call.now.date(), countries=release.corpus.countries)
    corpus.check_version(release, asked.ruleset_version)
    spend(call, requests_of(asked.question) - 1)
    answer = verdicts.itinerary_answer_from(release, asked.question, now=call.now)
    leg_ids = [verdicts.flight_leg_ids(answer, flight) for flight in answer.outcome.flights]
    given_body = itinerary_body(answer, leg_ids, asked.language, asked.citations)
    return give(call, answer, given_body, asked.language)


TOOLS = (
    Tool(
        name="verify_itinerary",
        title="May all of this travel with these passengers?",
        description=texts.VERIFY_ITINERARY,
        takes=taken_by_struct(ItineraryArguments),
        gives=given(ItineraryBody, verdict=True),
        run=verify_itinerary,
        verdict=True,
    ),
)
