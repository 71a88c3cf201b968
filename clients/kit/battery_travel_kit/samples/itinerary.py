"""What a shop without one of our clients has to check before a whole itinerary is clear.

Every function raises `KeyError`, `TypeError` or `ValueError` for an answer that breaks the contract.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]


def is_clear(request: Json, body: Json) -> bool:
    """Return whether every passenger may pack what the answer gives them, and nothing is left out."""
    items = {item.get("ref", f"item_{at}"): item for at, item in enumerate(request["items"], 1)}
    flights, bags = body["segments"], body["packing"]["passengers"]
    return (
        # Anything else in `packing` is about units that must not be packed as they are.
        {*body["packing"]} == {"passengers"}
        and {one["verdict"] for one in (*body["items"], *flights, *bags)} == {"allowed"}
        and [one["ref"] for one in body["items"]] == [*items]
        and all(item_is_clear(one, items[one["ref"]]) for one in body["items"])
        and len(flights) == len(request["segments"])
        and all(map(flight_is_clear, flights, request["segments"], range(1, len(flights) + 1)))
        and all([one["ref"] for one in flight["items"]] == [*items] for flight in flights)
        and everything_is_packed(bags, items, request.get("passengers", 1))
        and all(keeps_its_constraints(bag, flights, items) for bag in bags)
    )


def item_is_clear(one: Json, asked: Json) -> bool:
    """Return whether an item is the one of the question, and nothing is open about its model."""
    device = one["device_resolved"]
    evaluations = [recall.get("serial_evaluation") for recall in device["recalls"]]
    return (
        one["quantity"] == asked.get("quantity", 1)
        and "label" not in one
        and device["model_id"] == asked["model_id"]
        and device["watt_hour"] is not None
        and device["recall_status"] == "not_affected"
        and device["recall_check_method"] in {"model_match", "pattern"}
        and all(
            found["match_status"] == "not_affected" and found["provided_serial"] == asked.get("serial")
            for found in evaluations
            if found
        )
    )


def flight_is_clear(one: Json, asked: Json, index: int) -> bool:
    """Return whether a flight is the one of the question, and every item is allowed on it."""
    return (
        one["index"] == index
        and all(
            one.get(f"{place}_airport", one[place]) == asked[place] for place in ("origin", "destination")
        )
        and all(one.get(name) == asked.get(name) for name in ("operating_airline", "marketing_airline"))
        and bool(one["date"] == asked["date"] if "date" in asked else one["date_assumed"])
        and not one.get("error")
        and all(item["verdict"] == "allowed" and item["decided_by"] == [] for item in one["items"])
    )


def everything_is_packed(bags: list[Json], items: Mapping[str, Json], passengers: int) -> bool:
    """Return whether every unit is in the bag of one passenger of the question."""
    packed = Counter[str]()
    for bag in bags:
        for share in bag["items"]:
            if (
                share["quantity"] < 1
                or items[share["ref"]].get("carried_by", bag["passenger"]) != bag["passenger"]
            ):
                return False
            packed[share["ref"]] += share["quantity"]
    numbers = [bag["passenger"] for bag in bags]
    return (
        len({*numbers}) == len(numbers)
        and {*numbers} <= {*range(1, passengers + 1)}
        and packed == {ref: item.get("quantity", 1) for ref, item in items.items()}
    )


def keeps_its_constraints(bag: Json, flights: list[Json], items: Mapping[str, Json]) -> bool:
    """Return whether a bag has no more units than each flight permits, and none of them is checked."""
    for constraint in (one for flight in flights for one in flight["constraints"]):
        shares = [share for share in bag["items"] if share["ref"] in constraint["refs"]]
        units = sum(share["quantity"] for share in shares)
        checked = any(items[share["ref"]].get("compartment_intent") == "checked" for share in shares)
        code = constraint["code"]
        if (checked and code == "carry_on_only") or (
            code.startswith("max_units") and int(code.rsplit("_", 1)[1]) < units
        ):
            return False
    return True
