"""A batch of itineraries says to each what it would be told alone, costs what they ask, or does nothing."""

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from compliance.api.verdicts.batch_request import MAX_BATCH_BYTES, OF_ITINERARIES
from compliance.api.verdicts.itineraries import itinerary_body
from compliance.records.verdict_log import recording
from rules import corpus
from tests.support.api_callers import a_client, ask
from tests.support.api_requests import ITINERARIES, ITINERARY_BATCH, answer, errors, post, problem

pytestmark = pytest.mark.usefixtures("asked_now")

SERIAL = "35S24B8A013027"
INTACT = {
    "model_id": "anker-a1289",
    "ccc_mark": "present",
    "condition": "intact",
    "capacity_label": "legible",
}


def an_itinerary(
    *items: dict[str, Any], airline: str = "EK", flights: int = 1, **more: Any
) -> dict[str, Any]:
    """A question about these items, or about one that nothing is wrong with."""
    flight = {"origin": "AE", "destination": "GB", "operating_airline": airline, "date": "2026-12-20"}
    return {"items": [*(items or (INTACT,))], "segments": [flight] * flights, **more}


ASKED: list[Any] = [
    an_itinerary(),
    an_itinerary(INTACT, INTACT),
    an_itinerary(INTACT, {"ref": "old", "label": {"watt_hour": 74}}, passengers=2),
    an_itinerary(airline="ZZ"),
    an_itinerary({"model_id": "anker-a1263", "serial": SERIAL}, options={"language": "ja"}),
    an_itinerary({"model_id": "no-such-model"}),
    an_itinerary({**INTACT, "quantty": 2}),
    an_itinerary(
        {**INTACT, "quantity": 20}, {**INTACT, "quantity": 20}, {**INTACT, "quantity": 20}, flights=7
    ),
    an_itinerary(ruleset_version="2020-01-01"),
    [],
]
"""Half of these get verdicts, and each other one a problem of another kind."""


def test_every_itinerary_is_told_what_it_is_told_alone_in_the_same_order(client: Client) -> None:
    batch = answer(client, ITINERARY_BATCH, {"items": ASKED})
    assert [item["index"] for item in batch["items"]] == [*range(len(ASKED))]
    for item, body in zip(batch["items"], ASKED, strict=True):
        response = post(client, ITINERARIES, body)
        alone = json.loads(response.content)
        assert item["status"] == response.status_code
        if response.status_code == 200:
            assert (item["answer"], item["problem"]) == (alone, None)
            continue
        assert item["answer"] is None
        # They name the request that they belong to.
        for own in ("instance", "request_id"):
            del item["problem"][own], alone[own]
        assert item["problem"] == alone
    assert batch["counts"] == {"allowed": 1, "banned": 1, "conditional": 2, "errors": 5, "insufficient": 1}
    assert batch["ruleset_version"] == corpus.current().ruleset_version
    given_at = {item["answer"]["generated_at"] for item in batch["items"] if item["answer"]}
    assert given_at == {batch["generated_at"]}


def test_each_answer_has_the_name_of_its_itinerary(client: Client) -> None:
    asked = [an_itinerary(ref="trip-1"), an_itinerary(), an_itinerary(airline="ZZ", ref="trip-3")]
    batch = answer(client, ITINERARY_BATCH, {"items": [*asked, an_itinerary(ref="two words")]})
    assert [item["ref"] for item in batch["items"]] == ["trip-1", None, "trip-3", None]
    assert [item["status"] for item in batch["items"]] == [200, 200, 200, 400]


def test_itineraries_of_one_batch_do_not_count_together(client: Client) -> None:
    batch = answer(client, ITINERARY_BATCH, {"items": [an_itinerary()] * 3})
    assert {item["answer"]["verdict"] for item in batch["items"]} == {"allowed"}


def test_the_language_of_the_batch_is_for_those_that_name_none(client: Client) -> None:
    asked = [an_itinerary(), an_itinerary(options={"language": "fr"})]
    batch = answer(client, ITINERARY_BATCH, {"items": asked, "options": {"language": "de"}})
    for item, language in zip(batch["items"], ("de", "fr"), strict=True):
        alone = answer(client, ITINERARIES, an_itinerary(options={"language": language}))
        assert item["answer"] == alone


def test_a_hundred_itineraries_are_answered_and_one_more_is_refused(client: Client) -> None:
    batch = answer(client, ITINERARY_BATCH, {"items": [an_itinerary()] * OF_ITINERARIES.questions})
    assert batch["counts"]["allowed"] == OF_ITINERARIES.questions == 100
    over = post(client, ITINERARY_BATCH, {"items": [an_itinerary()] * (OF_ITINERARIES.questions + 1)})
    assert errors(over) == {"items": "out_of_range"}


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"items": "required"}),
        ({"items": []}, {"items": "out_of_range"}),
        ({"items": an_itinerary()}, {"items": "wrong_type"}),
        ({"items": [an_itinerary()], "passengers": 2}, {"passengers": "unknown_field"}),
        ({"items": [an_itinerary()], "options": {"language": "tlh"}}, {"options.language": "invalid_choice"}),
    ],
)
def test_what_is_wrong_around_the_itineraries_refuses_the_batch(
    client: Client, body: Any, wrong: dict[str, str]
) -> None:
    assert errors(post(client, ITINERARY_BATCH, body)) == wrong


def test_the_body_is_bounded_and_no_valid_batch_has_too_many_commas(client: Client) -> None:
    assert post(client, ITINERARY_BATCH, b" " * (MAX_BATCH_BYTES + 1)).status_code == 413
    assert errors(post(client, ITINERARY_BATCH, b'{"items":[' + b"0," * 900_000 + b"0]}")) == {
        "items": "out_of_range"
    }
    item = {
        **INTACT,
        "ref": "a" * 40,
        "quantity": 1,
        "carried_by": 1,
        "compartment_intent": "carry_on",
        "recall_check": "not_affected",
        "serial": "," * 63 + "A",
    }
    full = an_itinerary(*[item] * 20, flights=10, passengers=9, ruleset_version="," * 64)
    for flight in full["segments"]:
        flight["marketing_airline"] = "QF"
    assert (json.dumps(full).count(",") + 1) * OF_ITINERARIES.questions < OF_ITINERARIES.commas
    long = post(client, ITINERARY_BATCH, {"items": [an_itinerary(x="x" * 70_000), an_itinerary()]})
    assert [item["status"] for item in json.loads(long.content)["items"]] == [413, 200]


def test_a_batch_counts_as_its_itineraries_do_alone_and_is_answered_whole_or_not_at_all(
    settings: LazySettings,
) -> None:
    settings.ANONYMOUS_RATE = "10/h"
    client = a_client()
    # 20 units on a flight are two requests; one that cannot be read is one.
    asked = [an_itinerary({**INTACT, "quantity": 20}), an_itinerary(), an_itinerary({"model_id": 7})]
    batch = ask(client, "POST", ITINERARY_BATCH, {"items": asked})
    assert (batch.status_code, batch["RateLimit-Remaining"]) == (200, "6")
    large = {"items": [an_itinerary({**INTACT, "quantity": 20}, flights=4)]}
    refused = ask(client, "POST", ITINERARY_BATCH, large)
    assert (refused.status_code, problem(refused)["code"]) == (429, "RATE_LIMITED")
    assert "counts as 8 requests" in problem(refused)["detail"]
    # Only the asking counted.
    assert ask(client, "POST", ITINERARIES, an_itinerary())["RateLimit-Remaining"] == "4"
    never = ask(client, "POST", ITINERARY_BATCH, {"items": large["items"] * 2})
    assert (never.status_code, problem(never)["code"]) == (400, "BATCH_EXCEEDS_LIMIT")
    assert "Retry-After" not in never
    assert problem(never)["suggested_next_step"]["code"] == "send_less"


def test_a_batch_is_answered_by_the_pinned_ruleset_or_not_at_all(client: Client) -> None:
    refused = post(client, ITINERARY_BATCH, {"items": [an_itinerary()], "ruleset_version": "2020-01-01"})
    assert (refused.status_code, problem(refused)["code"]) == (400, "RULESET_VERSION_NOT_CURRENT")


def test_every_itinerary_of_a_batch_is_recorded_before_it_leaves_without_a_serial(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    appended: list[bytes] = []
    monkeypatch.setattr(
        recording, "spool", lambda: type("Spool", (), {"append": staticmethod(appended.append)})
    )
    batch = answer(client, ITINERARY_BATCH, {"items": ASKED})
    assert len(appended) == 1
    written = [json.loads(line) for line in appended[0].splitlines() if line]
    assert [entry["verdict_id"] for entry in written] == [
        item["answer"]["itinerary_verdict_id"] for item in batch["items"] if item["answer"]
    ]
    assert {(entry["kind"], entry["channel"]) for entry in written} == {("itinerary", "api")}
    assert SERIAL.encode() not in appended[0]


def test_a_bug_in_one_itinerary_is_that_ones_alone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(given: Any, leg_ids: Any, *how: Any) -> Any:
        if given.question.passengers == 9:
            raise KeyError("SN-4711")
        return itinerary_body(given, leg_ids, *how)

    monkeypatch.setattr("compliance.api.verdicts.itinerary_batch.itinerary_body", failing)
    asked = [an_itinerary(), an_itinerary(passengers=9), an_itinerary()]
    answered = answer(client, ITINERARY_BATCH, {"items": asked})
    assert [item["status"] for item in answered["items"]] == [200, 500, 200]
    assert "SN-4711" not in json.dumps(answered)


def test_the_receipt_of_a_batch_is_checked_as_a_whole(client: Client) -> None:
    response = post(client, ITINERARY_BATCH, {"items": ASKED[:2]}, prefer="receipt")
    kept = {"answer": json.loads(response.content), "receipt": response["X-Service-Receipt"]}
    assert answer(client, "/api/receipts/check", kept)["standing"] == "valid"
    kept["answer"]["items"][1]["answer"]["verdict"] = "allowed"
    assert answer(client, "/api/receipts/check", kept)["standing"] == "not_ours"
