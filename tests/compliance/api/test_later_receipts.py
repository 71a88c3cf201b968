"""An answer that was given without a receipt gets one later, for those who have it with its request."""

import copy
import datetime
import json
from collections.abc import Iterator
from typing import Any

import pytest
import rfc8785
import time_machine
from django.db import connection
from django.test import Client
from pytest_django import Settings

from compliance.partners.register import KnownKey
from compliance.records.verdict_log import entries
from compliance.records.verdict_log.actions import record_verdicts
from rules.corpus import Published
from rules.verdicts import AnyAnswer
from tests.compliance.records.verdict_log.answers import a_leg
from tests.compliance.records.verdict_log.answers import a_trip as a_trip_answer
from tests.support.api_requests import BATCH, ITINERARIES, TRIPS, VERIFY, a_request, a_trip, post, problem
from tests.support.partners import Desk
from tests.support.receipt_judge import HEADER, is_proven, is_signed, published_keys
from tests.support.starter import NOW

RECEIPTS = "/api/receipts"
ITINERARY = {
    "passengers": 2,
    "items": [{"ref": "anker", "model_id": "anker-a1289"}, {"label": {"watt_hour": 74}}],
    "segments": [{"origin": "DXB", "destination": "LHR", "operating_airline": "EK"}],
    "options": {"language": "ja", "citations": "deciding"},
}
QUESTIONS = {
    VERIFY: {**a_request(), "model_id": "anker-a1263", "serial": "AGXXF31E12345678"},
    TRIPS: a_trip(options={"language": "de"}),
    ITINERARIES: ITINERARY,
}


@pytest.fixture(autouse=True)
def asked_now(starter_release: Published) -> Iterator[Published]:
    with time_machine.travel(NOW, tick=False):
        yield starter_release


def kept(client: Client, path: str = VERIFY) -> dict[str, Any]:
    """What a client keeps that did not ask for a receipt."""
    return {"request": QUESTIONS[path], "answer": json.loads(post(client, path, QUESTIONS[path]).content)}


def made(client: Client, body: Any, **headers: str) -> dict[str, Any]:
    response = post(client, RECEIPTS, body, **headers)
    assert response.status_code == 200, response.content
    said: dict[str, Any] = response.json()
    assert (said["receipt"] is not None) == (said["state"] == "signed") == (said["signed_by"] is not None)
    return said


@pytest.mark.parametrize("path", QUESTIONS)
def test_the_receipt_is_the_very_one_that_would_have_come_with_the_answer(client: Client, path: str) -> None:
    one = kept(client, path)
    asked = post(client, path, QUESTIONS[path], prefer="receipt")
    with time_machine.travel(NOW + datetime.timedelta(days=30), tick=False):
        said = made(client, one)
    assert (said["state"], said["differs"], said["record"]) == ("signed", [], None)
    assert said["receipt"] == asked[HEADER]
    assert is_proven(json.dumps(one["answer"]).encode(), said["receipt"], published_keys())
    checked = post(client, "/api/receipts/check", {"answer": one["answer"], "receipt": said["receipt"]})
    assert checked.json()["standing"] == "valid"


def test_an_item_of_a_batch_is_signed_alone(client: Client) -> None:
    batch = json.loads(post(client, BATCH, {"items": [a_request(), a_request(quantity=2)]}).content)
    one = {"request": a_request(quantity=2), "answer": batch["items"][1]["answer"]}
    assert made(client, one)["state"] == "signed"
    whole = made(client, {"request": {"items": [a_request()]}, "answer": batch})
    assert whole["state"] == "not_ours"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from leaves(item, (*path, key))


@pytest.mark.django_db
@pytest.mark.parametrize("path", QUESTIONS)
def test_no_field_that_was_changed_is_signed(client: Client, path: str) -> None:
    one = kept(client, path)
    others: list[Any] = ["allowed", True, 1, None, [], "2026-11-21T09:30:15", "9999-12-31T23:59:59Z"]
    others.append("0001-01-01T00:00:00+14:00")
    for place in leaves(one["answer"]):
        for other in others:
            changed = copy.deepcopy(one)
            inner = changed["answer"]
            for step in place[:-1]:
                inner = inner[step]
            if inner[place[-1]] == other and not isinstance(other, bool | int):
                continue
            inner[place[-1]] = other
            if rfc8785.dumps(changed["answer"]) != rfc8785.dumps(one["answer"]):
                assert made(client, changed)["state"] == "not_ours", (place, other)
    assert made(client, {**one, "answer": {**one["answer"], "added": 1}})["differs"] == ["added"]


@pytest.mark.parametrize(
    "request_body",
    [
        {},
        {"model_id": 1},
        {**QUESTIONS[VERIFY], "serial": "AGXXF31E12345679"},
        {**QUESTIONS[VERIFY], "options": {"language": "de"}},
        {**QUESTIONS[VERIFY], "quantity": 2},
        QUESTIONS[TRIPS],
    ],
)
def test_an_answer_to_another_question_is_not_signed(client: Client, request_body: Any) -> None:
    assert made(client, {**kept(client), "request": request_body})["state"] == "not_ours"


def test_what_the_sandbox_answered_is_not_signed(client: Client) -> None:
    asked = {"model_id": "sandbox-allowed", "trip": {"origin": "US", "destination": "JP", "airline": "00"}}
    answer = json.loads(post(client, "/sandbox/api/verify", asked).content)
    current = kept(client)["answer"]["ruleset_version"]
    assert (
        made(client, {"request": asked, "answer": {**answer, "ruleset_version": current}})["state"]
        == "not_ours"
    )


@pytest.mark.django_db
def test_a_ruleset_that_never_was_proves_nothing_and_costs_more(client: Client) -> None:
    one = kept(client)
    one["answer"]["ruleset_version"] = "2025-01-01"
    response = post(client, RECEIPTS, one)
    assert response.json()["state"] == "not_ours"
    again = post(client, RECEIPTS, one)
    assert int(response["RateLimit-Remaining"]) - int(again["RateLimit-Remaining"]) == 10


def test_without_a_key_nothing_is_signed(client: Client, settings: Settings) -> None:
    settings.RECEIPT_KEYS = ()
    assert made(client, kept(client))["state"] == "no_key"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"id": None},
        {"id": "vdt_short"},
        {"id": 7},
        {"request": {}},
        {"answer": {}},
        {"request": [], "answer": {}},
        {"request": {}, "answer": "{}"},
        {"request": {}, "answer": {}, "id": "vdt_aaaaaaaaaaaaaaaaaaaaaaaaaa"},
        {"request": {}, "answer": {}, "receipt": "x"},
        {"id": "vdt_aaaaaaaaaaaaaaaaaaaaaaaaaa", "partner": "acme"},
    ],
)
def test_other_bodies_are_refused_with_their_fields(client: Client, body: Any) -> None:
    assert problem(post(client, RECEIPTS, body))["code"] == "VALIDATION_ERROR"


# --- By an id alone ---


def given(answer: AnyAnswer, partner: str) -> None:
    """Record a verdict that was given to a key."""
    found, _ = entries.read(entries.line(answer, "api", "en", partner))
    record_verdicts(rows=entries.rows(found), database=connection)


def asking_as(partner: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return the headers of a partner."""
    known = KnownKey(partner, "btk_aaaaaaaa", 1000, frozenset(), "https://acme.example/terms", None)
    monkeypatch.setattr("compliance.api.protocol.callers.partner_for", lambda key, now: known)
    return {"x-service-key": "any"}


@pytest.mark.django_db
def test_a_partner_gets_a_receipt_of_what_is_recorded_of_a_verdict_by_its_id(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk()
    issued = desk.issue()
    desk.revoke(issued)
    answer = a_leg(serial="57VQX8GKPZR2M4")
    given(answer, issued.row.public_id)
    said = made(client, {"id": answer.verdict_id}, **asking_as("acme", monkeypatch))
    assert said["state"] == "signed"
    assert "A record is no answer" in said["meaning"]
    record = said["record"]
    assert (record["id"], record["kind"], record["verdict"]) == (
        answer.verdict_id,
        "leg",
        answer.outcome.verdict,
    )
    assert (record["ruleset_version"], record["generated_at"]) == (
        answer.release.ruleset_version,
        f"{answer.generated_at:%Y-%m-%dT%H:%M:%SZ}",
    )
    assert record["serial_given"] == "serial"
    assert "57VQX8GKPZR2M4" not in json.dumps(said)
    assert is_signed(rfc8785.dumps({"verdict_record": record}), said["receipt"], published_keys())
    # A record is no answer: no one can take it for one.
    for statement in (record, {"verdict_record": record}):
        checked = post(client, "/api/receipts/check", {"answer": statement, "receipt": said["receipt"]})
        assert checked.json()["standing"] == "not_ours"


@pytest.mark.django_db
def test_no_one_finds_what_others_were_given(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    desk.record("shop")
    ours, theirs = desk.issue().row.public_id, desk.issue("shop").row.public_id
    to_us, to_them, to_anyone, to_both, to_no_one = (a_leg() for _ in range(5))
    for answer, key in (
        (to_us, ours),
        (to_them, theirs),
        (to_anyone, ""),
        (to_both, theirs),
        (to_both, ours),
    ):
        given(answer, key)
    headers = asking_as("acme", monkeypatch)
    states = {
        answer.verdict_id: made(client, {"id": answer.verdict_id}, **headers)
        for answer in (to_us, to_them, to_anyone, to_both, to_no_one)
    }
    found = [verdict_id for verdict_id, said in states.items() if said["state"] == "signed"]
    assert found == [to_us.verdict_id, to_both.verdict_id]
    # The others cannot be told apart.
    refused = [said for said in states.values() if said["state"] != "signed"]
    assert [said["state"] for said in refused] == ["not_found"] * 3
    assert all(said == refused[0] for said in refused)


@pytest.mark.django_db
def test_without_a_partner_key_an_id_finds_nothing(client: Client) -> None:
    answer = a_leg()
    given(answer, "")
    assert made(client, {"id": answer.verdict_id})["state"] == "not_found"


@pytest.mark.django_db
def test_the_id_of_a_flight_finds_its_trip(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    key = Desk().issue().row.public_id
    trip = a_trip_answer()
    given(trip, key)
    said = made(client, {"id": trip.segment_ids[1]}, **asking_as("acme", monkeypatch))
    assert (said["record"]["id"], said["record"]["segment_ids"]) == (
        trip.trip_verdict_id,
        list(trip.segment_ids),
    )
