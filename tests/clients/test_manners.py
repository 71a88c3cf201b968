"""What no vector says of the Python clients: how they are set up, and what answers cannot be taken for."""

import copy
import dataclasses
import datetime
import http.server
import json
import logging
import pickle
import time
from collections.abc import Callable
from typing import Any

import anyio
import httpx
import pytest

from battery_travel import Answer, AsyncClient, Client, Flight, Leg, Patience, Question, TripQuestion
from battery_travel.instants import Instant, system_clock
from battery_travel.reading import parsed, trip_record
from tests.clients.made_up import ALLOWED, PASS, PROBLEM, STARTS_AT, vector
from tests.clients.made_up import read as read_of
from tests.clients.made_up import reply as reply_of
from tests.clients.playing import Stage
from tests.clients.serving import Answer as Serve
from tests.clients.serving import served, whole

FLIGHT = Question(model_id="acme-slim-10k", origin="JP", destination="SG", airline="SQ", serial="AC20007")
ONCE = Patience(attempts=1)
BRIEF = Patience(attempts=1, seconds_each=0.3)
JSON = "application/json"


def waiting(address: str, patience: Patience = ONCE) -> Answer:
    with Client(address, patience=patience) as client:
        return client.verify(FLIGHT)


def not_waiting(address: str, patience: Patience = ONCE) -> Answer:
    async def ask() -> Answer:
        async with AsyncClient(address, patience=patience) as client:
            return await client.verify(FLIGHT)

    return anyio.run(ask)


def cleared() -> Answer:
    clear = vector("clear", "", reply_of(ALLOWED), read_of(None))
    answer = Stage(clear).ask()
    assert answer.clear_to_pack()
    return answer


def test_an_answer_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="clear_to_pack"):
        bool(cleared())


def test_forgotten_parentheses_are_an_error() -> None:
    with pytest.raises(TypeError, match="parentheses"):
        bool(cleared().clear_to_pack)


@pytest.mark.parametrize("kept", [pickle.dumps, copy.copy, copy.deepcopy])
def test_an_answer_cannot_be_carried_to_another_time_or_machine(kept: Callable[[Answer], Any]) -> None:
    with pytest.raises(TypeError, match="stored"):
        kept(cleared())


def test_an_answer_holds_no_verdict_to_compare() -> None:
    assert not hasattr(cleared(), "verdict")
    with pytest.raises(AttributeError):
        cleared().clear_to_pack = lambda: True  # type: ignore[misc]


def test_the_answer_of_a_trip_tells_what_all_its_flights_demand() -> None:
    record = trip_record(parsed(json.dumps(PASS).encode()))
    assert [constraint.code for constraint in record.constraints] == ["max_units_2", "carry_on_only"]
    assert [warning.code for warning in record.warnings] == ["overhead_bin_discouraged"]
    earlier = parsed(json.dumps(PASS).encode())
    for leg in earlier["segments"]:
        del leg["constraints"], leg["warnings"]
    assert trip_record(earlier).constraints == trip_record(earlier).warnings == ()


def test_a_claim_names_the_rules_of_all_flights_that_make_it() -> None:
    body = json.loads(json.dumps(PASS))
    for leg, rule_ids in zip(
        body["segments"], (["ke.units", "intl.units"], ["sq.units", "intl.units"]), strict=True
    ):
        leg["constraints"][0]["rule_ids"] = leg["warnings"][0]["rule_ids"] = rule_ids
    record = trip_record(parsed(json.dumps(body).encode()))
    rules = ("ke.units", "intl.units", "sq.units")
    assert [constraint.rule_ids for constraint in record.constraints] == [rules, ()]
    assert [warning.rule_ids for warning in record.warnings] == [rules]


def test_a_refusal_names_every_wrong_field_and_says_what_the_service_says_about_it() -> None:
    errors = [
        {"field": "trip.origin", "code": "unknown_country", "message": "There is no country XX."},
        {"field": "quantity", "code": "out_of_range", "message": "Send a whole number."},
    ]
    wrong = {**PROBLEM, "status": 400, "code": "VALIDATION_ERROR", "errors": errors}
    refused = vector("refused", "", reply_of(wrong, status=400), read_of("refused"))
    why_not = Stage(refused).ask().why_not()
    assert why_not.field == "trip.origin"
    for said in (
        "`trip.origin` (unknown_country): There is no country XX.",
        "`quantity` (out_of_range): Send a whole number.",
    ):
        assert said in why_not.message


DATED: list[Callable[[Any], Any]] = [
    lambda date: dataclasses.replace(FLIGHT, date=date).body()["trip"]["date"],
    lambda date: TripQuestion(model_id="a", legs=[], date=date).body()["trip"]["date"],
    lambda date: Flight(origin="JP", destination="SG", date=date).body()["date"],
]


@pytest.mark.parametrize("sent", DATED)
def test_a_date_may_be_text_and_a_wrong_one_is_an_error_where_it_is_given(sent: Callable[[Any], Any]) -> None:
    assert sent("2026-12-20") == sent(datetime.date(2026, 12, 20)) == "2026-12-20"
    for wrong in ("20 December", "2026-02-30", "2026-12-20T10:00:00", ""):
        with pytest.raises(ValueError, match="2026-12-20"):
            sent(wrong)
    for other in (datetime.datetime(2026, 12, 20, 23, tzinfo=datetime.UTC), 20261220):
        with pytest.raises(TypeError, match="date must be a date or text"):
            sent(other)


@pytest.mark.parametrize("is_async", [False, True])
def test_many_questions_are_asked_in_parts_and_each_answer_belongs_to_its_question(is_async: bool) -> None:
    sizes = []

    def busy(request: httpx.Request) -> httpx.Response:
        sizes.append(len(json.loads(request.content)["items"]))
        return httpx.Response(503)

    settings: Any = {"transport": httpx.MockTransport(busy), "patience": ONCE}

    async def ask() -> list[Answer]:
        async with AsyncClient("https://service.example", **settings) as client:
            return await client.verify_batch(questions)

    questions = [dataclasses.replace(FLIGHT, quantity=number) for number in range(1, 121)]
    if is_async:
        answers = anyio.run(ask)
    else:
        with Client("https://service.example", **settings) as client:
            answers = client.verify_batch(questions)
    assert sizes == [50, 50, 20]
    assert [answer.question for answer in answers] == questions
    assert {refusal(answer) for answer in answers} == {"server_error"}


def test_a_look_up_that_failed_is_no_empty_list() -> None:
    with Client("http://127.0.0.1:1", patience=ONCE) as client:
        recalls = client.recalls("acme-slim-10k")
    assert recalls.found is None
    with pytest.raises(TypeError, match="found"):
        bool(recalls)


def test_a_clear_answer_tells_what_it_rests_on() -> None:
    answer = cleared()
    assert answer.summary.startswith("Allowed in your cabin bag")
    assert [constraint.code for constraint in answer.constraints] == ["max_units_2", "carry_on_only"]
    assert [warning.severity for warning in answer.warnings] == ["advisory"]
    assert [citation.authority for citation in answer.citations] == ["Singapore Airlines"]
    assert answer.device is not None
    assert str(answer.device.watt_hour) == "37.0"
    assert answer.generated_at == STARTS_AT
    stored = answer.stored()
    assert stored is not None
    assert stored["answer"] == ALLOWED
    assert stored["request"]["trip"]["airline"] == "SQ"


@pytest.mark.parametrize("ask", [waiting, not_waiting])
def test_an_answer_that_never_ends_is_given_up(ask: Callable[..., Answer]) -> None:
    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", JSON)
        handler.end_headers()
        for _ in range(500):
            handler.wfile.write(b" ")
            time.sleep(0.02)

    with served(drip) as address:
        began = time.monotonic()
        answer = ask(address, BRIEF)
        assert time.monotonic() - began < 5
    assert not answer.clear_to_pack()
    assert refusal(answer) == "timeout"


def test_a_machine_that_slept_in_a_pause_has_an_answer_too() -> None:
    def busy(handler: http.server.BaseHTTPRequestHandler) -> None:
        time.sleep(0.1)
        whole(503, b"", content_type=JSON)(handler)

    slept = 0.0

    def clock() -> Instant:
        now = system_clock()
        return Instant(now.wall, now.monotonic + slept)

    def sleep(seconds: float) -> None:
        nonlocal slept
        slept += 3600

    with served(busy) as address, Client(address, clock=clock, sleep=sleep) as client:
        # No time is left, or the connection that was kept is gone.
        assert refusal(client.verify(FLIGHT)) in {"timeout", "unreachable"}


def test_an_answer_belongs_to_what_was_asked_not_to_what_became_of_the_list() -> None:
    legs = [Leg("JP", "KR", "KE")]
    question = TripQuestion(model_id="acme-slim-10k", legs=legs)
    legs.append(Leg("KR", "SG", "SQ"))
    assert question.body()["trip"]["legs"] == [{"origin": "JP", "destination": "KR", "airline": "KE"}]


def test_the_text_false_switches_nothing_on() -> None:
    false: Any = "false"
    played = vector(
        "sandbox", "", reply_of(ALLOWED, x_sandbox="true"), read_of("sandbox"), client={"sandbox": false}
    )
    assert refusal(Stage(played).ask()) == "sandbox"
    with pytest.raises(ValueError, match="base_url"):
        Client("http://service.example", allow_plain_http=false)


def refusal(answer: Answer) -> str | None:
    why_not = answer.why_not()
    return None if why_not is None else why_not.code


def cut(handler: http.server.BaseHTTPRequestHandler) -> None:
    content = json.dumps(ALLOWED).encode()
    handler.send_response(200)
    handler.send_header("content-type", JSON)
    handler.send_header("content-length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content[:-1])


@pytest.mark.parametrize("ask", [waiting, not_waiting])
@pytest.mark.parametrize(
    ("serve", "why_not"),
    [
        (whole(200, b" " * 5_000_000, content_type=JSON), "malformed"),
        (whole(307, b"", location="/elsewhere", content_type=JSON), "unexpected_status"),
        (whole(200, b"not gzip", content_type=JSON, content_encoding="gzip"), "unreachable"),
        (whole(200, b"\xff\xfe", content_type=JSON), "malformed"),
        (whole(200, b"[" * 100_000, content_type=JSON), "malformed"),
        (whole(404, b"[" * 100_000, content_type=JSON), "unexpected_status"),
        (cut, "unreachable"),
    ],
    ids=["too long", "elsewhere", "another coding", "no text", "brackets", "brackets of an error", "cut off"],
)
def test_what_is_wrong_with_a_network_is_an_answer_too(
    ask: Callable[..., Answer], serve: Serve, why_not: str
) -> None:
    with served(serve) as address:
        answer = ask(address)
    assert refusal(answer) == why_not
    assert not answer.clear_to_pack()
    assert answer.stored() is None


@pytest.mark.parametrize(
    "address",
    [
        "http://service.example",
        "ftp://service.example",
        "https://",
        "service.example",
        "https://a.example/?b=c",
        "https://shop:secret@service.example",
    ],
)
def test_an_address_that_cannot_be_trusted_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Client(address)


@pytest.mark.parametrize(
    "address", ["https://service.example", "http://127.0.0.1:8000", "http://[::1]:8000/x"]
)
def test_an_address_with_tls_or_on_this_machine_is_taken(address: str) -> None:
    Client(address).close()
    Client("http://service.example", allow_plain_http=True).close()


def test_a_key_goes_to_the_service_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    problem = {
        "code": "INVALID_KEY",
        "title": "The partner key is not valid",
        "detail": "Check the key.",
        "request_id": "1",
        "suggested_next_step": {"code": "CHECK_THE_KEY", "message": "Check it."},
    }
    keys = []

    def refuse(handler: http.server.BaseHTTPRequestHandler) -> None:
        keys.append(handler.headers["x-service-key"])
        whole(401, json.dumps(problem).encode(), content_type="application/problem+json")(handler)

    caplog.set_level(logging.DEBUG)
    with served(refuse) as address, Client(address, key="btk_secret", patience=ONCE) as client:
        answer = client.verify(FLIGHT)
        shown = repr(client) + repr(client._asking)
    assert keys == ["btk_secret"]
    assert answer.problem is not None
    assert answer.problem.code == "INVALID_KEY"
    assert answer.next_step is not None
    assert answer.next_step.code == "CHECK_THE_KEY"
    assert "btk_secret" not in shown + repr(answer) + caplog.text
    assert "AC20007" not in repr(answer) + repr(answer.question) + repr(answer._reply) + caplog.text
