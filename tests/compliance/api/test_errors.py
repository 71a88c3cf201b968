"""One test visits every error of both endpoints: each has its status, its code and the one shape."""

import io
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import TooManyFieldsSent
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client

from compliance.api.protocol.bodies import MAX_BODY_BYTES
from compliance.api.protocol.errors import PROBLEMS, ApiError
from rules.corpus import NoReleasePublished, ReleaseUnusable
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, post, problem

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

Send = Callable[[Client, str, dict[str, Any]], "Response"]
"""Sends something to an address, given a body that would be valid there."""

LARGE = b" " * (70 * 1024)


def changed(**changes: Any) -> Send:
    return lambda client, path, body: post(client, path, {**body, **changes})


def raw(content: bytes, **kinds: str) -> Send:
    kind = kinds.get("content_type", "application/json")
    # Django's client names no type for an empty body unless it is told so.
    return lambda client, path, body: client.post(path, content, content_type=kind, CONTENT_TYPE=kind)


def with_header(name: str, value: str) -> Send:
    return lambda client, path, body: post(client, path, body, **{name: value})


def unknown_model(client: Client, path: str, body: dict[str, Any]) -> "Response":
    unit = body.get("device", body)
    unit["model_id"] = "no-such-model"
    return post(client, path, body)


BOTH: list[tuple[str, Send, int, str]] = [
    ("a misspelt field", changed(quantty=2), 400, "VALIDATION_ERROR"),
    ("no field at all", raw(b"{}"), 400, "VALIDATION_ERROR"),
    ("a JSON array", raw(b"[]"), 400, "VALIDATION_ERROR"),
    ("a JSON text", raw(b'"hello"'), 400, "VALIDATION_ERROR"),
    ("null", raw(b"null"), 400, "VALIDATION_ERROR"),
    ("an unsupported language", changed(options={"language": "tlh"}), 400, "VALIDATION_ERROR"),
    ("nothing", raw(b""), 400, "MALFORMED_JSON"),
    ("white space", raw(b" \n"), 400, "MALFORMED_JSON"),
    ("half an object", raw(b'{"model_id": '), 400, "MALFORMED_JSON"),
    ("two objects", raw(b"{} {}"), 400, "MALFORMED_JSON"),
    ("a trailing comma", raw(b'{"a": 1,}'), 400, "MALFORMED_JSON"),
    ("invalid UTF-8", raw(b'{"model_id": "\xff"}'), 400, "MALFORMED_JSON"),
    ("UTF-8 of a surrogate", raw(b'{"model_id": "\xed\xa0\x80"}'), 400, "MALFORMED_JSON"),
    ("a lone surrogate", raw(b'{"model_id": "\\ud800 and more"}'), 400, "MALFORMED_JSON"),
    ("UTF-16", raw('{"model_id": "x"}'.encode("utf-16")), 400, "MALFORMED_JSON"),
    ("a byte order mark", raw(b"\xef\xbb\xbf{}"), 400, "MALFORMED_JSON"),
    ("NaN", raw(b'{"quantity": NaN}'), 400, "MALFORMED_JSON"),
    ("Infinity", raw(b'{"quantity": -Infinity}'), 400, "MALFORMED_JSON"),
    ("a number beyond bounds", raw(b'{"quantity": 1e999}'), 400, "VALIDATION_ERROR"),
    ("a number of 5,000 digits", raw(b'{"quantity": ' + b"9" * 5000 + b"}"), 400, "MALFORMED_JSON"),
    ("a control character", raw(b'{"model_id": "\x00"}'), 400, "MALFORMED_JSON"),
    ("a comment", raw(b"{} // please"), 400, "MALFORMED_JSON"),
    ("a field twice", raw(b'{"quantity": 1, "quantity": 2}'), 400, "MALFORMED_JSON"),
    ("a nested field twice", raw(b'{"trip": {"origin": "CN", "origin": "JP"}}'), 400, "MALFORMED_JSON"),
    ("a deep list", raw(b"[" * 30_000), 400, "MALFORMED_JSON"),
    ("a deep object", raw(b'{"a":' * 10_000), 400, "MALFORMED_JSON"),
    ("a stale ruleset", changed(ruleset_version="2020-01-01"), 400, "RULESET_VERSION_NOT_CURRENT"),
    ("an unknown model", unknown_model, 404, "MODEL_NOT_FOUND"),
    ("GET", lambda client, path, body: client.get(path), 405, "METHOD_NOT_ALLOWED"),
    ("PUT", lambda client, path, body: client.put(path, body, "application/json"), 405, "METHOD_NOT_ALLOWED"),
    ("DELETE", lambda client, path, body: client.delete(path), 405, "METHOD_NOT_ALLOWED"),
    ("TRACE", lambda client, path, body: client.trace(path), 405, "METHOD_NOT_ALLOWED"),
    ("a wish for HTML", with_header("Accept", "text/html"), 406, "NOT_ACCEPTABLE"),
    ("a final slash", lambda client, path, body: post(client, path + "/", body), 404, "NOT_FOUND"),
    ("70 KiB", raw(LARGE), 413, "BODY_TOO_LARGE"),
    ("a form", raw(b"a=1", content_type="multipart/form-data; boundary=x"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ("a text", raw(b"{}", content_type="text/plain"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ("Latin-1", raw(b"{}", content_type="application/json; charset=latin-1"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ("gzip", with_header("Content-Encoding", "gzip"), 415, "UNSUPPORTED_MEDIA_TYPE"),
    ("a foreign host", with_header("Host", "elsewhere.example"), 400, "BAD_REQUEST"),
]  # fmt: skip

VERIFY_ONLY: list[tuple[str, Send, int, str]] = [
    (
        "transit",
        changed(trip={"origin": "JP", "transit": ["KR"], "destination": "SG", "airline": "SQ"}),
        400,
        "USE_TRIP_ENDPOINT",
    ),
    (
        "transit in a request that is wrong in other ways",
        changed(model_id=7, trip={"transit": [None]}),
        400,
        "USE_TRIP_ENDPOINT",
    ),
    (
        "an airline that is not covered",
        changed(trip={"origin": "JP", "destination": "SG", "airline": "ZZ"}),
        404,
        "AIRLINE_NOT_COVERED",
    ),
    (
        "an airline without rules in force",
        changed(trip={"origin": "US", "destination": "US", "airline": "NK"}),
        404,
        "AIRLINE_NOT_COVERED",
    ),
]

RAISED: list[tuple[str, Exception, int, str]] = [
    ("no release", NoReleasePublished(), 503, "SERVICE_UNAVAILABLE"),
    ("an unusable release", ReleaseUnusable("altered"), 503, "SERVICE_UNAVAILABLE"),
    ("no database", OperationalError("server closed the connection"), 503, "SERVICE_UNAVAILABLE"),
    ("a bug", KeyError("SN-4711"), 500, "INTERNAL_ERROR"),
    ("a spent rate limit", ApiError("RATE_LIMITED", headers={"Retry-After": "7"}), 429, "RATE_LIMITED"),
    ("a wrong key", ApiError("INVALID_KEY"), 401, "INVALID_KEY"),
    ("a foreign origin", ApiError("ORIGIN_NOT_ALLOWED"), 403, "ORIGIN_NOT_ALLOWED"),
    ("a batch above the limit", ApiError("BATCH_EXCEEDS_LIMIT"), 400, "BATCH_EXCEEDS_LIMIT"),
    ("an itinerary that is too large", ApiError("QUESTION_TOO_LARGE"), 400, "QUESTION_TOO_LARGE"),
    ("a name that no airline has", ApiError("AIRLINE_NAME_UNKNOWN"), 404, "AIRLINE_NAME_UNKNOWN"),
    ("too many fields", TooManyFieldsSent("SN-4711"), 400, "BAD_REQUEST"),
]

CASES = [
    *[(VERIFY, *case) for case in [*BOTH, *VERIFY_ONLY]],
    *[(TRIPS, *case) for case in BOTH],
]


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(
    ("path", "what", "send", "status", "code"), CASES, ids=[f"{path}-{what}" for path, what, *_ in CASES]
)
def test_every_error_has_its_status_its_code_and_the_one_shape(
    client: Client, path: str, what: str, send: Send, status: int, code: str
) -> None:
    response = send(client, path, a_request() if path == VERIFY else a_trip())
    assert (response.status_code, problem(response)["code"]) == (status, code), response.content
    assert problem(response)["instance"].rstrip("/") == path


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(("path", "door"), [(VERIFY, "answer_from"), (TRIPS, "trip_answer_from")])
@pytest.mark.parametrize(("what", "error", "status", "code"), RAISED, ids=lambda value: str(value)[:40])
def test_what_fails_behind_the_door_has_the_same_shape(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    client: Client,
    path: str,
    door: str,
    what: str,
    error: Exception,
    status: int,
    code: str,
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(f"rules.verdicts.{door}", fail)
    response = post(client, path, a_request() if path == VERIFY else a_trip())
    body = problem(response)
    assert (response.status_code, body["code"]) == (status, code)
    assert ("Retry-After" in response) == (status in {429, 503})
    assert ("WWW-Authenticate" in response) == (status == 401)
    if status in {429, 503}:
        assert int(response["Retry-After"]) >= 1
    assert "SN-4711" not in response.content.decode()
    assert "SN-4711" not in caplog.text
    if status >= 500:
        assert body["request_id"] in caplog.text


def test_every_code_of_the_table_is_visited() -> None:
    visited = {code for *_, code in CASES} | {code for *_, code in RAISED}
    # These two the web server gives before the application sees the request:
    # tests/compliance/services/test_refusals.py.
    by_the_server = {"URI_TOO_LONG", "HEADERS_TOO_LARGE"}
    # And these come only where something is made: tests/compliance/trip_watch/test_quota.py,
    # tests/compliance/records/idempotency/test_once.py.
    where_made = {"WATCH_QUOTA_REACHED", "REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"}
    # And these come only from pages: tests/compliance/middleware/test_error_pages.py.
    of_pages = {"FORBIDDEN", "CONFLICT"}
    assert visited == set(PROBLEMS) - by_the_server - where_made - of_pages


def test_an_unknown_address_is_a_problem_too(client: Client) -> None:
    for path in ("/api/verifi", "/api/", "/api", "/nowhere", "/api/tr\u00eeps?serial=SN-4711"):
        response = client.get(path)
        assert (response.status_code, problem(response)["code"]) == (404, "NOT_FOUND")
        assert "SN-4711" not in response.content.decode()


def test_a_reader_of_pages_gets_a_page_outside_the_api(client: Client) -> None:
    html = {"Accept": "text/html,*/*;q=0.8"}
    assert client.get("/nowhere", headers=html)["Content-Type"].startswith("text/html")
    problem(client.get("/api/nowhere", headers=html))


@pytest.mark.usefixtures("asked_now")
def test_a_failure_logs_where_it_happened(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    serial = "SN-47" + "11"

    def fail(*args: object, **options: object) -> None:
        try:
            raise KeyError(serial)
        except KeyError as cause:
            raise ValueError(serial) from cause

    monkeypatch.setattr("rules.verdicts.answer_from", fail)
    with caplog.at_level(logging.DEBUG):
        post(client, VERIFY, a_request(serial=serial))
    assert "ValueError, after KeyError" in caplog.text
    assert "verify.py" in caplog.text
    assert serial not in caplog.text


@pytest.mark.usefixtures("asked_now")
def test_messages_say_what_to_do_next(client: Client) -> None:
    stale = problem(post(client, VERIFY, a_request(ruleset_version="2026-11-19")))
    assert "The current version is 2026-11-20." in stale["detail"]
    assert stale["errors"][0]["field"] == "ruleset_version"
    language = problem(post(client, VERIFY, a_request(options={"language": "xx"})))
    assert language["errors"][0]["message"] == (
        "Send one of `en`, `zh-hans`, `zh-hant`, `ja`, `ko`, `de`, `fr`, `es`, or leave it out for `en`."
    )
    lower = problem(post(client, VERIFY, a_request({"origin": "jp", "airline": "sq"})))
    assert [error["message"] for error in lower["errors"]] == [
        "Country codes are upper case: send `JP`.",
        "Airline codes are upper case: send `SQ`.",
    ]
    misspelt = problem(post(client, VERIFY, a_request(quantty=2)))
    assert misspelt["errors"][0]["message"] == "This field is not known here. Did you mean `quantity`?"
    transit = problem(post(client, VERIFY, a_request({"transit": ["KR"]})))
    assert transit["errors"][0]["field"] == "trip.transit"
    assert "POST /api/trips/verify" in transit["detail"]
    uncovered = problem(post(client, VERIFY, a_request({"airline": "ZZ"})))
    assert "airline ZZ" in uncovered["detail"]


@pytest.mark.usefixtures("asked_now")
def test_only_a_safe_request_id_is_taken_from_outside(client: Client) -> None:
    assert (
        post(client, VERIFY, a_request(), **{"X-Request-ID": "trace-0123_4.5"})["X-Request-ID"]
        == "trace-0123_4.5"
    )
    for unsafe in (
        "short",
        "with space",
        "a" * 65,
        "<script>alert(1)</script>",
        "SN%204711aa",
        "-dashes-first",
        f"btk_k3vq7m2a_{'a' * 40}",
        f"x-BTK_k3vq7m2a_{'a' * 40}",
        f"whsec_{'A' * 40}",
    ):
        taken = post(client, VERIFY, a_request(), **{"X-Request-ID": unsafe})["X-Request-ID"]
        assert taken != unsafe
        assert len(taken) == 32
    assert (
        post(client, VERIFY, a_request())["X-Request-ID"] != post(client, VERIFY, a_request())["X-Request-ID"]
    )


# --- Bodies as a server hands them over ---


def over_wsgi(body: bytes, **environ: Any) -> tuple[int, dict[str, Any]]:
    """Hand a body to the application as a WSGI server does, and return status and answer."""
    request = WSGIRequest(
        {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": VERIFY,
            "CONTENT_TYPE": "application/json",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "localhost",
            "wsgi.input": io.BytesIO(body),
            "wsgi.url_scheme": "http",
            **environ,
        }
    )
    response = WSGIHandler().get_response(request)
    assert isinstance(response, HttpResponse)
    return response.status_code, json.loads(response.content)


class Broken(io.BytesIO):
    """A body whose sender went away, or whose chunks are not chunks."""

    def read(self, size: int | None = -1) -> bytes:
        raise RuntimeError("invalid chunk size")


@pytest.mark.usefixtures("asked_now")
def test_a_chunked_body_is_read_and_limited() -> None:
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    valid = json.dumps(a_request()).encode()
    assert over_wsgi(valid, **chunked)[0] == 200
    assert over_wsgi(LARGE, **chunked)[0] == 413
    exact = valid + b" " * (MAX_BODY_BYTES - len(valid))
    assert over_wsgi(exact, **chunked)[0] == 200
    assert over_wsgi(exact + b" ", **chunked)[0] == 413


@pytest.mark.usefixtures("asked_now")
def test_of_an_endless_body_no_more_is_read_than_the_limit() -> None:
    endless = io.BytesIO(b" " * 10_000_000)
    status, _ = over_wsgi(b"", **{"wsgi.input": endless, "wsgi.input_terminated": True})
    assert status == 413
    assert endless.tell() == MAX_BODY_BYTES + 1


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(
    ("declared", "status"),
    [
        ("10", 400),
        ("200", 400),
        ("0", 400),
        ("-5", 400),
        ("many", 400),
        ("9" * 5000, 400),
        ("99999999999", 413),
        ("", 400),
    ],
)
def test_a_lying_content_length_is_no_failure_of_ours(declared: str, status: int) -> None:
    body = json.dumps(a_request()).encode()[:-1]
    assert over_wsgi(body, CONTENT_LENGTH=declared)[0] == status


@pytest.mark.usefixtures("asked_now")
def test_a_body_that_breaks_off_is_the_callers_error() -> None:
    status, answer = over_wsgi(b"", **{"wsgi.input": Broken(), "wsgi.input_terminated": True})
    assert status == 400
    assert answer["code"] == "MALFORMED_JSON"
