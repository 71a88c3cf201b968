"""The HTTP comparisons send valid requests, and no error is ever counted as an answer."""

import datetime
import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client

from bench.http import client, views
from bench.http.client import Kind
from bench.http.in_process import call
from bench.http.requests import (
    BARE_DJANGO,
    BARE_NOT_MODIFIED,
    BARE_PAGE,
    BARE_PAGE_NOT_MODIFIED,
    BODIES,
    EMPTY_DRF,
    Message,
    answer_file,
    bodies,
    keep,
    kept,
    of_middle_length,
)
from compliance.api.verdicts.questions import verify_request
from compliance.services.ports import LOOPBACK
from tests.support.starter import starter_content

ANSWER = b'{"verdict":"banned"}'
TYPE = "application/json"
ADDRESSES = (EMPTY_DRF, BARE_DJANGO, BARE_NOT_MODIFIED, BARE_PAGE, BARE_PAGE_NOT_MODIFIED)


@pytest.fixture
def answer_kept() -> Iterator[None]:
    views.answers.cache_clear()
    with answer_file() as file:
        keep(file, dict.fromkeys(ADDRESSES, kept(200, {"Content-Type": TYPE, "Date": "today"}, ANSWER)))
        yield
    views.answers.cache_clear()


class _Server(BaseHTTPRequestHandler):
    """Answers with 200, but on /broken with 500."""

    protocol_version = "HTTP/1.1"
    # Otherwise the body waits until the client has confirmed the headers: 40 ms for each answer.
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(500 if self.path == "/broken" else 200)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Listener(ThreadingHTTPServer):
    # Connections beyond the usual five would wait a second to try again.
    request_queue_size = client.CONNECTIONS

    def handle_error(self, request: object, client_address: object) -> None:
        # The client hangs up in the middle of its requests when its time is over.
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with _Listener((LOOPBACK, 0), _Server) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def test_the_service_accepts_every_request_that_is_sent() -> None:
    content = starter_content()
    countries = {country.code for country in content.countries}
    sent = bodies(content)
    assert len(sent) == BODIES
    for body in sent:
        verify_request(
            json.loads(body), today=datetime.datetime.now(datetime.UTC).date(), countries=countries
        )


def test_the_compared_views_return_the_answer_of_middle_length() -> None:
    answers = [kept(200, {}, body) for body in (b"long answer", b"", b"answer")]
    assert of_middle_length(answers).body == "answer"


# A bare handler looks after the connections that earlier tests have left open.
@pytest.mark.django_db
@pytest.mark.urls("bench.http.urls")
@pytest.mark.usefixtures("answer_kept")
@pytest.mark.parametrize("path", ADDRESSES)
def test_the_compared_views_return_the_kept_answer_through_all_middleware(path: str, client: Client) -> None:
    response = client.post(path, b"{}", content_type=TYPE)
    assert (response.status_code, response.content) == (200, ANSWER)
    assert (response.headers["Content-Type"], "Date" in response.headers) == (TYPE, False)
    assert call(WSGIHandler(), path, b"{}").body == ANSWER


@pytest.mark.django_db
@pytest.mark.urls("bench.http.urls")
def test_an_error_in_process_ends_the_measurement() -> None:
    with pytest.raises(RuntimeError, match="404"):
        call(WSGIHandler(), "/api/no-such-address", b"{}")


def message(path: str, body: str = "{}") -> str:
    return Message("POST", path, body).spelled(LOOPBACK)


def test_the_load_generator_takes_turns_and_tells_the_seconds_of_each_request(port: int) -> None:
    kinds = [Kind("one", [message("/one"), message("/one", '{"a": 1}')]), Kind("other", [message("/other")])]
    measured = client.load(port, kinds, rounds=2, seconds=0.02)
    assert {name: len(turns) for name, turns in measured.items()} == {"one": 2, "other": 2}
    assert all(0 < turn.clock < 1 for turns in measured.values() for turn in turns)


def test_the_load_generator_tells_what_the_workers_spent_of_the_processor(port: int) -> None:
    # This process is the server.
    measured = client.load(port, [Kind("one", [message("/one")])], 1, 0.2, workers=[str(os.getpid())])
    (turn,) = measured["one"]
    assert 0 < turn.processor < 1


@pytest.mark.parametrize("kind", [Kind("broken", [message("/broken")]), Kind("held", [message("/one")], 304)])
def test_an_answer_of_another_status_ends_the_measurement(port: int, kind: Kind) -> None:
    with pytest.raises(RuntimeError, match=f"not answered with {kind.status}"):
        client.load(port, [kind], rounds=1, seconds=0.02)


def test_each_message_is_sent_once_however_many_connections_there_are(port: int) -> None:
    assert client.send_all(port, (message("/one").encode() for _ in range(3))) == 3
    assert client.send_all(port, (message("/one").encode() for _ in range(100))) == 100
    with pytest.raises(RuntimeError, match="not answered with 200"):
        client.send_all(port, [message("/broken").encode()])
