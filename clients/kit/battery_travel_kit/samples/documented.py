"""A shop that keeps the documented rule, and nothing more: it passes the level `contract`.

python -m battery_travel_kit --level contract --function battery_travel_kit.samples.documented:may_travel
"""

import datetime
import http.client
import json
import urllib.request
from collections.abc import Mapping
from typing import Any

TIMEOUT_SECONDS = 5

KNOWN = {"passengers", "stays", "move_to_cabin", "undecided", "may_travel"}
"""The parts of `packing` that this shop knows."""


def may_travel(request: Mapping[str, Any], base_url: str) -> bool:
    """Return whether the answer is `allowed`, about these models, before its end. Nothing else is allowed."""
    asked = urllib.request.Request(  # noqa: S310
        base_url + path_of(request), json.dumps(request).encode(), {"content-type": "application/json"}
    )
    try:
        # Raises for every error.
        with urllib.request.urlopen(asked, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            if answer.status != 200:
                return False
            body = json.load(answer)
        return (
            body["verdict"] == "allowed"
            and models_of(body) == models_asked(request)
            and datetime.datetime.now(datetime.UTC) < datetime.datetime.fromisoformat(body["expires_at"])
            and {*body.get("packing", ())} <= KNOWN
        )
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return False


def models_asked(request: Mapping[str, Any]) -> list[str]:
    """Return the model of a question, or of each item of an itinerary."""
    if "items" in request:
        return [item["model_id"] for item in request["items"]]
    return [request.get("device", request)["model_id"]]


def models_of(body: Mapping[str, Any]) -> list[str]:
    """Return the model that an answer is about, or that of each item of an itinerary."""
    return [one["device_resolved"]["model_id"] for one in body.get("items", [body])]


def path_of(request: Mapping[str, Any]) -> str:
    """Return the path that answers a question."""
    if "items" in request:
        return "/api/itineraries/verify"
    return "/api/trips/verify" if "device" in request else "/api/verify"
