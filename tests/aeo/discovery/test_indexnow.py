"""Search engines are told of pages that changed, once, and never where no key is set."""

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from aeo import tasks
from aeo.discovery import actions, indexnow
from aeo.discovery.indexnow import NotAnnounced
from aeo.discovery.tasks import announce_pages
from aeo.page_records.models import IndexedPage, Recomputation
from rules.corpus import Published
from tests.aeo.conftest import CHANGED
from tests.aeo.discovery.test_crawlers import write_down

pytestmark = pytest.mark.django_db

KEY = "5d1c0ffee-5d1c0ffee"
SITE = "https://travel.example"


class Endpoint:
    """A search engine on this machine: what it was sent, and what it answers."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.status = 202


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[Endpoint]:
    found = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.headers["Content-Type"] == "application/json; charset=utf-8"
            found.sent.append(json.loads(body))
            self.send_response(found.status)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Keep the output of tests clean."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    settings.SITE_URL = SITE
    settings.INDEXNOW_KEY = KEY
    settings.INDEXNOW_ENDPOINT = f"http://127.0.0.1:{server.server_port}/indexnow"
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def pages(count: int) -> list[str]:
    paths = [f"/p/m/{number}/jp" for number in range(count)]
    write_down((path, CHANGED) for path in paths)
    return paths


def test_changed_pages_are_told_once_with_the_place_of_the_key(endpoint: Endpoint) -> None:
    paths = pages(3)
    assert actions.announce_pages() == 3
    assert endpoint.sent == [
        {
            "host": "travel.example",
            "key": KEY,
            "keyLocation": f"{SITE}/{KEY}.txt",
            "urlList": [f"{SITE}{path}" for path in paths],
        }
    ]
    assert actions.announce_pages() == 0
    assert len(endpoint.sent) == 1
    IndexedPage.objects.filter(path=paths[1]).update(content_hash="1" * 64)
    assert actions.announce_pages() == 1
    assert endpoint.sent[1]["urlList"] == [f"{SITE}{paths[1]}"]


def test_no_request_names_more_than_the_protocol_allows(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert indexnow.MOST_URLS == 10_000
    monkeypatch.setattr(indexnow, "MOST_URLS", 2)
    pages(5)
    assert actions.announce_pages() == 5
    assert [len(sent["urlList"]) for sent in endpoint.sent] == [2, 2, 1]


@pytest.mark.parametrize("status", [400, 403, 422, 429, 500])
def test_what_is_refused_is_logged_without_the_key_and_told_again(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    paths = pages(2)
    endpoint.status = status
    with caplog.at_level(logging.DEBUG), pytest.raises(NotAnnounced, match=f"answered {status}"):
        actions.announce_pages()
    announce_pages.apply(retries=5)
    assert f"Pages could not be announced: the endpoint answered {status}." in caplog.text
    assert KEY not in caplog.text
    endpoint.status = 200
    endpoint.sent.clear()
    assert actions.announce_pages() == 2
    assert endpoint.sent[0]["urlList"] == [f"{SITE}{path}" for path in paths]


def test_where_no_one_listens_the_error_does_not_tell_the_key(endpoint: Endpoint, settings: Settings) -> None:
    pages(1)
    settings.INDEXNOW_ENDPOINT = "http://127.0.0.1:1/indexnow"
    with pytest.raises(NotAnnounced, match="cannot be reached") as raised:
        actions.announce_pages()
    assert KEY not in repr(raised.value)
    assert raised.value.__suppress_context__


def test_the_job_is_tried_again(endpoint: Endpoint) -> None:
    pages(1)
    endpoint.status = 500
    announce_pages.apply()
    assert len(endpoint.sent) == 1 + (announce_pages.max_retries or 0)


def test_working_out_the_pages_leads_to_announcing_them_only_where_a_key_is_set(
    endpoint: Endpoint, settings: Settings, starter_release: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.corpus.refresh", lambda: starter_release)
    monkeypatch.setattr(actions, "curated", lambda edition, choice: [])
    asked: list[str] = []
    monkeypatch.setattr(announce_pages, "delay", lambda: asked.append("now"))
    settings.INDEXNOW_KEY = ""
    tasks.catch_up()
    assert asked == []
    settings.INDEXNOW_KEY = KEY
    Recomputation.objects.all().delete()
    tasks.catch_up()
    assert asked == ["now"]


def test_the_key_can_be_read_where_it_is_said_to_be(endpoint: Endpoint, settings: Settings) -> None:
    client = Client(headers={"accept": "text/html"})
    answer = client.get(f"/{KEY}.txt")
    assert (answer.status_code, answer.content.decode()) == (200, KEY)
    assert client.get("/another-key-of-somebody.txt").status_code == 404
    settings.INDEXNOW_KEY = ""
    assert client.get(f"/{KEY}.txt").status_code == 404
