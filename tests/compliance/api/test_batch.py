"""A batch says to each question what it would be told alone, refuses as a whole, and costs what it asks."""

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from prometheus_client import REGISTRY

from compliance.api.verdicts.batch_request import MAX_BATCH_BYTES, OF_FLIGHTS, batch_request
from compliance.api.verdicts.verify import verify_body
from compliance.partners import register
from compliance.records.verdict_log import recording
from compliance.records.verdict_log.spool import NotWritten
from rules import corpus
from tests.rules.engine.starter_questions import Drawer
from tests.support.api_callers import a_client, ask
from tests.support.api_requests import BATCH, VERIFY, a_request, answer, errors, post, problem
from tests.support.partners import Desk, new_slug
from tests.support.starter import starter_content

VERDICTS = ("allowed", "banned", "conditional", "insufficient")

pytestmark = pytest.mark.usefixtures("asked_now")


@pytest.fixture(autouse=True)
def high_anonymous_limit(settings: LazySettings) -> None:
    settings.ANONYMOUS_RATE = "1000000/m"


def drawn_requests(number: int, seed: int) -> list[dict[str, Any]]:
    """Draw bodies of POST /api/verify; some name a model or an airline that is not there."""
    drawer = Drawer(starter_content(), seed=seed)
    bodies = []
    for at in range(number):
        question, _, _ = drawer.question()
        leg, unit = question.leg, question.unit
        body: dict[str, Any] = {
            "model_id": unit.model_id,
            "quantity": unit.quantity,
            "ccc_mark": unit.ccc_mark,
            "capacity_label": unit.capacity_label,
            "condition": unit.condition,
            "recall_check": unit.recall_check,
            "trip": {
                "origin": leg.origin,
                "destination": leg.destination,
                "airline": leg.airline,
                "compartment_intent": question.compartment_intent,
            },
            "options": {"language": ("en", "de", "ja")[at % 3]},
        }
        if unit.serial is not None:
            body["serial"] = unit.serial
        bodies.append(body)
    return bodies


def answered_alone(client: Client, body: Any) -> tuple[int, dict[str, Any]]:
    response = post(client, VERIFY, body)
    alone: dict[str, Any] = json.loads(response.content)
    return response.status_code, alone


def test_every_item_is_what_the_question_is_told_alone(client: Client) -> None:
    asked: list[Any] = drawn_requests(150, seed=9)
    asked[7] = a_request(model_id="no-such-model")
    asked[8] = a_request(trip={"airline": "ZZ"})
    asked[9] = a_request(quantty=2)
    asked[10] = a_request(trip={"transit": ["KR"]})
    asked[11] = a_request(ruleset_version="2020-01-01")
    asked[12] = []
    asked[13] = a_request(model_id="anker-a1263", serial="SN 4711")
    batch = answer(client, BATCH, {"items": asked})
    for index, (item, body) in enumerate(zip(batch["items"], asked, strict=True)):
        status, alone = answered_alone(client, body)
        assert (item["index"], item["status"]) == (index, status)
        if status == 200:
            assert (item["answer"], item["problem"]) == (alone, None)
        else:
            assert item["answer"] is None
            # They name the request that they belong to.
            for own in ("instance", "request_id"):
                del item["problem"][own], alone[own]
            assert item["problem"] == alone
    counts = batch["counts"]
    verdicts = [item["answer"]["verdict"] for item in batch["items"] if item["answer"]]
    assert counts == {
        **{verdict: verdicts.count(verdict) for verdict in VERDICTS},
        "errors": len(asked) - len(verdicts),
    }
    assert all(counts[verdict] for verdict in VERDICTS)
    assert batch["ruleset_version"] == corpus.current().ruleset_version
    given_at = {item["answer"]["generated_at"] for item in batch["items"] if item["answer"]}
    assert given_at == {batch["generated_at"]}


def test_the_language_of_the_batch_is_for_those_that_name_none(client: Client) -> None:
    plain, in_french = a_request(), a_request(options={"language": "fr"})
    empty, unusual = a_request(options={}), a_request(quantity=2.0)
    batch = answer(
        client, BATCH, {"items": [plain, in_french, empty, unusual], "options": {"language": "de"}}
    )
    languages = ["de", "fr", "de", "de"]
    for item, body, language in zip(
        batch["items"], [plain, in_french, empty, unusual], languages, strict=True
    ):
        assert item["answer"] == answer(client, VERIFY, {**body, "options": {"language": language}})


def test_each_answer_has_the_name_of_its_question(client: Client) -> None:
    longest = "a.B-9_" + "x" * 34
    asked: list[Any] = [
        {**a_request(), "ref": longest},
        a_request(),
        {**a_request(model_id="no-such-model"), "ref": "unknown-model"},
        {**a_request(quantty=2), "ref": "mistyped"},
        # Two may have one name.
        {**a_request(), "ref": longest},
    ]
    batch = answer(client, BATCH, {"items": asked})
    assert [(item["ref"], item["status"]) for item in batch["items"]] == [
        (longest, 200),
        (None, 200),
        ("unknown-model", 404),
        ("mistyped", 400),
        (longest, 200),
    ]
    # A name changes nothing, and one question alone has none.
    assert batch["items"][0]["answer"] == batch["items"][1]["answer"]
    assert errors(post(client, VERIFY, asked[0])) == {"ref": "unknown_field"}


@pytest.mark.parametrize("ref", ["", "x" * 41, "a b", "a\n", "Ä", 7, ["a"], {"a": 1}])
def test_a_name_that_is_not_short_and_plain_is_refused_with_its_question(client: Client, ref: Any) -> None:
    batch = answer(client, BATCH, {"items": [{**a_request(), "ref": ref}, a_request()]})
    assert [(item["ref"], item["status"]) for item in batch["items"]] == [(None, 400), (None, 200)]
    assert [error["field"] for error in batch["items"][0]["problem"]["errors"]] == ["ref"]


def test_a_thousand_questions_are_answered_and_one_more_is_refused(client: Client) -> None:
    body = json.dumps(a_request()).encode()
    full = post(client, BATCH, b'{"items":[' + b",".join([body] * OF_FLIGHTS.questions) + b"]}")
    counts = json.loads(full.content)["counts"]
    assert sum(counts.values()) == OF_FLIGHTS.questions
    over = post(client, BATCH, b'{"items":[' + b",".join([b"{}"] * (OF_FLIGHTS.questions + 1)) + b"]}")
    assert errors(over) == {"items": "out_of_range"}


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"items": "required"}),
        ({"items": []}, {"items": "out_of_range"}),
        ({"items": None}, {"items": "required"}),
        ({"items": a_request()}, {"items": "wrong_type"}),
        ({"itms": [a_request()]}, {"items": "required", "itms": "unknown_field"}),
        ({"items": [a_request()], "options": {"language": "tlh"}}, {"options.language": "invalid_choice"}),
        ({"items": [a_request()], "language": "de"}, {"language": "unknown_field"}),
        ([a_request()], {"body": "wrong_type"}),
    ],
)
def test_what_is_wrong_around_the_questions_refuses_the_batch(
    client: Client, body: Any, wrong: dict[str, str]
) -> None:
    assert errors(post(client, BATCH, body)) == wrong


@pytest.mark.parametrize(
    "body",
    [
        b" ",
        b'{"items":',
        b'{"items":[{}]} {}',
        b'{"items":[{]}',
        b'{"items":[{}],"items":[{},{}]}',
        b'{"items":[{},{}],"items":[{}]}',
        b'{"items":[{}],"options":{"language":"en","language":"de"}}',
        b'{"items":' + b"[" * 30_000,
        b'{"items":[' + b'{"a":' * 10_000,
    ],
    ids=lambda body: repr(body)[:40],
)
def test_a_body_that_is_not_plain_json_is_refused_whole(client: Client, body: bytes) -> None:
    refused = post(client, BATCH, body)
    assert (refused.status_code, problem(refused)["code"]) == (400, "MALFORMED_JSON")


def test_a_question_that_can_be_read_in_two_ways_is_refused_alone(client: Client) -> None:
    good = json.dumps(a_request()).encode()
    twice = good.replace(b'"origin"', b'"origin": "CN", "origin"')
    batch = json.loads(post(client, BATCH, b'{"items":[' + good + b"," + twice + b"]}").content)
    assert [item["status"] for item in batch["items"]] == [200, 400]
    assert batch["items"][1]["problem"]["code"] == "MALFORMED_JSON"


def test_the_bounds_are_those_of_the_contract(client: Client) -> None:
    large = post(client, BATCH, b" " * (MAX_BATCH_BYTES + 1))
    assert (large.status_code, problem(large)["code"]) == (413, "BODY_TOO_LARGE")
    many = post(client, BATCH, b'{"items":[' + b"0," * 900_000 + b"0]}")
    assert errors(many) == {"items": "out_of_range"}
    full = json.dumps(a_request(serial="," * 63 + "A", condition="intact", ccc_mark="present")).encode()
    assert full.count(b",") * OF_FLIGHTS.questions < OF_FLIGHTS.commas
    # Around the questions no more is read than of any body.
    padded = {"items": [a_request()], "ruleset_version": "x" * 70_000}
    assert post(client, BATCH, padded).status_code == 413
    # Neither is of one question.
    batch = answer(client, BATCH, {"items": [a_request(model_id="x" * 70_000), a_request()]})
    assert [item["status"] for item in batch["items"]] == [413, 200]


def test_a_batch_is_answered_by_the_pinned_ruleset_or_not_at_all(client: Client) -> None:
    current = corpus.current().ruleset_version
    assert answer(client, BATCH, {"items": [a_request()], "ruleset_version": current})
    refused = post(client, BATCH, {"items": [a_request()], "ruleset_version": "2020-01-01"})
    assert (refused.status_code, problem(refused)["code"]) == (400, "RULESET_VERSION_NOT_CURRENT")


def test_every_question_counts_as_a_request(settings: LazySettings) -> None:
    settings.ANONYMOUS_RATE = "10/h"
    client = a_client()
    batch = ask(client, "POST", BATCH, {"items": [a_request()] * 4})
    assert (batch.status_code, batch["RateLimit-Remaining"]) == (200, "6")
    assert ask(client, "POST", VERIFY, a_request())["RateLimit-Remaining"] == "5"
    # Refused as a whole: only the asking counts.
    refused = ask(client, "POST", BATCH, {"items": [a_request()] * 6})
    assert (refused.status_code, problem(refused)["code"]) == (429, "RATE_LIMITED")
    assert refused["Retry-After"] == refused["RateLimit-Reset"]
    assert problem(refused)["suggested_next_step"]["code"] == "wait_and_retry"
    rest = ask(client, "POST", BATCH, {"items": [a_request()] * 4})
    assert (rest.status_code, rest["RateLimit-Remaining"]) == (200, "0")
    assert ask(client, "POST", VERIFY, a_request()).status_code == 429


def test_a_batch_that_is_refused_for_its_ruleset_costs_one_request(settings: LazySettings) -> None:
    settings.ANONYMOUS_RATE = "10/h"
    client = a_client()
    old = {"items": [a_request()] * 6, "ruleset_version": "2020-01-01"}
    refused = ask(client, "POST", BATCH, old)
    assert (refused.status_code, refused["RateLimit-Remaining"]) == (400, "9")
    # What the refusal suggests can be done at once.
    assert ask(client, "POST", BATCH, {"items": old["items"]}).status_code == 200


def refusals() -> float:
    """Return how many requests of anybody were refused for their number."""
    return REGISTRY.get_sample_value("compliance_rate_limited_total", {"caller": "anonymous"}) or 0


def test_a_batch_that_no_window_takes_is_told_to_be_smaller(settings: LazySettings) -> None:
    settings.ANONYMOUS_RATE = "10/h"
    before = refusals()
    refused = ask(a_client(), "POST", BATCH, {"items": [a_request()] * 11})
    assert (refused.status_code, problem(refused)["code"]) == (400, "BATCH_EXCEEDS_LIMIT")
    # No waiting would help.
    assert "Retry-After" not in refused
    assert refused["RateLimit-Remaining"] == "9"
    assert refusals() == before + 1
    assert problem(refused)["suggested_next_step"]["code"] == "send_less"
    assert "10" in problem(refused)["detail"]


def test_a_partner_is_not_told_to_become_one(db: None) -> None:
    desk = Desk()
    small = desk.record(new_slug(), rate_per_minute=2).slug
    key = desk.issue(small).plain.reveal()
    register.forget()
    refused = ask(a_client(), "POST", BATCH, {"items": [a_request()] * 3}, x_service_key=key)
    register.forget()
    said = problem(refused)["suggested_next_step"]
    assert said["code"] == "send_less"
    assert "higher limit" in said["message"]


def test_every_verdict_of_a_batch_is_recorded_before_it_leaves(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    appended: list[bytes] = []
    monkeypatch.setattr(
        recording, "spool", lambda: type("Spool", (), {"append": staticmethod(appended.append)})
    )
    batch = answer(client, BATCH, {"items": [a_request(), a_request(model_id="no-such-model"), a_request()]})
    written = [json.loads(line) for line in b"".join(appended).splitlines() if line]
    assert len(appended) == 1
    assert [entry["verdict_id"] for entry in written] == [
        item["answer"]["verdict_id"] for item in batch["items"] if item["answer"]
    ]
    assert {entry["channel"] for entry in written} == {"api"}

    def full(lines: bytes) -> None:
        raise NotWritten("the spool is full")

    monkeypatch.setattr(recording, "spool", lambda: type("Spool", (), {"append": staticmethod(full)}))
    settings.VERDICT_LOG_FULL = "refuse"
    assert post(client, BATCH, {"items": [a_request()]}).status_code == 503
    before = recording.lost()
    settings.VERDICT_LOG_FULL = "answer"
    assert post(client, BATCH, {"items": [a_request()] * 3}).status_code == 200
    assert recording.lost() - before == 3


def test_a_bug_in_one_item_is_that_items_alone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = verify_body

    def failing(given: Any, *how: Any) -> Any:
        if given.question.unit.quantity == 13:
            raise KeyError("SN-4711")
        return honest(given, *how)

    monkeypatch.setattr("compliance.api.verdicts.batch.verify_body", failing)
    answered = answer(client, BATCH, {"items": [a_request(), a_request(quantity=13), a_request()]})
    assert [item["status"] for item in answered["items"]] == [200, 500, 200]
    assert answered["items"][1]["problem"]["code"] == "INTERNAL_ERROR"
    assert "SN-4711" not in json.dumps(answered)


@hypothesis_settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    items=st.lists(
        st.recursive(
            st.none() | st.text(max_size=8) | st.integers(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
        ),
        min_size=1,
        max_size=5,
    ),
    language=st.sampled_from(["en", "de"]),
)
def test_questions_are_read_as_they_were_spelled(items: list[Any], language: str) -> None:
    body = json.dumps({"options": {"language": language}, "items": items, "ruleset_version": "[]"}).encode()
    asked = batch_request(body, OF_FLIGHTS)
    assert [json.loads(bytes(one)) for one in asked.questions] == items
    assert asked.language == language
