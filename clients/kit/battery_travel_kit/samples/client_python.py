"""The same shop with the Python client, which prevents these mistakes.

python -m battery_travel_kit --function battery_travel_kit.samples.client_python:may_travel
"""

import datetime
from typing import Any

from battery_travel import (
    Client,
    Flight,
    Item,
    ItineraryQuestion,
    Label,
    Leg,
    Patience,
    Question,
    TripQuestion,
    legs_through,
)

PATIENCE = Patience(attempts=2, seconds=5, seconds_each=2)


def may_travel(request: dict[str, Any], base_url: str) -> bool:
    """Return whether a power bank may travel."""
    with Client(base_url, sandbox=True, patience=PATIENCE) as client:
        if "items" in request:
            return client.verify_itinerary(itinerary_question(request)).clear_to_pack()
        if "device" in request:
            return client.verify_trip(trip_question(request)).clear_to_pack()
        trip = request["trip"]
        flight = {name: trip[name] for name in ("origin", "destination", "airline")}
        return client.verify(Question(**unit(request), **flight, **compartment(trip))).clear_to_pack()


def trip_question(request: dict[str, Any]) -> TripQuestion:
    """Return the question about a journey."""
    trip = request["trip"]
    if "legs" in trip:
        legs = tuple(Leg(**leg) for leg in trip["legs"])
    else:
        stops = [trip["origin"], *trip.get("transit", []), trip["destination"]]
        legs = legs_through(stops, trip["airline"])
    return TripQuestion(**unit(request["device"]), legs=legs, **compartment(trip))


def itinerary_question(request: dict[str, Any]) -> ItineraryQuestion:
    """Return the question about an itinerary, with all its passengers, items and flights."""
    return ItineraryQuestion(
        passengers=request.get("passengers", 1),
        items=[item(asked) for asked in request["items"]],
        flights=[
            Flight(**{**asked, "date": datetime.date.fromisoformat(asked["date"])})
            if "date" in asked
            else Flight(**asked)
            for asked in request["segments"]
        ],
    )


def item(asked: dict[str, Any]) -> Item:
    """Return an item of an itinerary."""
    label = Label(**asked["label"]) if "label" in asked else None
    named = {name: asked[name] for name in ("ref", "carried_by") if name in asked}
    return Item(**unit(asked), **named, **compartment(asked), label=label)


def unit(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what is known about the power bank."""
    names = (
        "model_id", "quantity", "ccc_mark", "capacity_label", "condition", "recall_check",
        "serial", "serial_hash",
    )  # fmt: skip
    return {name: asked[name] for name in names if name in asked}


def compartment(trip: dict[str, Any]) -> dict[str, Any]:
    """Return the compartment, if the question gives it."""
    return {name: trip[name] for name in ("compartment_intent",) if name in trip}
