"""What may be kept of a read and for how long, and how a caller learns that it still holds."""

import datetime
import gc
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client, RequestFactory
from django.utils.http import http_date

from compliance.api.protocol import caching
from compliance.api.reads.devices import DevicesView
from rules.corpus import Published
from tests.support.api_callers import a_client, ask
from tests.support.api_requests import problem
from tests.support.starter import NOW, published, starter_content

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

DEVICES = "/api/devices"
RECALLS = f"{DEVICES}/anker-a1263/recalls"
MIDNIGHT = datetime.datetime(2026, 11, 21, tzinfo=datetime.UTC)

pytestmark = pytest.mark.usefixtures("asked_now")


def get(client: Client, path: str = DEVICES, **headers: str) -> "Response":
    return ask(client, "GET", path, **headers)


def etag(path: str = DEVICES) -> str:
    return get(a_client(), path)["ETag"]


def test_a_read_may_be_kept_for_a_minute_and_shown_while_it_is_renewed() -> None:
    answered = get(a_client())
    assert answered["Cache-Control"] == "public, max-age=60, stale-while-revalidate=600"
    assert answered["Last-Modified"] == http_date(MIDNIGHT.timestamp())
    assert answered["ETag"].startswith('"')
    varies = {name.strip().lower() for name in answered["Vary"].split(",")}
    assert varies == {"accept", "accept-encoding", "authorization", "x-service-key", "cookie", "origin"}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_known_answer_is_a_304_with_the_headers_of_the_answer_and_nothing_else(method: str) -> None:
    client = a_client()
    full = get(client)
    not_modified = ask(client, method, DEVICES, if_none_match=full["ETag"])
    assert (not_modified.status_code, not_modified.content) == (304, b"")
    for field in ("ETag", "Cache-Control", "Vary", "Last-Modified", "RateLimit-Limit", "X-Request-ID"):
        assert field in not_modified
        assert field == "X-Request-ID" or not_modified[field] == full[field]
    assert "Content-Type" not in not_modified
    assert "Content-Length" not in not_modified


def test_a_304_needs_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    known = etag()
    monkeypatch.setattr("compliance.api.reads.devices.DevicesView.answer", None)
    assert get(a_client(), if_none_match=known).status_code == 304


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("{}", 304),
        ('"a", {}', 304),
        ('W/"a",{} , "b"', 304),
        ("W/{}", 304),
        ("*", 304),
        ('"a"', 200),
        ('"a", "b"', 200),
        ("garbage", 200),
        ("", 200),
    ],
)
def test_tags_are_compared_as_the_standard_says(sent: str, status: int) -> None:
    assert get(a_client(), if_none_match=sent.format(etag())).status_code == status


@pytest.mark.parametrize(("seconds", "status"), [(0, 304), (3600, 304), (-1, 200), (-86400, 200)])
def test_a_date_alone_is_a_condition_too(seconds: int, status: int) -> None:
    since = http_date(MIDNIGHT.timestamp() + seconds)
    assert get(a_client(), if_modified_since=since).status_code == status
    # Beside a tag it does not count.
    assert get(a_client(), if_modified_since=since, if_none_match='"a"').status_code == 200


def test_a_date_that_is_none_is_no_condition() -> None:
    for since in ("", "yesterday", "2026-11-21T00:00:00Z", "Sat, 99 Nov 2026 00:00:00 GMT"):
        assert get(a_client(), if_modified_since=since).status_code == 200


def test_where_there_is_nothing_no_condition_says_that_it_is_unchanged() -> None:
    for condition in ({"if_none_match": "*"}, {"if_modified_since": http_date(NOW.timestamp())}):
        missing = get(a_client(), f"{DEVICES}/no-such-model", **condition)
        assert (missing.status_code, problem(missing)["code"]) == (404, "MODEL_NOT_FOUND")
        wrong = get(a_client(), f"{DEVICES}?limit=0", **condition)
        assert (wrong.status_code, problem(wrong)["code"]) == (400, "VALIDATION_ERROR")


@pytest.mark.parametrize("method", ["get", "head"])
def test_nothing_of_a_read_stays_in_memory_once_it_is_answered(method: str) -> None:
    request = getattr(RequestFactory(), method)(DEVICES)
    kept = weakref.ref(request)
    gc.disable()
    try:
        assert DevicesView.as_view()(request).status_code == 200
        del request
        assert kept() is None
    finally:
        gc.enable()


@pytest.fixture
def fresh_contract() -> Iterator[None]:
    caching.contract_digest.cache_clear()
    yield
    caching.contract_digest.cache_clear()


@pytest.mark.usefixtures("fresh_contract")
def test_a_tag_is_of_one_address_one_release_one_day_and_one_contract(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tags = [etag(), etag(f"{DEVICES}?limit=2"), etag(f"{DEVICES}?limit=3"), etag(RECALLS)]
    assert etag() == tags[0]
    with time_machine.travel(NOW + datetime.timedelta(days=1), tick=False):
        tags.append(etag())
    with monkeypatch.context() as other:
        other.setattr("rules.corpus._current", published(starter_content(), "2026-11-20.2"))
        tags.append(etag())
    contract = tmp_path_factory.mktemp("contract") / "openapi.yaml"
    for text in ("one", "other"):
        contract.write_text(text)
        monkeypatch.setattr(caching, "CONTRACT", contract)
        caching.contract_digest.cache_clear()
        tags.append(etag())
    assert len(set(tags)) == len(tags)


def test_what_echoes_a_serial_is_stored_nowhere(asked_now: Published) -> None:
    for path in (f"{RECALLS}?serial=SN1", f"{RECALLS}?%73erial=SN1", f"{DEVICES}/anker-a1263?serial=SN1"):
        for headers in ({}, {"if_none_match": "*"}, {"if_none_match": etag(RECALLS)}):
            answered = get(a_client(), path, **headers)
            assert (answered.status_code, answered["Cache-Control"]) == (200, "no-store")
            assert "ETag" not in answered
            assert "Last-Modified" not in answered


def test_errors_and_verdicts_are_stored_nowhere() -> None:
    assert get(a_client(), f"{DEVICES}?limit=0")["Cache-Control"] == "no-store"
    assert get(a_client(), f"{DEVICES}/no-such-model")["Cache-Control"] == "no-store"
