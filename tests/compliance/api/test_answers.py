"""What clients rely on in an answer: exactly the specification's fields, and recalls that clear nobody."""

import json
import logging
from typing import Any

import pytest
from django.test import Client

from rules.corpus import Published
from rules.engine.facts import Recall
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, answer, post, step

VERIFY_FIELDS = [
    "verdict",
    "verdict_id",
    "ruleset_version",
    "generated_at",
    "expires_at",
    "summary",
    "device_resolved",
    "constraints",
    "warnings",
    "citations",
    "verdict_path",
]
DEVICE_FIELDS = [
    "model_id",
    "brand",
    "model_name",
    "watt_hour",
    "recall_status",
    "recall_check_method",
    "certifications",
    "certificates",
    "recalls",
]
TRIP_FIELDS = [
    "public_name",
    "trip_verdict_id",
    "verdict",
    "summary",
    "segments",
    "device_resolved",
    "citation_count",
    "ruleset_version",
    "generated_at",
    "expires_at",
]
SEGMENT_FIELDS = ["index", "origin", "destination", "airline", "verdict"]
DEMANDS = ["constraints", "warnings"]
"""Of a segment, in addition to the specification."""
RECALL_FIELDS = ["recall_id", "model_id", "affected_serials", "verdict_impact"]
EVALUATION_FIELDS = ["provided_serial", "match_status", "match_method", "verdict_if_used_for_flight"]
NEXT_STEP = {
    "allowed": [],
    "banned": [],
    "conditional": ["suggested_next_step"],
    "insufficient": ["suggested_next_step"],
}
"""What answers say besides while something is open."""
SERIAL_KINDS = {"pattern", "explicit_list_url", "scope", "identifier", "not_affected_pattern", "format_hint"}


def recall_with(release: Published, scope: str, *, listed: bool) -> Recall:
    """A recall of some scope whose pattern is known to match its listed values."""
    return next(
        recall
        for recall in release.corpus.content.recalls
        if recall.affected_serials.scope == scope and bool(recall.affected_serials.values) == listed
    )


# --- Fields ---


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize("model_id", ["anker-a1289", "anker-a1263", "anker-a1680", "romoss-pea40"])
@pytest.mark.parametrize("serial", [None, "SN4711"])
def test_a_verdict_has_the_fields_of_the_specification_and_no_other(
    client: Client, model_id: str, serial: str | None
) -> None:
    with_serial = {"serial": serial} if serial else {}
    body = answer(client, VERIFY, a_request(model_id=model_id) | with_serial)
    assert list(body) == VERIFY_FIELDS + NEXT_STEP[body["verdict"]]
    assert list(body["device_resolved"]) == DEVICE_FIELDS
    for recall in body["device_resolved"]["recalls"]:
        assert list(recall) == RECALL_FIELDS + (["serial_evaluation"] if serial else [])
        assert {"pattern", "explicit_list_url"} <= set(recall["affected_serials"]) <= SERIAL_KINDS
        assert recall["verdict_impact"] == {
            "applies_to": "exact_model_only",
            "if_affected_serial": "banned",
            "if_serial_unknown": "warning",
            "if_not_affected_serial": "normal_rules_apply",
        }
        if serial:
            evaluation = recall["serial_evaluation"]
            is_open = evaluation["match_status"] == "unknown"
            assert list(evaluation) == EVALUATION_FIELDS + (["suggested_next_step"] if is_open else [])
    for constraint in body["constraints"]:
        assert list(constraint) == ["code", "message", "rule_ids"]
    for warning in body["warnings"]:
        assert list(warning) == ["code", "severity", "message", "rule_ids"]
        assert warning["severity"] in {"advisory", "caution", "critical"}
    for citation in body["citations"]:
        assert list(citation) == ["kind", "authority", "jurisdiction", "url", "pulled_at"]
    assert body["verdict_path"][0] == "device.resolved"
    assert body["verdict_path"][1] == f"recall.{body['device_resolved']['recall_status']}"
    assert body["verdict_path"][-1] == f"verdict.{body['verdict']}"


@pytest.mark.usefixtures("asked_now")
def test_a_trip_has_the_fields_of_the_specification_and_no_other(client: Client) -> None:
    legs = [
        {"origin": "JP", "destination": "SG", "airline": "SQ"},
        {"origin": "SG", "destination": "US", "airline": "NK"},
    ]
    body = answer(client, TRIPS, {"device": {"model_id": "anker-a1289"}, "trip": {"legs": legs}})
    assert list(body) == TRIP_FIELDS + NEXT_STEP[body["verdict"]]
    assert list(body["device_resolved"]) == ["model_id", "watt_hour"]
    covered, uncovered = body["segments"]
    assert list(covered) == [*SEGMENT_FIELDS, *DEMANDS]
    assert list(uncovered) == [*SEGMENT_FIELDS, *DEMANDS, "error", "suggested_next_step"]
    assert uncovered["constraints"] == uncovered["warnings"] == []
    assert uncovered["suggested_next_step"] == uncovered["error"]["suggested_next_step"]
    for segment in (covered, uncovered):
        assert list(segment["verdict"]) == ["verdict", "ruleset_version", "verdict_id"]
    assert uncovered["verdict"]["verdict"] == body["verdict"] == "insufficient"
    assert uncovered["error"]["code"] == "AIRLINE_NOT_COVERED"
    assert "NK" in uncovered["error"]["message"]
    assert step(uncovered["error"]) == step(body) == "ask_airline"


@pytest.mark.usefixtures("asked_now")
def test_values_are_numbers_dates_and_times_as_documented(client: Client) -> None:
    response = post(client, VERIFY, a_request(model_id="anker-a1263"))
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    assert b'"watt_hour":37' in response.content
    body = json.loads(response.content)
    assert body["generated_at"] == "2026-11-21T09:30:15Z"
    assert body["expires_at"] == "2026-11-22T09:30:15Z"
    assert all(len(citation["pulled_at"]) == len("2026-11-20") for citation in body["citations"])
    assert answer(client, VERIFY, a_request(model_id="anker-a1680"))["device_resolved"]["watt_hour"] is None
    assert (
        answer(client, TRIPS, a_trip(device={"model_id": "anker-a1680"}))["device_resolved"]["watt_hour"]
        is None
    )


@pytest.mark.usefixtures("asked_now")
def test_a_trip_counts_the_sources_of_all_its_legs_once(client: Client) -> None:
    def sources(origin: str, destination: str) -> set[str]:
        body = answer(client, VERIFY, a_request({"origin": origin, "destination": destination}))
        return {json.dumps(citation) for citation in body["citations"]}

    trip = answer(client, TRIPS, a_trip())
    assert trip["citation_count"] == len(sources("JP", "KR") | sources("KR", "SG"))


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize("model_id", ["anker-a1289", "anker-a1263", "anker-a1680"])
def test_a_segment_is_what_its_flight_is_alone(client: Client, model_id: str) -> None:
    trip = answer(client, TRIPS, a_trip({"transit": ["KR", "TH"]}, {"model_id": model_id}))
    for segment in trip["segments"]:
        alone = answer(
            client,
            VERIFY,
            a_request(
                {"origin": segment["origin"], "destination": segment["destination"]}, model_id=model_id
            ),
        )
        assert segment["verdict"] == {
            name: alone[name] for name in ("verdict", "ruleset_version", "verdict_id")
        }
        assert segment["constraints"] == alone["constraints"]
        connects = [one for one in segment["warnings"] if one["code"] != "transit_rescreening"]
        assert connects == alone["warnings"]
        assert segment.get("suggested_next_step") == alone.get("suggested_next_step")
    assert "transit_rescreening" in [one["code"] for one in trip["segments"][1]["warnings"]]


@pytest.mark.usefixtures("asked_now")
def test_each_claim_names_the_rules_that_make_it(client: Client) -> None:
    body = answer(
        client, VERIFY, a_request({"origin": "CN", "destination": "CN", "airline": "CA"}, quantity=9)
    )
    claims = [*body["constraints"], *body["warnings"]]
    for claim in claims:
        assert set(claim["rule_ids"]) <= set(body["verdict_path"])
        for rule_id in claim["rule_ids"]:
            rule = json.loads(client.get(f"/api/rules/{rule_id}").content)
            assert rule["message"] == claim["message"]
    named = {rule_id for claim in claims for rule_id in claim["rule_ids"]}
    assert {"ca.carry-on-only", "cn.caac.2014.checked-baggage"} <= named


@pytest.mark.usefixtures("asked_now")
def test_a_claim_that_follows_from_facts_alone_names_no_rule(client: Client) -> None:
    body = answer(client, VERIFY, a_request(model_id="anker-a1263"))
    [check] = [one for one in body["constraints"] if one["code"] == "recall_serial_check"]
    assert check["rule_ids"] == []


@pytest.mark.usefixtures("asked_now")
def test_defaults_are_the_documented_values(client: Client) -> None:
    with_details = a_request(
        {"compartment_intent": "carry_on", "date": "2026-11-21"},
        ccc_mark="unknown",
        quantity=1,
        capacity_label="unknown",
        condition="unknown",
        recall_check="not_checked",
        options={"language": "en"},
        ruleset_version="2026-11-20",
    )
    assert answer(client, VERIFY, with_details) == answer(client, VERIFY, a_request())


# --- Recalls and serials ---


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(
    ("said", "verdict", "code"),
    [
        ("not_checked", "conditional", "recall_serial_check"),
        ("not_affected", "conditional", "recall_list_proof"),
        ("affected", "banned", "recalled_not_permitted"),
    ],
)
def test_what_the_makers_list_answered_counts_for_a_flight_and_for_a_trip(
    client: Client, said: str, verdict: str, code: str
) -> None:
    body = answer(client, VERIFY, a_request(model_id="anker-a1263", recall_check=said))
    assert (body["verdict"], body["constraints"][0]["code"]) == (verdict, code)
    assert body["device_resolved"]["recall_status"] == "external_check_required"
    device = {"model_id": "anker-a1263", "recall_check": said}
    trip = answer(client, TRIPS, a_trip(device=device))
    assert trip["verdict"] == verdict


@pytest.mark.parametrize(
    ("scope", "listed", "status", "method", "verdict"),
    [
        ("all_units", False, "affected", "pattern", "banned"),
        ("serial_pattern", True, "affected", "pattern", "banned"),
        ("date_code", True, "affected", "pattern", "banned"),
        ("batch", True, "affected", "pattern", "banned"),
    ],
)
def test_a_unit_that_a_recall_names_is_banned(
    client: Client, asked_now: Published, scope: str, listed: bool, status: str, method: str, verdict: str
) -> None:
    recall = recall_with(asked_now, scope, listed=listed)
    serial = f" {recall.affected_serials.values[0].lower()} " if listed else "ANY"
    body = answer(client, VERIFY, a_request(model_id=recall.model_id, serial=serial))
    shown = next(one for one in body["device_resolved"]["recalls"] if one["recall_id"] == recall.recall_id)
    assert shown["serial_evaluation"] == {
        "provided_serial": serial,
        "match_status": status,
        "match_method": method,
        "verdict_if_used_for_flight": verdict,
    }
    assert body["verdict"] == "banned"
    assert body["device_resolved"]["recall_status"] == "affected"
    assert body["constraints"][0]["code"] == "recalled_not_permitted"


@pytest.mark.usefixtures("asked_now")
def test_a_makers_list_is_named_and_clears_no_one(client: Client) -> None:
    abroad = {"origin": "CN", "destination": "JP", "airline": "CA"}
    for more in ({}, {"serial": "AGIA1234"}, {"serial_hash": "0" * 64}):
        body = answer(client, VERIFY, a_request(abroad, model_id="anker-a1263", **more))
        assert body["verdict"] == "conditional"
        assert body["device_resolved"]["recall_status"] == "external_check_required"
        assert body["device_resolved"]["recall_check_method"] == "external_list_required"
        urls = [
            recall["affected_serials"]["explicit_list_url"] for recall in body["device_resolved"]["recalls"]
        ]
        assert "https://www.anker.com/product-recalls" in urls
        assert "https://www.anker.com/product-recalls" in body["summary"]
        assert "recall_external_list" in [warning["code"] for warning in body["warnings"]]


@pytest.mark.usefixtures("asked_now")
def test_a_hash_is_weighed_but_never_shown_as_a_serial(client: Client) -> None:
    response = post(client, VERIFY, a_request(model_id="anker-a1263", serial_hash="ab" * 32))
    assert b"serial_evaluation" not in response.content
    assert b"abab" not in response.content


@pytest.mark.usefixtures("asked_now")
def test_a_recalled_model_is_banned_on_a_mainland_flight_and_its_sibling_is_not(client: Client) -> None:
    domestic = {"origin": "CN", "destination": "CN", "airline": "CA"}
    recalled = answer(client, VERIFY, a_request(domestic, model_id="anker-a1263", ccc_mark="present"))
    sibling = answer(client, VERIFY, a_request(domestic, model_id="anker-a1289", ccc_mark="present"))
    assert recalled["verdict"] == "banned"
    assert "cn.caac.2025.recalled-domestic" in recalled["verdict_path"]
    assert sibling["verdict"] == "allowed"
    assert sibling["device_resolved"]["recalls"] == []


@pytest.mark.usefixtures("asked_now")
def test_two_units_on_emirates_are_banned_by_the_airline_alone(client: Client) -> None:
    route = {"origin": "AE", "destination": "GB", "airline": "EK"}
    assert answer(client, VERIFY, a_request(route))["verdict"] == "allowed"
    two = answer(client, VERIFY, a_request(route, quantity=2))
    assert two["verdict"] == "banned"
    assert two["constraints"][0] == {
        "code": "max_units_1",
        "message": "At most 1 power bank per passenger.",
        "rule_ids": ["ek.max-units"],
    }


@pytest.mark.usefixtures("asked_now")
def test_checked_baggage_is_banned_on_every_covered_airline(client: Client, asked_now: Published) -> None:
    covered = sorted({rule.airline for rule in asked_now.corpus.content.rules if rule.airline})
    for airline in covered:
        body = answer(client, VERIFY, a_request({"airline": airline, "compartment_intent": "checked"}))
        assert body["verdict"] == "banned"


SERIAL = "SECRET 47-11"


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize("model_id", ["anker-a1263", "anker-a1289"])
def test_a_serial_is_in_no_log(client: Client, caplog: pytest.LogCaptureFixture, model_id: str) -> None:
    asked: list[dict[str, Any]] = [{}, {"quantity": 0}, {"brand": "x"}, {"ruleset_version": "1"}]
    with caplog.at_level(logging.DEBUG):
        for more in asked:
            post(client, VERIFY, a_request(model_id=model_id, serial=SERIAL, **more))
            post(client, TRIPS, a_trip(device={"model_id": model_id, "serial": SERIAL}, **more))
        post(client, VERIFY, json.dumps(a_request(serial=SERIAL)).encode()[:-1])
    assert caplog.records
    for record in caplog.records:
        assert "47" not in record.getMessage()
        assert "47-11" not in repr(record.__dict__)


@pytest.mark.usefixtures("asked_now")
def test_a_serial_leaves_only_as_the_serial_that_was_provided(client: Client) -> None:
    text = post(client, VERIFY, a_request(model_id="anker-a1263", serial=SERIAL)).content.decode()
    recalls = json.loads(text)["device_resolved"]["recalls"]
    assert text.count(SERIAL) == len(recalls)
    trip = post(client, TRIPS, a_trip(device={"model_id": "anker-a1263", "serial": SERIAL}))
    assert SERIAL not in trip.content.decode()
    for wrong in ({"quantity": 0}, {"serial": SERIAL * 9}):
        refused = post(client, VERIFY, {**a_request(model_id="anker-a1263", serial=SERIAL), **wrong})
        assert refused.status_code == 400
        assert SERIAL not in refused.content.decode()


@pytest.mark.usefixtures("asked_now")
def test_the_id_of_a_verdict_does_not_depend_on_the_serial_or_the_language(client: Client) -> None:
    ids = {
        answer(client, VERIFY, a_request(model_id="anker-a1263", **more))["verdict_id"]
        for more in (
            {},
            {"serial": "A"},
            {"serial": "B"},
            {"serial_hash": "0" * 64},
            {"options": {"language": "en"}},
        )
    }
    assert len(ids) == 1
