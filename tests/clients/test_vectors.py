"""The Python clients pass the vectors that all clients share, waiting and not."""

import json
from typing import Any, get_args

import anyio
import pytest

from battery_travel import reasons
from compliance.api.protocol.errors import PROBLEMS
from compliance.channels.sandbox import outcomes
from rules.engine.vocabulary import Verdict
from tests.clients import vectors
from tests.clients.playing import BASE, Ask, Stage

VECTORS = vectors.read()

WAYS: dict[str, Ask] = {
    "sync": Stage.ask,
    "asyncio": lambda stage: anyio.run(stage.ask_async),
}


PATHS = {
    "verify": "/api/verify",
    "verify_trip": "/api/trips/verify",
    "verify_itinerary": "/api/itineraries/verify",
    "verify_batch": "/api/verify/batch",
    "verify_itinerary_batch": "/api/itineraries/verify/batch",
    "search": "/api/devices?q=acme+slim+10k&limit=10",
    "codes": "/api/codes?language=en",
    "recalls": "/api/devices/acme-slim-10k/recalls",
    "check_recalls": "/api/recalls/check",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_client_says_what_the_vector_says(vector: dict[str, Any], way: str) -> None:
    stage = Stage(vector)
    answer = WAYS[way](stage)
    assert stage.reads(answer) == vector["reads"]
    if "requests" in vector:
        assert len(stage.requests) == vector["requests"]
    if "pauses_at_least" in vector:
        assert len(stage.pauses) == len(vector["pauses_at_least"])
        assert all(
            least <= pause for pause, least in zip(stage.pauses, vector["pauses_at_least"], strict=True)
        )
    assert {str(request.url) for request in stage.requests} == {BASE + PATHS[vector["operation"]]}


def test_the_file_holds_what_is_made_up_here() -> None:
    there = {vector["id"]: vector for vector in VECTORS}
    assert len(there) == len(VECTORS)
    assert [vector["id"] for vector in vectors.invented() if there.get(vector["id"]) != vector] == [], (
        "python -m tests.clients.vectors writes clients/vectors.json anew"
    )


def test_the_file_holds_every_outcome_of_the_sandbox_as_its_list_says() -> None:
    there = {vector["id"]: vector for vector in VECTORS}
    for outcome in json.loads(outcomes.LIST.read_text()):
        vector = there[f"sandbox/{outcome['id']}"]
        assert vector["request"] == outcome["request"]
        assert vector["reads"][0]["clear_to_pack"] is outcome["expect"]["clear_to_pack"]


@pytest.mark.parametrize("name", ["conditional-approval", "insufficient-airline", "model-not-found"])
def test_what_to_do_next_is_handed_on(name: str) -> None:
    [vector] = [vector for vector in VECTORS if vector["id"] == f"sandbox/{name}"]
    suggested = vector["replies"][0]["json"]["suggested_next_step"]
    step = Stage(vector).ask().next_step
    assert step is not None
    assert (step.code, step.message) == (suggested["code"], suggested["message"])


def test_every_reason_has_a_vector() -> None:
    codes = {read.get("why_not") for vector in VECTORS for read in vector["reads"]}
    # Receipts are checked by one client alone, and with real keys: see `test_receipts`.
    assert {*reasons.CODES} - codes == {"receipt_missing", "receipt_invalid"}


def test_every_verdict_and_every_error_of_the_service_has_a_vector() -> None:
    bodies = [reply.get("json") or {} for vector in VECTORS for reply in vector["replies"]]
    assert [word for word in get_args(Verdict) if word not in [body.get("verdict") for body in bodies]] == []
    assert [code for code in PROBLEMS if code not in [body.get("code") for body in bodies]] == []


def test_what_is_clear_is_the_exception() -> None:
    clear = [vector["id"] for vector in VECTORS if any(read.get("clear_to_pack") for read in vector["reads"])]
    assert len(clear) < len(VECTORS) / 5
