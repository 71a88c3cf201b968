"""The same shop with the Python client, which prevents these mistakes.

python -m battery_travel_kit --function battery_travel_kit.samples.client_python:may_travel
"""

from typing import Any

from battery_travel import Client, Leg, Patience, Question, TripQuestion, legs_through

PATIENCE = Patience(attempts=2, seconds=5, seconds_each=2)


def may_travel(request: dict[str, Any], base_url: str) -> bool:
    """Return whether a power bank may travel."""
    with Client(base_url, sandbox=True, patience=PATIENCE) as client:
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
