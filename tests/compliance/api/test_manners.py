"""HTTP as it is meant: methods, the wish for JSON, and requests that make no sense."""

from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.api.protocol.negotiation import accepts_json
from tests.support.api_callers import a_client, ask
from tests.support.api_requests import TRIPS, VERIFY, a_request, problem

DEVICES = "/api/devices"

pytestmark = pytest.mark.usefixtures("asked_now")

# --- Methods ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [DEVICES, f"{DEVICES}/anker-a1263", f"{DEVICES}/anker-a1263/recalls", "/api/recalls"]
)
def test_head_is_get_without_a_body(path: str) -> None:
    got, head = (ask(a_client(), method, path) for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Length"] == str(len(got.content))
    for field in ("Content-Type", "ETag", "Last-Modified", "Cache-Control", "Vary"):
        assert head[field] == got[field]


@pytest.mark.parametrize(
    ("path", "allowed"),
    [(VERIFY, "POST, OPTIONS"), (TRIPS, "POST, OPTIONS"), (DEVICES, "GET, HEAD, OPTIONS")],
)
def test_options_names_the_methods_and_others_are_refused(path: str, allowed: str) -> None:
    client = a_client()
    options = ask(client, "OPTIONS", path)
    assert (options.status_code, options.content, options["Allow"]) == (204, b"", allowed)
    assert "Content-Type" not in options
    assert "Content-Length" not in options
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - {*allowed.split(", ")}:
        refused = ask(client, method, path)
        assert (refused.status_code, refused["Allow"]) == (405, allowed)
        if method != "HEAD":
            assert problem(refused)["code"] == "METHOD_NOT_ALLOWED"


def test_outside_the_api_the_methods_are_named_too(client: Client) -> None:
    refused = ask(client, "POST", "/metrics", {})
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD")
    assert problem(refused)["code"] == "METHOD_NOT_ALLOWED"


# --- Accept -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "accept",
    [
        "",
        "*/*",
        "application/json",
        "APPLICATION/JSON",
        "application/*",
        "application/json; charset=utf-8",
        "application/json;q=0.001",
        "text/html, application/xhtml+xml, */*;q=0.8",
        "text/html;q=1, application/json;q=0.1",
        "*/*;q=0, application/json",
        "application/problem+json, application/json",
        "application/json ; q=0.5",
        "application/json;q=much",
        " ",
        ",",
    ],
)
def test_json_is_what_everyone_gets_who_does_not_refuse_it(accept: str) -> None:
    client = a_client()
    for answered in (
        ask(client, "GET", DEVICES, accept=accept),
        ask(client, "POST", VERIFY, a_request(), accept=accept),
    ):
        assert (answered.status_code, answered["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize(
    "accept",
    [
        "text/html",
        "text/*",
        "image/avif,image/webp",
        "application/xml",
        "application/problem+json",
        "application/json;q=0",
        "application/json;q=0.000",
        "application/json;q=0, */*",
        "application/*;q=0, */*;q=1",
        "*/*;q=0",
        "json",
        "*",
        "*/json",
    ],
)
def test_who_refuses_json_is_told_so_in_json(accept: str) -> None:
    client = a_client()
    for answered in (
        ask(client, "GET", DEVICES, accept=accept),
        ask(client, "POST", VERIFY, a_request(), accept=accept),
        ask(client, "OPTIONS", VERIFY, accept=accept),
    ):
        assert (answered.status_code, problem(answered)["code"]) == (406, "NOT_ACCEPTABLE")


def test_without_an_accept_header_the_answer_is_json() -> None:
    assert a_client().get(DEVICES)["Content-Type"] == "application/json"


@given(st.text(st.sampled_from("ajpson/*;,=q.01 \"'\\-+%") | st.characters(max_codepoint=255), max_size=60))
def test_any_accept_header_is_read(header: str) -> None:
    assert accepts_json(header) in {True, False}
    # What is more specific decides, in whatever order it stands.
    for text in (f"application/json,{header}", f"{header},application/json"):
        assert accepts_json(text) or "json" in header.lower()


# --- Requests that make no sense --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        f"{DEVICES}/%00",
        f"{DEVICES}/%FF%FE",
        f"{DEVICES}/%ED%A0%80",
        f"{DEVICES}/%",
        f"{DEVICES}/%zz",
        f"{DEVICES}/..%2F..%2Fetc%2Fpasswd",
        f"{DEVICES}/{quote('電源' * 100)}",
        f"{DEVICES}/" + "a" * 100_000,
        f"{DEVICES}?q=%00",
        f"{DEVICES}?q=%FF",
        f"{DEVICES}?q=" + "a" * 100_000,
        f"{DEVICES}?" + "a=1&" * 25_000,
        f"{DEVICES}?" + "&" * 5_000 + "quantity=1",
        f"{DEVICES}?limit=%D9%A3",
        "/api/%00",
        "//api/devices",
    ],
    ids=lambda path: path[:40],
)
def test_nonsense_in_an_address_is_the_callers_error(path: str) -> None:
    answered = ask(a_client(), "GET", path)
    assert answered.status_code in {400, 404}
    problem(answered)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from([DEVICES, f"{DEVICES}/", "/api/recalls", "/api/"]),
    rest=st.binary(max_size=40),
    query=st.binary(max_size=40),
)
def test_no_address_is_ever_a_failure_of_ours(path: str, rest: bytes, query: bytes) -> None:
    assert ask(a_client(), "GET", f"{path}{quote(rest)}").status_code < 500
    assert a_client().generic("GET", path, QUERY_STRING=query.decode("latin-1")).status_code < 500


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(
        [
            "accept",
            "if-none-match",
            "if-modified-since",
            "origin",
            "x-request-id",
            "cookie",
            "x-forwarded-for",
        ]
    ),
    value=st.text(st.characters(max_codepoint=255), max_size=60),
)
def test_no_header_is_ever_a_failure_of_ours(name: str, value: str) -> None:
    for method, path, body in (("GET", DEVICES, None), ("POST", VERIFY, a_request())):
        assert ask(a_client(), method, path, body, **{name: value}).status_code < 500
