"""Itineraries on the stage: what a question means, and an answer to it in which everything is right."""

from collections.abc import Mapping
from typing import Any

from battery_travel_kit.facts import facts

Json = Mapping[str, Any]

AIRLINES = ("operating_airline", "marketing_airline")


def meaning(question: Json) -> Json:
    """Return the meaning of a question: passengers, items and flights."""
    items = _items(question)
    return {
        "passengers": question.get("passengers", 1),
        "items": [
            {
                **facts(item),
                "ref": ref,
                "model_id": item.get("model_id"),
                "label": item.get("label"),
                "carried_by": item.get("carried_by"),
                "compartment": item.get("compartment_intent", "carry_on"),
            }
            for ref, item in items.items()
        ],
        "flights": [
            {name: flight.get(name) for name in ("origin", "destination", "date", *AIRLINES)}
            for flight in _list(question, "segments")
        ],
    }


def about(reply: Json, question: Json) -> Json:
    """Return the reply in which everything is right, changed to another question."""
    body = {**reply["json"]}
    items, flights = _items(question), _list(question, "segments")
    [item, *_], [flight, *_] = body["items"], body["segments"]
    refs = list(items)
    body["items"] = [
        {
            **item,
            "ref": ref,
            "quantity": asked.get("quantity", 1),
            "device_resolved": {**item["device_resolved"], "model_id": asked.get("model_id", "unknown")},
        }
        for ref, asked in items.items()
    ]
    body["segments"] = [
        {
            **{name: value for name, value in flight.items() if name not in AIRLINES},
            **{name: asked[name] for name in AIRLINES if name in asked},
            **{name: _country(asked.get(name)) for name in ("origin", "destination")},
            **{
                f"{name}_airport": asked[name]
                for name in ("origin", "destination")
                if _country(asked.get(name)) != asked.get(name)
            },
            "index": index,
            "date": asked.get("date", flight["date"]),
            "date_assumed": "date" not in asked,
            "constraints": [],
            "warnings": [],
            "items": [{"ref": ref, "verdict": "allowed", "decided_by": []} for ref in refs],
        }
        for index, asked in enumerate(flights, 1)
    ]
    body["packing"] = {"passengers": _bags(items)}
    return {**reply, "json": body}


def _items(question: Json) -> dict[str, Json]:
    """Return the items of a question by their refs."""
    return {item.get("ref", f"item_{at}"): item for at, item in enumerate(_list(question, "items"), 1)}


def _list(question: Json, name: str) -> list[Any]:
    """Return the objects of a list."""
    value = question.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _country(place: Any) -> Any:
    """Return a place, or a country for an airport."""
    return "US" if isinstance(place, str) and len(place) == 3 else place


def _bags(items: Mapping[str, Json]) -> list[Json]:
    """Give each item to the passenger who is named, or else to the first."""
    bags: dict[int, list[Json]] = {}
    for ref, item in items.items():
        share = {"ref": ref, "quantity": item.get("quantity", 1)}
        bags.setdefault(item.get("carried_by", 1), []).append(share)
    return [
        {"passenger": number, "items": shares, "verdict": "allowed"}
        for number, shares in sorted(bags.items())
    ]
