"""Nothing of the sandbox is taken for real, and nothing real for the sandbox."""

import datetime
import json
from pathlib import Path

import msgspec
import pytest
import time_machine
from django.conf import settings as project
from django.test import Client
from pytest_django import Settings

from compliance.api.protocol.errors import PROBLEMS
from compliance.channels.sandbox import release as world
from compliance.channels.sandbox.outcomes import outcomes
from compliance.channels.sandbox.reserved_models import STAGED
from compliance.operations import metrics
from compliance.starter_corpus.release import starter_content
from rules import verdicts
from rules.engine.document import MADE_UP, problems
from rules.engine.facts import Leg, Question, Unit
from rules.engine.verdict_ids import verdict_id
from tests.support import api_requests
from tests.support.api_requests import problem
from tests.support.sandbox_outcomes import TRIPS, VERIFY, a_journey, a_question, ask
from tests.support.starter import NOW

BATCH = "/sandbox/api/verify/batch"
TODAY = NOW.date()
MODELS = [device.model_id for device in world.release(TODAY).shelf.all_devices]
AIRLINES = list(world.AIRLINES)

REAL = [("anker-a1263", "00"), ("sandbox-allowed", "EK")]


@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize("model_id", MODELS)
def test_the_service_knows_no_model_of_the_sandbox(client: Client, model_id: str) -> None:
    for response in (
        api_requests.post(client, api_requests.VERIFY, api_requests.a_request(model_id=model_id)),
        api_requests.post(client, api_requests.TRIPS, api_requests.a_trip(device={"model_id": model_id})),
        client.get(f"/api/devices/{model_id}"),
    ):
        assert (response.status_code, problem(response)["code"]) == (404, "MODEL_NOT_FOUND")
        assert "X-Sandbox" not in response


@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize("airline", AIRLINES)
def test_the_service_knows_no_airline_of_the_sandbox(client: Client, airline: str) -> None:
    for response in (
        api_requests.post(client, api_requests.VERIFY, api_requests.a_request({"airline": airline})),
        client.get(f"/api/airlines/{airline}"),
    ):
        assert (response.status_code, problem(response)["code"]) == (404, "AIRLINE_NOT_COVERED")


@pytest.mark.parametrize(("model_id", "airline"), REAL)
def test_the_sandbox_knows_nothing_real_and_says_why(client: Client, model_id: str, airline: str) -> None:
    body = problem(ask(client, VERIFY, a_question(model_id, airline)))
    assert body["status"] == 404
    assert body["detail"].startswith("Sandbox: it has no real")
    assert "POST /api/verify" in body["detail"]


def test_every_record_of_the_sandbox_says_that_it_is_one() -> None:
    content = world.release(TODAY).corpus.content
    assert {problem.reason for problem in problems(content)} == {MADE_UP}
    assert len(problems(content)) == len(content.devices) + len(content.airlines)
    assert all(device.model_id.startswith("sandbox-") for device in content.devices)
    assert all(airline.airline.isdigit() for airline in content.airlines)
    assert all(rule.rule_id.startswith("sandbox.") for rule in content.rules)
    for source in content.sources:
        assert source.url.startswith("https://sandbox.example/")
        assert "Sandbox" in source.authority


def test_the_starter_corpus_has_none_of_the_reserved_names() -> None:
    content = starter_content()
    assert not [one.model_id for one in content.devices if one.model_id.startswith("sandbox")]
    assert not [one.airline for one in content.airlines if one.airline.isdigit()]


@pytest.mark.parametrize("language", [code for code, _ in project.LANGUAGES])
def test_every_summary_begins_with_the_mark_in_every_language(client: Client, language: str) -> None:
    options = {"language": language}
    for path, body in ((VERIFY, a_question(options=options)), (TRIPS, a_journey(options=options))):
        assert json.loads(ask(client, path, body).content)["summary"].startswith("Sandbox: ")


@pytest.mark.parametrize(
    "path", ["verify", "devices", "airlines/00", "outcomes", "nowhere", "policy-changes", ""]
)
def test_every_answer_says_where_it_comes_from_and_keeps_crawlers_away(client: Client, path: str) -> None:
    response = client.get(f"/sandbox/api/{path}", headers={"accept": "application/json, text/html"})
    assert response["X-Sandbox"] == "true"
    assert "noindex" in response["X-Robots-Tag"]
    assert response["Content-Type"] in {"application/json", "application/problem+json"}


def test_pages_of_other_sites_may_try_it_and_see_where_they_are(client: Client) -> None:
    response = ask(client, VERIFY, a_question(), Origin="https://shop.example")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "X-Sandbox" in response["Access-Control-Expose-Headers"]


def test_no_answer_has_a_receipt(client: Client, settings: Settings) -> None:
    settings.RECEIPT_KEYS = ("A" * 43,)
    for outcome in outcomes():
        if outcome.expect.fault != "slow":
            assert "X-Service-Receipt" not in ask(client, f"/sandbox/api{outcome.path}", outcome.request)


@time_machine.travel(NOW, tick=False)
def test_no_id_proves_as_one_of_the_service(client: Client) -> None:
    given = json.loads(ask(client, VERIFY, a_question()).content)
    question = Question(unit=Unit(model_id="sandbox-allowed"), leg=Leg("US", "JP", "00"), travel_date=TODAY)
    release = world.release(TODAY)
    proof = verdict_id(
        question,
        key=project.VERDICT_KEY,
        release_sha256=release.sha256,
        generated_at=verdicts.whole_second(NOW),
        verdict="allowed",
    )
    assert given["verdict_id"].startswith("vdt_")
    assert given["verdict_id"] != proof
    assert proof == verdicts.answer_from(release, question, now=NOW).verdict_id
    again = json.loads(ask(client, VERIFY, a_question()).content)
    assert again["verdict_id"] == given["verdict_id"]


def test_a_flight_of_a_trip_has_the_id_that_it_has_alone(client: Client) -> None:
    with time_machine.travel(NOW, tick=False):
        trip = json.loads(ask(client, TRIPS, a_journey()).content)
        alone = json.loads(
            ask(
                client,
                VERIFY,
                a_question(trip={"origin": "US", "destination": "KR", "airline": "00"}),
            ).content
        )
    assert trip["segments"][0]["verdict"]["verdict_id"] == alone["verdict_id"]


def test_nothing_of_the_sandbox_is_recorded_or_counted_as_a_verdict(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recorded: list[object] = []
    monkeypatch.setattr(
        "compliance.records.verdict_log.recording.record", lambda *args, **options: recorded.append(args)
    )
    monkeypatch.setattr(metrics, "count_verdict", lambda *args: recorded.append(args))
    monkeypatch.setattr(
        "compliance.records.verdict_log.recording.Together.write", lambda self: recorded.append(self)
    )
    for path, body in ((VERIFY, a_question()), (TRIPS, a_journey()), (BATCH, {"items": [a_question()]})):
        response = ask(client, path, body)
        assert response.status_code == 200
        assert "X-Service-Receipt" not in response
    assert recorded == []


@pytest.mark.usefixtures("starter_release")
@time_machine.travel(NOW, tick=False)
def test_the_sandbox_and_the_service_have_limits_of_their_own(settings: Settings) -> None:
    settings.SANDBOX_RATE, settings.ANONYMOUS_RATE = "2/m", "1/m"
    client = Client(REMOTE_ADDR="203.0.113.99")
    sandbox = [client.get("/sandbox/api/airlines") for _ in range(3)]
    assert [one.status_code for one in sandbox] == [200, 200, 429]
    assert int(sandbox[-1]["Retry-After"]) >= 1
    service = [client.get("/api/airlines") for _ in range(2)]
    assert [one.status_code for one in service] == [200, 429]


def test_one_slow_answer_is_given_at_a_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile = []

    def wait(seconds: float) -> None:
        meanwhile.append(ask(client, VERIFY, a_question("sandbox-slow")))

    monkeypatch.setattr("compliance.channels.sandbox.faults.time.sleep", wait)
    assert ask(client, VERIFY, a_question("sandbox-slow")).status_code == 200
    (second,) = meanwhile
    assert problem(second)["code"] == "SERVICE_UNAVAILABLE"
    assert int(second["Retry-After"]) >= 1
    # The turn is given back.
    assert ask(client, VERIFY, a_question("sandbox-slow")).status_code == 200


def test_evidence_never_ages_there(client: Client) -> None:
    for years in (0, 3):
        with time_machine.travel(NOW + datetime.timedelta(days=365 * years), tick=False):
            body = json.loads(ask(client, VERIFY, a_question()).content)
            assert "evidence_stale" not in {one["code"] for one in body["warnings"]}
            assert body["verdict"] == "allowed"


def test_what_never_comes_to_a_verdict_could_not_be_traveled_by_either() -> None:
    release = world.release(TODAY)
    for model_id in STAGED:
        unit = Unit(model_id=model_id)
        question = Question(unit=unit, leg=Leg("US", "JP", "00"), travel_date=TODAY)
        assert verdicts.answer_from(release, question, now=NOW).outcome.verdict == "insufficient"


def test_crawlers_are_told_to_stay_away(client: Client) -> None:
    assert b"\nDisallow: /sandbox/\n" in client.get("/robots.txt").content


def test_the_pinned_ruleset_of_the_day_is_taken(client: Client) -> None:
    version = json.loads(client.get("/sandbox/api/outcomes").content)["ruleset_version"]
    assert ask(client, VERIFY, a_question(ruleset_version=version)).status_code == 200


@pytest.mark.parametrize("stop", ["KR", None])
def test_what_an_error_suggests_leads_nowhere_real(client: Client, stop: str | None) -> None:
    trip = {"origin": "US", "destination": "JP", "airline": "00"}
    asked = [a_question(trip={**trip, "transit": [stop]})] if stop else [one.request for one in outcomes()]
    for question in asked:
        body = json.loads(ask(client, BATCH, {"items": [question]}).content)["items"][0]["problem"] or {}
        address = body.get("suggested_next_step", {}).get("url") or ""
        assert "/api/" not in address.replace("/sandbox/api/", ""), body


@pytest.mark.parametrize("code", PROBLEMS)
def test_a_staged_error_is_told_from_one_of_ours(client: Client, code: str) -> None:
    model_id = f"sandbox-error-{code.lower().replace('_', '-')}"
    body = json.loads(ask(client, VERIFY, a_question(model_id)).content)
    assert (body["code"], body["status"]) == (code, PROBLEMS[code].status)
    assert body["detail"].startswith("Sandbox: ")
    assert msgspec.convert(body["title"], str) == PROBLEMS[code].title
