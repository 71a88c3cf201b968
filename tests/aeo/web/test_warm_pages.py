"""A page that is held is the page that would be made: the same bytes and headers, and no older."""

import datetime
import gzip
from dataclasses import replace
from typing import Any

import brotli
import msgspec
import pytest
import time_machine
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from aeo.page_records import register
from aeo.page_records.register import Register
from catalog.database import cached_values
from compliance.middleware.page_cache import STORE
from rules import corpus
from tests.support import starter

# Sitemaps are streamed, and so never held.
ADDRESSES = (
    "/",
    "/p/anker-a1263/ca/cn",
    "/p/anker-a1263/ca/cn.json",
    "/p/anker-a1263/CA/cn",
    "/guides",
    "/guides/power-banks-on-emirates",
    "/brands/anker",
    "/models/anker-a1263",
    "/airlines",
    "/airlines?page=2",
    "/airlines?page=99",
    "/airlines/ek",
    "/countries/jp",
    "/recalls/us-cpsc-25-338",
    "/methodology",
    "/nothing-here",
    "/aeo-manifest.json",
    "/aeo-datasets.json",
    "/llms.txt",
    "/robots.txt",
)
LANGUAGES = ("", "/ja", "/zh-hant")
ACCEPTED = ("text/html", "text/markdown", "*/*", "text/markdown;q=0.1, text/html")
CODINGS = ("", "gzip", "br", "gzip, br", "br;q=0, gzip;q=0.5", "identity", "gzip;q=0")


@pytest.fixture(autouse=True)
def _renewed(monkeypatch: pytest.MonkeyPatch, pages: Register, now: None) -> None:
    """A process that has just begun, and in which a thread renews what it knows."""
    STORE.forget()
    monkeypatch.setattr(cached_values, "is_renewed", lambda: True)


def parts_of(answer: Any) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.items() if name != "X-Request-ID"}
    return answer.status_code, headers, b"".join(answer)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    address=st.sampled_from(ADDRESSES),
    language=st.sampled_from(LANGUAGES),
    method=st.sampled_from(["get", "head"]),
    accept=st.sampled_from(ACCEPTED),
    coding=st.sampled_from(CODINGS),
    condition=st.sampled_from(["", "tag", "weak tag", "any", "other tag", "date", "match", "no match"]),
    asked_before=st.booleans(),
    data_moved=st.booleans(),
)
def test_warm_and_cold_answers_are_the_same_bytes(
    address: str,
    language: str,
    method: str,
    accept: str,
    coding: str,
    condition: str,
    asked_before: bool,
    data_moved: bool,
) -> None:
    client = Client()
    path = address if "." in address else (language + address).rstrip("/") or "/"
    headers: dict[str, Any] = {"accept": accept, "accept-encoding": coding, "x-request-id": "the-same"}
    first = client.get(path, headers={"accept": accept})
    tag = first.get("ETag", '"none"').removeprefix("W/")
    headers |= {
        "": {},
        "tag": {"if-none-match": tag},
        "weak tag": {"if-none-match": f"W/{tag}"},
        "any": {"if-none-match": "*"},
        "other tag": {"if-none-match": '"other"'},
        "date": {"if-modified-since": first.get("Last-Modified", "")},
        "match": {"if-match": tag},
        "no match": {"if-match": '"other"'},
    }[condition]
    STORE.forget()
    cold = parts_of(getattr(client, method)(path, headers=headers))
    if asked_before:
        STORE.forget()
        client.get(path, headers={"accept": accept, "accept-encoding": "gzip"})
    if data_moved:
        cached_values.moved()
    for _ in range(2):
        assert parts_of(getattr(client, method)(path, headers=headers)) == cold


def test_a_page_is_made_once_and_compressed_as_the_reader_can_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(headers={"accept": "text/html"})
    plain = client.get("/p/anker-a1263/ca/cn")

    def refuse(*_: object) -> None:
        raise AssertionError("a verdict was worked out")

    monkeypatch.setattr("rules.engine.evaluate.recall_impact", refuse)
    zipped = client.get("/p/anker-a1263/ca/cn", headers={"accept-encoding": "gzip"})
    brotlied = client.get("/p/anker-a1263/ca/cn", headers={"accept-encoding": "gzip, br"})
    assert (zipped["Content-Encoding"], brotlied["Content-Encoding"]) == ("gzip", "br")
    assert gzip.decompress(zipped.content) == brotli.decompress(brotlied.content) == plain.content
    assert zipped["Content-Length"] == str(len(zipped.content))
    STORE.forget()
    with pytest.raises(AssertionError, match="a verdict was worked out"):
        client.get("/p/anker-a1263/ca/cn")


def test_who_holds_a_page_is_told_so_before_it_was_ever_made(monkeypatch: pytest.MonkeyPatch) -> None:
    tag = Client().get("/p/anker-a1263/ca/cn", headers={"accept": "text/html"})["ETag"]
    STORE.forget()
    client = Client(headers={"accept": "text/html", "if-none-match": tag})
    assert client.get("/p/anker-a1263/ca/cn").status_code == 304
    monkeypatch.setattr("aeo.web.caching.tag", lambda *_: pytest.fail("somebody asked the view"))
    assert client.get("/p/anker-a1263/ca/cn").status_code == 304


def test_another_release_or_register_or_day_drops_what_is_held(
    pages: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = Client(headers={"accept": "text/html"}), next(iter(pages.pages))
    before = client.get(address)
    assert client.get(address)["ETag"] == before["ETag"]

    monkeypatch.setattr(register, "current", Register)
    cached_values.moved()
    unlisted = client.get(address)
    assert b"noindex" in unlisted.content
    assert b"noindex" not in before.content

    other = starter.published(starter.starter_content(), "2026-11-21")
    monkeypatch.setattr(corpus, "_current", other)
    assert b"2026-11-21" in client.get(address).content

    with time_machine.travel(starter.NOW + datetime.timedelta(days=1), tick=False):
        tomorrow = client.get(address)
    assert len({before["ETag"], unlisted["ETag"], tomorrow["ETag"]}) == 3


def test_a_page_that_is_still_the_same_when_other_data_has_changed_is_not_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    headers = {"accept-encoding": "gzip", "x-request-id": "the-same"}
    client, address = Client(headers={"accept": "text/html"}), "/p/anker-a1263/ca/cn"
    before = parts_of(client.get(address, headers=headers))
    monkeypatch.setattr("aeo.articles.views.article", lambda *_: pytest.fail("the page was made again"))
    for _ in range(2):
        cached_values.moved()
        assert parts_of(client.get(address, headers=headers)) == before
        tagged = client.get(address, headers={"if-none-match": before[1]["ETag"]})
        assert (tagged.status_code, tagged["ETag"]) == (304, before[1]["ETag"])


def test_a_page_that_other_data_has_changed_is_new_at_once_for_all_readers(
    pages: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, address = Client(headers={"accept": "text/html"}), next(iter(pages.pages))
    before = client.get(address)

    monkeypatch.setattr(register, "current", Register)
    cached_values.moved()
    for headers in (
        {},
        {"if-none-match": before["ETag"]},
        {"if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT"},
    ):
        after = client.get(address, headers=headers)
        assert (after.status_code, b"noindex" in after.content) == (200, True)
        assert after["ETag"] != before["ETag"]
    assert client.get(address, headers={"if-match": before["ETag"]}).status_code == 412

    # Who already has the new one, from another process, gets 304 from one that has not made it.
    monkeypatch.setattr(register, "current", lambda: pages)
    cached_values.moved()
    assert client.get(address)["ETag"] == before["ETag"]
    monkeypatch.setattr(register, "current", Register)
    cached_values.moved()
    monkeypatch.setattr("aeo.articles.views.article", lambda *_: pytest.fail("the page was made"))
    tagged = client.get(address, headers={"if-none-match": after["ETag"]})
    assert (tagged.status_code, tagged["ETag"]) == (304, after["ETag"])


@pytest.mark.parametrize("condition", ["", "if-none-match", "if-modified-since"])
def test_no_reader_gets_a_page_that_allowed_once_a_recall_is_published(
    monkeypatch: pytest.MonkeyPatch, condition: str
) -> None:
    content, model = starter.starter_content(), "anker-a1277"
    recall = next(one for one in content.recalls if one.model_id == "anker-a1263")
    urgent = msgspec.structs.replace(recall, recall_id="us-cpsc-urgent", model_id=model)
    recalled = msgspec.structs.replace(content, recalls=(*content.recalls, urgent))
    client = Client(headers={"accept": "text/html"})
    paths = (f"/p/{model}/7c/kr", f"/p/{model}/7c/kr.json", f"/ja/p/{model}/7c/kr", f"/models/{model}")
    before = {path: client.get(path) for path in paths}
    assert before[paths[1]].json()["verdict"] == "allowed"

    later = starter.published(recalled, "2026-11-21")
    monkeypatch.setattr(corpus, "_current", replace(later, published_at=starter.NOW))
    for path, kept in before.items():
        known = {"if-none-match": kept["ETag"], "if-modified-since": kept["Last-Modified"]}
        headers = {name: value for name, value in known.items() if name == condition}
        for _ in range(2):
            after = client.get(path, headers=headers)
            assert (after.status_code, after["ETag"] != kept["ETag"]) == (200, True)
            assert b"2026-11-21" in after.content
            cached_values.moved()
    assert client.get(paths[1]).json()["verdict"] == "conditional"


def test_a_new_release_drops_what_is_held_also_of_pages_that_nothing_else_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(headers={"accept": "text/html"})
    for path in ("/p/anker-a1263/ca/cn", "/guides/power-banks-on-emirates", "/methodology"):
        client.get(path)
    monkeypatch.setattr(corpus, "_current", starter.published(starter.starter_content(), "2026-11-21"))
    assert b"2026-11-21" in client.get("/p/anker-a1263/ca/cn").content
    assert [key.path for key in STORE.addresses()] == ["/p/anker-a1263/ca/cn"]


def test_no_copy_outlives_its_day() -> None:
    client = Client(headers={"accept": "text/html"})
    client.get("/about")
    midnight = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
    with time_machine.travel(midnight - datetime.timedelta(seconds=100), tick=False):
        late = client.get("/about")
        assert late["Cache-Control"] == "public, max-age=100, stale-if-error=0"
        assert client.get("/about")["Cache-Control"] == late["Cache-Control"]


def test_what_a_visitor_typed_is_never_held() -> None:
    client = Client(headers={"accept": "text/html"})
    for path in (
        "/check?model=anker-a1263&airline=CA&from=CN&to=JP",
        "/trip?model=anker-a1263",
        "/suggest/models?text=anker",
        "/guides?utm=me",
        "/api/devices?q=anker",
        "/nothing-here",
    ):
        client.get(path)
    assert STORE.addresses() == []


def test_the_room_is_bounded(settings: Settings) -> None:
    settings.WARM_PAGES_BYTES = 400_000
    client = Client(headers={"accept": "text/html"})
    for code in list(starter.starter_release().shelf.airlines)[:30]:
        client.get(f"/airlines/{code.lower()}")
        # Each in three forms.
        client.get(f"/airlines/{code.lower()}", headers={"accept-encoding": "br"})
        client.get(f"/airlines/{code.lower()}", headers={"accept-encoding": "gzip"})
        assert 0 < STORE.bytes <= settings.WARM_PAGES_BYTES
    paths = [key.path for key in STORE.addresses()]
    assert paths[-1] == f"/airlines/{code.lower()}"
    assert len(paths) < 30
