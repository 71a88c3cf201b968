"""What browsers are told of every answer: at each address of the service, and where there is nothing."""

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern
from pytest_django import Settings

from compliance.middleware.response_headers import ResponseHeaders
from compliance.middleware.server_refusals import refusal
from rules.corpus import Published
from tests.support.api_requests import VERIFY, a_request, post

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

FILLED_IN = {
    "model": "anker-a1263",
    "model_id": "anker-a1263",
    "airline": "ek",
    "country": "jp",
    "codes": "ek-qr",
    "layer": "energy",
    "code": "EK",
    "brand": "anker",
    "rule_id": "ek.max-units",
    "slug": "can-i-bring-a-power-bank-on-a-plane",
    "name": "recalls",
    "file_format": "jsonl",
    "version": "latest",
    "number": "1",
    "watch_id": "00000000-0000-4000-8000-000000000000",
    "key": "nothing",
    "secret": "nothing",
}
"""What stands in addresses in place of their parameters; where it fits nowhere, the answer is an error."""

PAGE_LOADS = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def addresses(prefix: str = "/", resolver: URLResolver | None = None) -> Iterator[str]:
    """Return every address but those of people who sign in, from the table that requests are matched with."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry.pattern, RegexPattern) or str(entry.pattern).startswith(("admin", "partners")):
            continue
        text = prefix + re.sub(r"<\w+:(\w+)>", lambda match: FILLED_IN[match[1]], str(entry.pattern))
        if isinstance(entry, URLPattern):
            yield text
        else:
            yield from addresses(text, entry)


OTHERS = ["/nowhere", "/api/nowhere", "/ja/guides", "/static/site/site.css", "/static/nothing.css", "/admin"]
ALL = sorted({*addresses(), *OTHERS})


def policy(answer: HttpResponse) -> dict[str, str]:
    """Return the content security policy of an answer, by its directives."""
    parts = answer.headers.get("Content-Security-Policy", "").split(";")
    return dict(part.strip().split(" ", 1) for part in parts if part.strip())


def check_headers(answer: HttpResponse, path: str) -> None:
    """Hold an answer to what answers of its kind say."""
    headers_sent = {name: answer.headers.get(name) for name in ALWAYS}
    assert headers_sent == ALWAYS, path
    kind = answer.headers.get("Content-Type", "")
    shared = answer.headers["Cross-Origin-Resource-Policy"]
    if kind.startswith("text/html"):
        assert shared == "same-origin", path
        directives = policy(answer)
        assert directives.items() >= PAGE_LOADS.items(), path
        assert directives["form-action"] in {"'self'", "'none'"}, path
        assert "unsafe" not in answer.headers["Content-Security-Policy"], path
    elif path.startswith(("/static/", "/metrics")):
        assert shared == "same-origin", path
    else:
        assert shared == "cross-origin", path
    if kind.startswith(("application/json", "application/problem+json")):
        assert policy(answer) == {"default-src": "'none'", "frame-ancestors": "'none'"}, path
    # Nothing that anybody sees depends on a cookie.
    assert not answer.cookies, path
    # This server speaks no TLS here.
    assert "Strict-Transport-Security" not in answer.headers, path


@pytest.fixture
def released(db: None, starter_release: Published) -> Published:
    """A release to answer from, and an empty database where pages count in it."""
    return starter_release


@pytest.mark.usefixtures("released")
def test_every_address_tells_browsers_what_answers_of_its_kind_do() -> None:
    seen: dict[str, set[int]] = {}
    for path in ALL:
        for accept in ("text/html", "*/*"):
            answer: HttpResponse = Client(raise_request_exception=False).get(path, headers={"accept": accept})  # type: ignore[assignment]
            check_headers(answer, path)
            kind = answer.headers.get("Content-Type", "").partition(";")[0]
            seen.setdefault(kind, set()).add(answer.status_code)
            answer.close()
    assert len(ALL) > 80
    # The table was held against pages and data, answers and errors.
    assert seen["text/html"] >= {200, 404}
    assert seen["application/json"] >= {200}
    assert seen["application/problem+json"] >= {404}
    assert {"text/css", "text/plain", "application/xml"} <= {*seen}


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("path", ["/", "/api/devices", "/guides", "/openapi.yaml", "/static/site/site.css"])
def test_a_304_tells_the_same(path: str) -> None:
    client = Client()
    first = client.get(path)
    first.close()
    known = (
        {"if-none-match": first["ETag"]}
        if "ETag" in first.headers
        else {"if-modified-since": first["Last-Modified"]}
    )
    again = client.get(path, headers=known)
    again.close()
    assert (first.status_code, again.status_code) == (200, 304)
    for name in (*ALWAYS, "Cross-Origin-Resource-Policy"):
        assert again.headers[name] == first.headers[name]


@pytest.mark.usefixtures("released")
def test_verdicts_refusals_preflights_and_foreign_hosts_tell_the_same() -> None:
    client = Client()
    answers = {
        200: post(client, VERIFY, a_request()),
        400: client.get("/api/devices", headers={"host": "evil.example"}),
        401: client.get("/api/devices", headers={"x-service-key": "nothing"}),
        405: client.get(VERIFY),
        415: client.post(VERIFY, "x", content_type="text/plain"),
    }
    assert {code: answer.status_code for code, answer in answers.items()} == {code: code for code in answers}
    preflight = client.options(
        VERIFY, headers={"origin": "https://shop.example", "access-control-request-method": "POST"}
    )
    for answer in (*answers.values(), preflight):
        headers_sent = {name: answer.headers.get(name) for name in ALWAYS}
        assert headers_sent == ALWAYS
    for answer in answers.values():
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in preflight.headers


def test_the_page_that_refuses_a_foreign_host_loads_only_from_here() -> None:
    page = Client().get("/", headers={"host": "evil.example", "accept": "text/html"})
    assert (page.status_code, page.headers["Content-Type"]) == (400, "text/html; charset=utf-8")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.usefixtures("released")
def test_a_failure_that_no_one_foresaw_tells_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("aeo.service.views.render", fail, raising=False)
    monkeypatch.setattr("aeo.checker.views.render", fail, raising=False)
    answer: HttpResponse = Client(raise_request_exception=False).get("/", headers={"accept": "text/html"})  # type: ignore[assignment]
    assert answer.status_code == 500
    check_headers(answer, "/")


def test_what_the_web_server_refuses_by_itself_tells_the_same() -> None:
    for status in (400, 414, 431, 500):
        head = refusal(status).partition(b"\r\n\r\n")[0].decode()
        headers_sent = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
        assert headers_sent.items() >= ALWAYS.items()
        assert headers_sent["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert headers_sent["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    ("scheme", "subdomains", "preload", "headers_sent"),
    [
        ("http", True, True, None),
        ("https", False, False, "max-age=600"),
        ("https", True, False, "max-age=600; includeSubDomains"),
        ("https", True, True, "max-age=600; includeSubDomains; preload"),
    ],
)
def test_over_tls_browsers_are_told_to_stay_with_it(
    settings: Settings, scheme: str, subdomains: bool, preload: bool, headers_sent: str | None
) -> None:
    settings.SECURE_HSTS_SECONDS = 600
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD = subdomains, preload
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    answer = ResponseHeaders(lambda _: HttpResponse())(
        RequestFactory().get("/", headers={"x-forwarded-proto": scheme})
    )
    assert answer.headers.get("Strict-Transport-Security") == headers_sent


def test_without_tls_others_are_led_to_it_and_nothing_else_is_done(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    answer = Client().get("/guides?x=1")
    assert (answer.status_code, answer["Location"]) == (301, "https://testserver/guides?x=1")
    assert Client().get("/guides", headers={"host": "evil.example"}).status_code == 400
    # Who asks on this machine how the service is comes without TLS.
    assert Client().get("/metrics").status_code == 200


def test_who_the_caller_says_it_came_by_is_not_believed_without_a_proxy(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = Client().get(
        "/guides", headers={"x-forwarded-proto": "https", "x-forwarded-host": "evil.example"}
    )
    assert (answer.status_code, answer["Location"]) == (301, "https://testserver/guides")
