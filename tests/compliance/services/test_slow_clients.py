"""Clients that do not hurry, or whose requests are not what they seem: a real server with two threads."""

import json
import re
import select
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


SILENT = (b"", b"P", HEAD[:40], HEAD[:-2], HEAD, HEAD + BODY[:10])
"""Nothing, a letter, half a line, no end of the headers, no body, half a body."""


def is_open(connection: socket.socket) -> bool:
    """Whether the server has neither answered nor hung up."""
    return select.select([connection], [], [], 0) == ([], [], [])


def rest_of(connection: socket.socket) -> bytes:
    """Return what comes until the server hangs up."""
    with suppress(ConnectionResetError):
        return b"".join(iter(lambda: connection.recv(65536), b""))
    return b""


def answers(connection: socket.socket, count: int) -> list[bytes]:
    """Return so many answers that come on one connection, each with its head."""
    found = []
    with connection.makefile("rb") as stream:
        for _ in range(count):
            head = b"".join(iter(stream.readline, b"\r\n"))
            length = re.search(rb"\r\nContent-Length: (\d+)", head)
            found.append(head + stream.read(int(length[1])) if length else head)
    return found


def test_others_are_answered_while_anyone_who_falls_silent_is_still_waited_for(server: Server) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(connect(server)) for _ in range(5) for said in SILENT]
        for connection, said in zip(silent, SILENT * 5, strict=True):
            connection.sendall(said)
        # There are two threads, and thirty who are silent.
        assert server.verify().status == 200
        assert all(map(is_open, silent))
        for connection, said in zip(silent, SILENT * 5, strict=True):
            if said:
                assert rest_of(connection) == b"", said


def test_nobody_waits_for_those_who_do_not_read_their_answers(server: Server) -> None:
    many = b"GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100
    with ExitStack() as stack:
        for _ in range(5):
            unread = stack.enter_context(socket.socket())
            unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            unread.settimeout(30)
            unread.connect((LOOPBACK, server.port))
            unread.sendall(many)
        time.sleep(PATIENCE / 2)
        assert server.verify().status == 200
        # Nothing has left for longer than the server waits.
        time.sleep(PATIENCE + 1)
        assert rest_of(unread).count(b"HTTP/1.1 200 OK") < 100


def test_a_connection_between_two_requests_is_kept_for_longer_than_silence_within_one(server: Server) -> None:
    with connect(server) as kept:
        kept.sendall(HEAD + BODY)
        assert answers(kept, 1)[0].startswith(b"HTTP/1.1 200")
        time.sleep(2 * PATIENCE + 1)
        kept.sendall(HEAD + BODY)
        assert answers(kept, 1)[0].startswith(b"HTTP/1.1 200")


def test_requests_in_one_packet_are_answered_in_order(server: Server) -> None:
    with connect(server) as client:
        client.sendall((HEAD + BODY + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") * 3)
        found = answers(client, 6)
    assert [one.startswith(b"HTTP/1.1 200") for one in found] == [True] * 6
    assert [b'"verdict"' in one for one in found] == [True, False] * 3


def test_a_body_in_chunks_is_read_however_slowly_they_come(server: Server) -> None:
    head = HEAD.replace(b"Content-Length: %d" % len(BODY), b"Transfer-Encoding: chunked")
    with connect(server) as client:
        client.sendall(head)
        for start in range(0, len(BODY), 40):
            piece = BODY[start : start + 40]
            client.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
            time.sleep(0.2)
        client.sendall(b"0\r\n\r\n")
        assert b'"verdict"' in answers(client, 1)[0]


def test_a_client_that_waits_with_its_body_is_told_to_send_it(server: Server) -> None:
    with connect(server) as client:
        client.sendall(HEAD[:-2] + b"Expect: 100-continue\r\n\r\n")
        assert client.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(BODY)
        found = answers(client, 1)[0]
    assert found.startswith(b"HTTP/1.1 200")


def test_a_body_that_is_far_too_large_is_refused_before_it_is_sent(server: Server) -> None:
    with connect(server) as client:
        client.sendall(HEAD.replace(b"Content-Length: %d" % len(BODY), b"Content-Length: 9999999999"))
        answer = rest_of(client)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'"BODY_TOO_LARGE"' in answer


def test_the_one_that_waited_longest_makes_room_for_another(
    start: Start, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = serve_starter(start, tmp_path_factory.mktemp("small"), MOST_CONNECTIONS="20")
    with ExitStack() as stack:
        first = stack.enter_context(connect(server))
        time.sleep(0.2)
        others = [stack.enter_context(connect(server)) for _ in range(20)]
        assert server.verify().status == 200
        assert rest_of(first) == b""
        assert is_open(others[-1])
    server.stop()


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
        answered = rest_of(client)
    assert answered.count(b"HTTP/1.1 ") <= 1
    assert b"HTTP/1.1 200" not in answered


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
            answer = rest_of(client)
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
        answer = rest_of(client)
    # Whoever speaks for somebody else is told nothing, and is answered at the address that was asked for.
    assert answer.startswith(b"HTTP/1.1 404")
    assert b'"instance":"/metrics"' in answer
