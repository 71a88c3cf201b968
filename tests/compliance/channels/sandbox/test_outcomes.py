"""The list of outcomes is what the sandbox does, and it leaves nothing out."""

import json
from typing import cast, get_args

import pytest
from django.http import HttpResponse
from django.test import Client

from compliance.api.protocol.errors import PROBLEMS
from compliance.channels.sandbox import faults
from compliance.channels.sandbox.outcomes import LIST as LIST_FILE
from compliance.channels.sandbox.outcomes import FaultWord, Outcome, outcomes
from recalls.serials import MatchMethod, RecallStatus
from rules.engine.vocabulary import Verdict
from tests.support.contract_conformance import contract
from tests.support.sandbox_outcomes import ask, body_of, clears, play

LIST = outcomes()


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "SLOW_SECONDS", 0.001)


@pytest.mark.parametrize("outcome", LIST, ids=lambda outcome: outcome.id)
def test_the_sandbox_gives_what_the_list_says(client: Client, outcome: Outcome) -> None:
    response, expected = play(client, outcome), outcome.expect
    body = body_of(response)
    assert response.status_code == (expected.status or 200)
    assert bool(body) == (expected.fault not in {"bad_gateway", "not_json", "half_json", "cut_off"})
    assert body.get("verdict") in {expected.verdict, "permitted"}
    assert (body.get("verdict") == "permitted") == (expected.fault == "unknown_verdict")
    assert body.get("code") == expected.code
    assert clears(outcome, response.status_code, body) == expected.clear_to_pack
    waiting_helps = expected.status in {429, 503} or expected.code == "REQUEST_IN_PROGRESS"
    assert ("Retry-After" in response) == waiting_helps
    assert response["X-Sandbox"] == "true"


@pytest.mark.parametrize(
    "outcome",
    [one for one in LIST if one.expect.status == 200 and one.expect.fault in {None, "expired", "slow"}],
    ids=lambda outcome: outcome.id,
)
def test_a_sound_answer_keeps_the_contract_of_the_service(client: Client, outcome: Outcome) -> None:
    response = cast("HttpResponse", play(client, outcome))
    problems = contract().problems("POST", f"/api{outcome.path}", response)
    assert problems in ([], ["header X-Service-Receipt is missing"])


def test_every_way_to_come_to_no_permission_is_in_the_list() -> None:
    assert {one.expect.code for one in LIST} == {None, *PROBLEMS}
    assert {one.expect.verdict for one in LIST} == {None, *get_args(Verdict)}
    assert {one.expect.fault for one in LIST} == {None, *get_args(FaultWord)}
    assert {one.expect.status for one in LIST} >= {None, 200, 400, 401, 403, 404, 429, 500, 502, 503}
    assert len({one.id for one in LIST}) == len(LIST)
    # Were every answer to it the same, a client that always says no would pass.
    for path in ("/verify", "/trips/verify", "/itineraries/verify"):
        assert {one.expect.clear_to_pack for one in LIST if one.path == path} == {True, False}


def test_the_list_reaches_every_state_of_a_recall(client: Client) -> None:
    statuses, methods = set(), set()
    for outcome in LIST:
        if outcome.path == "/verify" and outcome.expect.status == 200 and outcome.expect.fault is None:
            resolved = body_of(play(client, outcome))["device_resolved"]
            statuses.add(resolved["recall_status"])
            evaluations = [one.get("serial_evaluation") for one in resolved["recalls"]]
            methods |= {one["match_method"] for one in evaluations if one}
    assert statuses == set(get_args(RecallStatus))
    assert methods >= set(get_args(MatchMethod)) - {"none"}


def test_a_batch_gives_what_each_of_its_questions_gives_alone(client: Client) -> None:
    legs = [one for one in LIST if one.path == "/verify"]
    questions = {"items": [one.request for one in legs]}
    whole = body_of(ask(client, "/sandbox/api/verify/batch", questions))
    assert whole["ruleset_version"].startswith("sandbox-")
    for outcome, item in zip(legs, whole["items"], strict=True):
        expected, answer, problem = outcome.expect, item["answer"] or {}, item["problem"] or {}
        # What happens to an answer on its way cannot happen to one of many.
        on_its_way = expected.fault not in {None, "expired"}
        assert item["status"] == (200 if on_its_way else expected.status)
        assert answer.get("verdict") == ("insufficient" if on_its_way else expected.verdict)
        assert problem.get("code") == expected.code
        assert clears(outcome, item["status"], answer) == expected.clear_to_pack
        assert (answer.get("summary") or problem["detail"]).startswith("Sandbox: ") or expected.status == 400


def test_integrators_get_the_list_as_it_stands_in_the_program(client: Client) -> None:
    body = json.loads(client.get("/sandbox/api/outcomes").content)
    assert body["outcomes"] == json.loads(LIST_FILE.read_bytes())
    assert body["ruleset_version"].startswith("sandbox-")
