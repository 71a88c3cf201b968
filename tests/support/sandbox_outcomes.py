"""The outcomes of the sandbox, and a very strict client: what it accepts as a yes."""

import datetime
import json
from typing import TYPE_CHECKING, Any

from django.test import Client

from compliance.channels.sandbox.outcomes import Outcome

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

VERIFY = "/sandbox/api/verify"
TRIPS = "/sandbox/api/trips/verify"


def a_question(model_id: str = "sandbox-allowed", airline: str = "00", **changes: Any) -> dict[str, Any]:
    """A valid body of POST /sandbox/api/verify, which is allowed unless a test changes something."""
    return {
        "model_id": model_id,
        "trip": {"origin": "US", "destination": "JP", "airline": airline},
        **changes,
    }


def a_journey(model_id: str = "sandbox-allowed", **changes: Any) -> dict[str, Any]:
    """The same for POST /sandbox/api/trips/verify."""
    trip = {"origin": "US", "transit": ["KR"], "destination": "JP", "airline": "00"}
    return {"device": {"model_id": model_id}, "trip": trip, **changes}


def ask(client: Client, path: str, body: dict[str, Any], **headers: str) -> "Response":
    """Post a question."""
    return client.post(path, json.dumps(body), content_type="application/json", headers=headers)


def play(client: Client, outcome: Outcome) -> "Response":
    """Request an outcome."""
    return ask(client, f"/sandbox/api{outcome.path}", outcome.request)


def body_of(response: "Response") -> dict[str, Any]:
    """Return the body of an answer; nothing if it cannot be read to its end."""
    try:
        body: dict[str, Any] = json.loads(b"".join(response))
    except (ConnectionResetError, json.JSONDecodeError):
        return {}
    return body


def clears(outcome: Outcome, status: int, body: dict[str, Any]) -> bool:
    """Return whether an answer permits the item: allowed, in time, and to the question that was asked."""
    if status != 200 or body.get("verdict") != "allowed" or "expires_at" not in body:
        return False
    expires = datetime.datetime.fromisoformat(body["expires_at"])
    in_time = datetime.datetime.now(datetime.UTC) < expires
    return in_time and _models(body) == _asked_models(outcome.request)


def _models(body: dict[str, Any]) -> list[str]:
    """Return the models that an answer is about."""
    return [one["device_resolved"]["model_id"] for one in body.get("items", [body])]


def _asked_models(request: dict[str, Any]) -> list[str]:
    """Return the models that a question is about."""
    return [one["model_id"] for one in request.get("items", [request.get("device", request)])]
