"""The specification's two samples, asked of the starter corpus.

The specification shows each request and answer by its fields and their sample values. These tests hold an
answer to both: every field with its type, and the sample values where the specification gives them.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from rules.corpus import Published
from tests.support.starter import NOW

VERDICTS = {"allowed", "conditional", "banned", "insufficient"}
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
CALENDAR_DATE = re.compile(r"\d{4}-\d\d-\d\d(\.\d+)?")

WITHOUT_WATT_HOURS = "anker-a1680"

VERIFY_REQUEST = {
    "model_id": "romoss-pea40",
    "ccc_mark": "present",
    "trip": {"origin": "CN", "destination": "SG", "airline": "SQ", "compartment_intent": "carry_on"},
    "options": {"language": "en"},
}

TRIP_REQUEST = {
    "device": {"model_id": "anker-a1289"},
    "trip": {
        "origin": "JP",
        "transit": ["CN"],
        "destination": "CN",
        "airline": "CA",
        "compartment_intent": "carry_on",
    },
    "options": {"language": "en"},
}


@pytest.fixture(autouse=True)
def at_noon(starter_release: Published) -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def asked(client: Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post(path, json.dumps(body), content_type="application/json")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def test_the_verify_sample(client: Client) -> None:
    answer = asked(client, "/api/verify", VERIFY_REQUEST)

    assert answer["verdict"] in VERDICTS
    assert answer["verdict_id"].startswith("vdt_")
    assert CALENDAR_DATE.fullmatch(answer["ruleset_version"])
    assert DATE_TIME.fullmatch(answer["generated_at"])
    assert DATE_TIME.fullmatch(answer["expires_at"])
    assert answer["generated_at"] < answer["expires_at"]
    assert answer["summary"]

    device = answer["device_resolved"]
    assert device["model_id"] == "romoss-pea40"
    assert device["brand"] == "Romoss"
    assert device["model_name"]
    assert device["watt_hour"] == 148
    assert device["recall_status"] == "not_affected"
    assert device["recall_check_method"] == "model_match"

    constraints = {constraint["code"]: constraint["message"] for constraint in answer["constraints"]}
    assert {"carry_on_only", "max_units_2"} <= set(constraints)
    assert all(constraints.values())

    warnings = {warning["code"]: warning for warning in answer["warnings"]}
    assert warnings["airline_approval_review"]["severity"] == "advisory"
    assert warnings["airline_approval_review"]["message"]

    assert {"regulator", "airline"} <= {citation["kind"] for citation in answer["citations"]}
    for citation in answer["citations"]:
        assert citation["kind"] in {"regulator", "airline", "manufacturer", "news"}
        assert citation["authority"]
        assert re.fullmatch(r"[A-Z]{2,4}", citation["jurisdiction"])
        assert re.match(r"https?://[^/]+\.", citation["url"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", citation["pulled_at"])

    assert answer["verdict_path"]
    assert all(isinstance(step, str) for step in answer["verdict_path"])


def test_the_trip_sample(client: Client) -> None:
    answer = asked(client, "/api/trips/verify", TRIP_REQUEST)

    assert answer["public_name"] == "Trip Battery Pass"
    assert answer["trip_verdict_id"].startswith("trip_")
    assert [segment["verdict"]["verdict"] for segment in answer["segments"]] == ["allowed", "conditional"]
    assert answer["verdict"] == "conditional"
    assert answer["summary"]

    legs = [(segment["index"], segment["origin"], segment["destination"]) for segment in answer["segments"]]
    assert legs == [(1, "JP", "CN"), (2, "CN", "CN")]
    for segment in answer["segments"]:
        assert segment["airline"] == "CA"
        assert segment["verdict"]["verdict_id"].startswith("vdt_")
        assert segment["verdict"]["ruleset_version"] == answer["ruleset_version"]

    assert answer["device_resolved"]["model_id"] == "anker-a1289"
    assert isinstance(answer["device_resolved"]["watt_hour"], float)
    assert answer["citation_count"] > 0
    assert CALENDAR_DATE.fullmatch(answer["ruleset_version"])
    assert DATE_TIME.fullmatch(answer["generated_at"])
    assert DATE_TIME.fullmatch(answer["expires_at"])


def test_only_the_four_words_are_verdicts_and_each_of_them_occurs(client: Client) -> None:
    domestic = {"origin": "CN", "destination": "CN", "airline": "CA"}
    asked_of = {
        "allowed": {"model_id": "anker-a1289", "ccc_mark": "present", "trip": domestic},
        "conditional": {"model_id": "anker-a1289", "trip": domestic},
        "banned": {"model_id": "anker-a1289", "ccc_mark": "absent", "trip": domestic},
        "insufficient": {"model_id": WITHOUT_WATT_HOURS, "trip": {**domestic, "destination": "JP"}},
    }
    assert {name: asked(client, "/api/verify", body)["verdict"] for name, body in asked_of.items()} == {
        name: name for name in VERDICTS
    }
