"""Clients that do not hurry, or whose requests are not what they seem: a real server with two threads."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from compliance.services.ports import LOOPBACK
from tests.support.processes import Start
from tests.support.web_server import VALID, Server, serve_starter

BODY = json.dumps(VALID).encode()
HEAD = (
    b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n" % len(BODY)
)
PATIENCE = 2


@pytest.fixture(scope="module")
def server(start_once: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve_starter(
        start_once,
        tmp_path_factory.mktemp("server"),
        WEB_THREADS="2",
        PATIENCE_SECONDS=str(PATIENCE),
    )
    # The first answer waits for all that is loaded then.
    assert server.verify().status == 200
    yield server
    server.stop()


def connect(server: Server) -> socket.socket:
    return socket.create_connection((LOOPBACK, server.port), timeout=30)


SILENT = (b"P", HEAD[:40], HEAD[:-2], HEAD, HEAD + BODY[:10])
"""A letter, half a line, no end of the headers, no body, half a body."""


def test_anyone_who_falls_silent_keeps_others_waiting_for_moments_alone(server: Server) -> None:
    with ExitStack() as stack:
        for said in SILENT:
            stack.enter_context(connect(server)).sendall(said)
        time.sleep(0.2)
        began = time.monotonic()
        assert server.verify().status == 200
        # Five of them in two threads.
        assert time.monotonic() - began < 3 * PATIENCE + 5


def test_anyone_who_sends_a_letter_now_and_then_is_hung_up_on_too(server: Server) -> None:
    with connect(server) as slow:
        began = time.monotonic()
        with suppress(BrokenPipeError, ConnectionResetError):
            for letter in HEAD * 10:
                slow.sendall(bytes([letter]))
                time.sleep(0.3)
                if time.monotonic() - began > 10 * PATIENCE:
                    pytest.fail("it was waited for")
    assert server.verify().status == 200


def test_the_rest_of_a_request_that_was_given_up_is_never_taken_for_another(server: Server) -> None:
    # Between a proxy and us, that would be the request of somebody else.
    smuggled = b"GET /api/devices HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = HEAD.replace(b"%d" % len(BODY), b"%d" % (len(smuggled) + 20))
    with connect(server) as client:
        client.sendall(head + b" " * 20)
        time.sleep(PATIENCE + 1)
        with suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(smuggled)
        answers = b""
        with suppress(ConnectionResetError):
            answers = b"".join(iter(lambda: client.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 ") <= 1
    assert b"HTTP/1.1 200" not in answers


AMBIGUOUS = (
    b"Content-Length: 5\r\nContent-Length: 6\r\n",
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding: \x0bchunked\r\n",
    b"Content-Length: +5\r\n",
    b"Content-Length : 5\r\n",
    b"X: 1\r\n Content-Length: 5\r\n",
    b"Host: other.example\r\nContent-Length: 5\r\n",
)


def test_a_request_that_two_servers_could_read_in_two_ways_is_refused(server: Server) -> None:
    for lines in AMBIGUOUS:
        with connect(server) as client:
            client.sendall(b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\n" + lines + b"\r\nhello")
            answer = b"".join(iter(lambda client=client: client.recv(65536), b""))  # type: ignore[misc]
        assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 501")), lines
        assert answer.count(b"HTTP/1.1 ") == 1, lines
        assert b"nosniff" in answer, lines


def test_no_one_says_by_a_header_what_their_request_is(server: Server) -> None:
    said = (
        b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Ssl: on\r\n"
        b"Script_Name: /desk\r\nPath_Info: /api/devices\r\nREMOTE_ADDR: 10.0.0.1\r\nConnection: close\r\n\r\n"
    )
    with connect(server) as client:
        client.sendall(said)
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    # Whoever speaks for somebody else is told nothing, and is answered at the address that was asked for.
    assert answer.startswith(b"HTTP/1.1 404")
    assert b'"instance":"/metrics"' in answer
