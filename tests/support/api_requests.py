"""Requests to the API as a client sends them: whole and valid, with the changes of a test."""

import json
import re
from typing import TYPE_CHECKING, Any

from django.test import Client

if TYPE_CHECKING:
    # The stubs' name for the client's response, which has more attributes than an `HttpResponse`.
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

VERIFY = "/api/verify"
BATCH = "/api/verify/batch"
TRIPS = "/api/trips/verify"
ITINERARIES = "/api/itineraries/verify"
ITINERARY_BATCH = "/api/itineraries/verify/batch"


def a_request(trip: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A valid body of POST /api/verify: a small power bank without recalls, from Japan to Singapore."""
    return {
        "model_id": "anker-a1289",
        "trip": {"origin": "JP", "destination": "SG", "airline": "SQ", **(trip or {})},
        **changes,
    }


def a_trip(
    trip: dict[str, Any] | None = None, device: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """A valid body of POST /api/trips/verify: the same power bank by way of Korea."""
    return {
        "device": {"model_id": "anker-a1289", **(device or {})},
        "trip": {"origin": "JP", "transit": ["KR"], "destination": "SG", "airline": "SQ", **(trip or {})},
        **changes,
    }


ASKING_FOR_RECEIPT = {"prefer": "receipt"}


def post(client: Client, path: str, body: Any, **headers: str) -> "Response":
    """Post a value as JSON, or bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(path, content, content_type="application/json", headers=headers)


def answer(client: Client, path: str, body: Any) -> dict[str, Any]:
    """Post and return the answer, which must be a verdict."""
    response = post(client, path, body)
    assert response.status_code == 200, response.content
    answered: dict[str, Any] = json.loads(response.content)
    return answered


def problem(response: "Response") -> dict[str, Any]:
    """Return the body of an error after checking the form that all errors share."""
    body: dict[str, Any] = json.loads(response.content)
    assert response["Content-Type"] == "application/problem+json"
    assert response["Cache-Control"] == "no-store"
    fields = ["type", "title", "status", "detail", "instance", "code", "request_id", "suggested_next_step"]
    corrected = ["corrected_request"] if "corrected_request" in body else []
    assert list(body) == fields + (["errors", *corrected] if response.status_code == 400 else [])
    assert body["status"] == response.status_code
    assert body["request_id"] == response["X-Request-ID"]
    assert body["type"].startswith("urn:problem-type:battery-travel:")
    assert body["detail"].endswith(".")
    step(body)
    for error in body.get("errors", []):
        assert list(error) in (["field", "code", "message"], ["field", "code", "message", "correction"])
        assert error["message"].endswith((".", "?"))
    return body


def step(body: dict[str, Any]) -> str:
    """Return the code of the next step that a body suggests, after checking its form."""
    suggested = body["suggested_next_step"]
    assert set(suggested) <= {"code", "message", "url"}
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", suggested["code"])
    assert suggested["message"].endswith(".")
    assert suggested.get("url", "https://").startswith(("https://", "http://"))
    code: str = suggested["code"]
    return code


def errors(response: "Response") -> dict[str, str]:
    """Return the codes of the wrong fields, by field, in an answer that must be a VALIDATION_ERROR."""
    assert response.status_code == 400, response.content
    body = problem(response)
    assert body["code"] == "VALIDATION_ERROR"
    return {error["field"]: error["code"] for error in body["errors"]}
