"""Who asks: a key counts or is refused, changes no verdict, and is kept to itself."""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client

from compliance.partners import register
from compliance.partners.keys import make_key
from tests.support.api_callers import a_client, ask
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, post, problem
from tests.support.partners import DAY, NOON, Desk
from tests.support.starter import NOW

DEVICES = "/api/devices"
TERMS = '<https://acme.example/terms>; rel="terms-of-service"'

pytestmark = pytest.mark.usefixtures("asked_now")


@pytest.fixture
def desk(db: None) -> Iterator[Desk]:
    """A partner manager with one partner, `acme`, in a process that has never read a key."""
    register.forget()
    yield Desk()
    register.forget()


@pytest.fixture
def key(desk: Desk) -> str:
    return desk.issue().plain.reveal()


# --- Keys that count --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model_id", ["anker-a1289", "anker-a1263", "romoss-pea40"])
def test_a_key_changes_no_byte_of_a_verdict(key: str, model_id: str) -> None:
    client = a_client()
    for path, body in (
        (VERIFY, a_request(model_id=model_id, serial="SN 1")),
        (TRIPS, a_trip(device={"model_id": model_id})),
    ):
        anonymous = post(client, path, body)
        partner = post(client, path, body, **{"x-service-key": key})
        assert anonymous.status_code == partner.status_code == 200
        assert anonymous.content == partner.content
        assert "Link" in partner
        assert "Link" not in anonymous


def test_a_key_counts_in_either_header_and_in_both(key: str) -> None:
    client = a_client()
    for headers in (
        {"x_service_key": key},
        {"authorization": f"Bearer {key}"},
        {"authorization": f"bearer  {key}"},
        {"x_service_key": f" {key}", "authorization": f"Bearer {key}"},
    ):
        answered = ask(client, "GET", DEVICES, **headers)
        assert (answered.status_code, answered["Link"]) == (200, TERMS)
        assert answered["Cache-Control"].startswith("private, ")


def test_every_answer_to_a_partner_names_the_terms_and_what_is_left(key: str) -> None:
    client = a_client()
    etag = ask(client, "GET", DEVICES, x_service_key=key)["ETag"]
    seen = []
    for method, path, headers in (
        ("GET", DEVICES, {}),
        ("HEAD", DEVICES, {}),
        ("OPTIONS", DEVICES, {}),
        ("GET", DEVICES, {"if_none_match": etag}),
        ("GET", f"{DEVICES}?quantity=1", {}),
        ("GET", f"{DEVICES}/no-such-model", {}),
        ("DELETE", DEVICES, {}),
        ("GET", DEVICES, {"accept": "text/html"}),
        ("GET", DEVICES, {"origin": "https://elsewhere.example"}),
    ):
        answered = ask(client, method, path, x_service_key=key, **headers)
        assert answered["Link"] == TERMS
        assert answered["RateLimit-Policy"] == '"api";q=600;w=60'
        seen.append(answered.status_code)
    assert seen == [200, 200, 204, 304, 400, 404, 405, 406, 403]


# --- Keys that do not -------------------------------------------------------------------------------------


def refused(headers: dict[str, str]) -> None:
    """Fail unless reads and verdicts are refused, with nothing of what was sent in the answer."""
    client = a_client()
    for method, path, body in (("GET", DEVICES, None), ("POST", VERIFY, a_request())):
        answered = ask(client, method, path, body, **headers)
        assert (answered.status_code, problem(answered)["code"]) == (401, "INVALID_KEY")
        assert answered["WWW-Authenticate"] == "Bearer"
        assert "Link" not in answered
        for word in " ".join(headers.values()).split():
            assert word == "Bearer" or word not in f"{answered.content!r}{answered.headers}"


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    "headers",
    [
        {"x_service_key": make_key().reveal()},
        {"authorization": f"Bearer {make_key().reveal()}"},
        {"authorization": "Basic cGFydG5lcjprZXk="},
        {"authorization": "Bearer"},
        {"authorization": "btk-without-a-scheme"},
        {"x_service_key": ""},
        {"x_service_key": "   "},
        {"x_service_key": "x" * 5000},
        {"x_service_key": "clé-secrète\x80\xff"},
    ],
)
def test_what_is_no_key_of_ours_is_refused_and_never_anonymous(headers: dict[str, str]) -> None:
    refused(headers)


def test_a_key_next_to_another_or_to_nothing_is_refused(desk: Desk, key: str) -> None:
    other = desk.issue().plain.reveal()
    refused({"x_service_key": key, "authorization": f"Bearer {other}"})
    refused({"x_service_key": key, "authorization": "Basic cGFydG5lcjprZXk="})
    refused({"x_service_key": "", "authorization": f"Bearer {key}"})
    refused({"x_service_key": f"{key}, {other}"})


def test_an_expired_and_a_revoked_key_are_refused(desk: Desk) -> None:
    expired = desk.issue(valid_until=NOW)
    revoked = desk.issue()
    desk.revoke(revoked, now=NOON + DAY / 2)
    refused({"x_service_key": expired.plain.reveal()})
    refused({"x_service_key": revoked.plain.reveal()})


# --- Origins ----------------------------------------------------------------------------------------------


def test_a_key_works_on_the_pages_of_its_partner_and_on_no_others(desk: Desk, key: str) -> None:
    client = a_client()
    for origin in ("https://app.acme.example", "http://testserver"):
        assert ask(client, "GET", DEVICES, x_service_key=key, origin=origin).status_code == 200
    for origin in (
        "https://testserver",
        "http://app.acme.example",
        "https://app.acme.example:8443",
        "https://acme.example",
        "https://app.acme.example.evil.example",
        "https://x.app.acme.example",
        "https://evil.example/https://app.acme.example",
        "null",
        "",
    ):
        answered = ask(client, "POST", VERIFY, a_request(), x_service_key=key, origin=origin)
        assert (answered.status_code, problem(answered)["code"]) == (403, "ORIGIN_NOT_ALLOWED")
    desk.record("other", allowed_origins=())
    servers_only = desk.issue("other").plain.reveal()
    register.forget()
    assert ask(client, "GET", DEVICES, x_service_key=servers_only).status_code == 200
    page = ask(client, "GET", DEVICES, x_service_key=servers_only, origin="https://app.acme.example")
    assert page.status_code == 403


def test_without_a_key_any_page_may_ask() -> None:
    for origin in ("https://anywhere.example", "null"):
        answered = ask(a_client(), "POST", VERIFY, a_request(), origin=origin)
        assert (answered.status_code, answered["Access-Control-Allow-Origin"]) == (200, "*")


# --- Staff ------------------------------------------------------------------------------------------------


@pytest.fixture
def signed_in(db: None) -> Callable[..., Client]:
    """A client of a user who signed in and was what is said."""

    def sign_in(**traits: bool) -> Client:
        client = a_client()
        user = User.objects.create_user("colleague", password=None)
        client.force_login(user)
        User.objects.update(**traits)
        return client

    return sign_in


def test_staff_who_are_signed_in_are_known_and_have_a_limit_of_their_own(
    signed_in: Callable[..., Client],
) -> None:
    staff = signed_in(is_staff=True)
    first, second = (ask(staff, "GET", DEVICES) for _ in range(2))
    assert first["Cache-Control"].startswith("private, ")
    assert first["ETag"] != ask(a_client(), "GET", DEVICES)["ETag"]
    assert int(first["RateLimit-Remaining"]) - 1 == int(second["RateLimit-Remaining"])
    # The same browser without its cookie has the limit of its address, of which nothing is spent.
    staff.cookies.clear()
    assert int(ask(staff, "GET", DEVICES)["RateLimit-Remaining"]) > int(second["RateLimit-Remaining"])


@pytest.mark.parametrize("traits", [{"is_staff": False}, {"is_staff": True, "is_active": False}])
def test_who_is_signed_in_but_no_staff_is_anonymous(
    signed_in: Callable[..., Client], traits: dict[str, bool]
) -> None:
    assert ask(signed_in(**traits), "GET", DEVICES)["Cache-Control"].startswith("public, ")


@pytest.mark.django_db
def test_a_made_up_session_is_anonymous() -> None:
    client = a_client()
    client.cookies[django_settings.SESSION_COOKIE_NAME] = "x" * 32
    assert ask(client, "GET", DEVICES)["Cache-Control"].startswith("public, ")


def test_a_verdict_looks_at_no_cookie(
    signed_in: Callable[..., Client],
    django_assert_num_queries: Callable[[int], AbstractContextManager[None]],
) -> None:
    staff = signed_in(is_staff=True)
    with django_assert_num_queries(0):
        staff_answer = post(staff, VERIFY, a_request())
        # Nor is a session looked for where there are cookies of something else.
        staff.cookies.clear()
        staff.cookies["theme"] = "dark"
        assert ask(staff, "GET", DEVICES).status_code == 200
    assert staff_answer.content == post(a_client(), VERIFY, a_request()).content


# --- What stays secret ------------------------------------------------------------------------------------


def test_no_log_and_no_report_of_a_failure_holds_a_key(
    key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reported: list[str] = []

    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    def report(_: object, error: Exception) -> None:
        reported.extend(traceback.TracebackException.from_exception(error, capture_locals=True).format())

    register.forget()
    monkeypatch.setattr(register, "_live_keys", fail)
    monkeypatch.setattr("compliance.api.protocol.errors._log_unforeseen", report)
    client, secret = a_client(), key.rpartition("_")[2]
    with caplog.at_level(logging.DEBUG):
        for headers in ({"x_service_key": key}, {"authorization": f"Bearer {key}"}):
            failed = ask(client, "POST", VERIFY, a_request(), **headers)
            assert failed.status_code == 500
            assert secret not in failed.content.decode()
    assert any("partner_for" in line for line in reported)
    assert secret not in "".join(reported)
    for record in caplog.records:
        assert secret not in f"{record.__dict__}"
