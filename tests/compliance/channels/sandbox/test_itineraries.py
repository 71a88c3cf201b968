"""Itineraries in the sandbox: nothing in them is real, and reserved models give their errors and faults."""

import datetime
from typing import Any

import pytest
import time_machine
from django.test import Client

from rules.engine.vocabulary import Verdict
from tests.support.sandbox_outcomes import ask, body_of

ITINERARIES = "/sandbox/api/itineraries/verify"


def an_itinerary(*models: str, airline: str = "00", **changes: Any) -> dict[str, Any]:
    flight = {"origin": "US", "destination": "JP", "operating_airline": airline}
    return {"items": [{"model_id": model} for model in models], "segments": [flight], **changes}


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (an_itinerary("sandbox-allowed"), "allowed"),
        (an_itinerary("sandbox-allowed", "sandbox-approval"), "conditional"),
        (an_itinerary("sandbox-allowed", "sandbox-insufficient"), "insufficient"),
        (an_itinerary("sandbox-allowed", "sandbox-banned"), "banned"),
        (an_itinerary("sandbox-allowed", "sandbox-allowed", "sandbox-allowed"), "banned"),
        (an_itinerary("sandbox-allowed", "sandbox-allowed", "sandbox-allowed", passengers=2), "allowed"),
        (an_itinerary("sandbox-allowed", airline="03"), "insufficient"),
    ],
)
def test_each_verdict_can_be_had(client: Client, body: dict[str, Any], verdict: Verdict) -> None:
    answer = body_of(ask(client, ITINERARIES, body))
    assert answer["verdict"] == verdict
    assert answer["summary"].startswith("Sandbox: ")


def test_an_error_of_one_item_is_the_error_of_the_itinerary(client: Client) -> None:
    response = ask(client, ITINERARIES, an_itinerary("sandbox-allowed", "sandbox-error-rate-limited"))
    assert (response.status_code, body_of(response)["code"]) == (429, "RATE_LIMITED")


def test_a_fault_of_one_item_is_the_fault_of_the_answer(client: Client) -> None:
    response = ask(client, ITINERARIES, an_itinerary("sandbox-allowed", "sandbox-unknown-verdict"))
    assert body_of(response)["verdict"] == "permitted"


def test_an_answer_about_another_model_names_it_in_place_of_the_item(client: Client) -> None:
    answer = body_of(ask(client, ITINERARIES, an_itinerary("sandbox-approval", "sandbox-other-model")))
    assert {one["device_resolved"]["model_id"] for one in answer["items"]} == {"sandbox-allowed"}


def test_an_expired_item_expires_the_answer(client: Client) -> None:
    answer = body_of(ask(client, ITINERARIES, an_itinerary("sandbox-allowed", "sandbox-expired")))
    assert datetime.datetime.fromisoformat(answer["expires_at"]) < datetime.datetime.now(datetime.UTC)


def test_an_item_alone_has_the_id_that_the_sandbox_gives_to_the_single_question(client: Client) -> None:
    trip = {"origin": "US", "destination": "JP", "airline": "00"}
    with time_machine.travel(datetime.datetime.now(datetime.UTC), tick=False):
        answer = body_of(ask(client, ITINERARIES, an_itinerary("sandbox-allowed")))
        alone = body_of(ask(client, "/sandbox/api/verify", {"model_id": "sandbox-allowed", "trip": trip}))
    assert answer["segments"][0]["items"][0]["verdict_id"] == alone["verdict_id"]


def test_a_batch_holds_what_each_itinerary_is_told_alone(client: Client) -> None:
    asked = [
        an_itinerary("sandbox-allowed"),
        an_itinerary("sandbox-error-model-not-found"),
        an_itinerary("sandbox-banned"),
    ]
    with time_machine.travel(datetime.datetime.now(datetime.UTC), tick=False):
        batch = body_of(ask(client, f"{ITINERARIES}/batch", {"items": asked}))
        alone = [body_of(ask(client, ITINERARIES, body)) for body in asked]
    assert [item["answer"] for item in batch["items"]] == [alone[0], None, alone[2]]
    assert batch["items"][1]["problem"]["code"] == "MODEL_NOT_FOUND"
    assert batch["items"][0]["answer"]["summary"].startswith("Sandbox: ")
