"""What the web server cannot read is refused in the one shape of errors too."""

import json
import socket
from collections.abc import Iterator

import jsonschema_rs
import pytest
import yaml

from compliance.api.protocol.caching import CONTRACT
from compliance.services.ports import LOOPBACK
from tests.support.processes import Start
from tests.support.web_server import Server, serve_starter

SERIAL = "35S24B8A013027"

LINE = b"GET /api/devices/anker-a1263?serial=" + SERIAL.encode()
HOST = b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def server(start_once: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve_starter(start_once, tmp_path_factory.mktemp("server"))
    yield server
    assert SERIAL not in server.stop()


def send(server: Server, message: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send bytes; return status, headers and body of the answer, after which the server hangs up."""
    with socket.create_connection((LOOPBACK, server.port), timeout=60) as connection:
        connection.sendall(message)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.split(": ", 1) for line in lines), body


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (LINE + b"&q=" + b"a" * 5000 + HOST + b"\r\n", 414, "URI_TOO_LONG"),
        (LINE + HOST + b"X-Long: " + b"a" * 9000 + b"\r\n\r\n", 431, "HEADERS_TOO_LARGE"),
        (LINE + HOST + b"Transfer-Encoding: whatever\r\n\r\n", 400, "BAD_REQUEST"),
        (LINE + b" NONSENSE\r\n\r\n", 400, "BAD_REQUEST"),
        (b"serial " + SERIAL.encode() + b"\r\n\r\n", 400, "BAD_REQUEST"),
    ],
    ids=["long address", "long header", "odd transfer", "no HTTP", "nothing like HTTP"],
)
def test_it_is_refused_as_the_contract_says(server: Server, message: bytes, status: int, code: str) -> None:
    found, headers, body = send(server, message)
    problem = json.loads(body)
    assert (found, problem["status"], problem["code"]) == (status, status, code)
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Content-Length"] == str(len(body))
    assert headers["X-Request-ID"] == problem["request_id"]
    assert headers["Cache-Control"] == "no-store"
    components = yaml.load(CONTRACT.read_bytes(), Loader=yaml.CSafeLoader)["components"]
    jsonschema_rs.validate({"$ref": "#/components/schemas/ProblemBody", "components": components}, problem)
    assert SERIAL not in body.decode()


def test_a_browser_gets_a_page_for_an_address_that_is_too_long(server: Server) -> None:
    accepts = b"Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"
    found, headers, body = send(server, LINE + b"&q=" + b"a" * 5000 + HOST + accepts + b"\r\n")
    assert (found, headers["Content-Type"]) == (414, "text/html; charset=utf-8")
    assert headers["Content-Length"] == str(len(body))
    assert headers["Cache-Control"] == "no-store"
    assert "style-src 'self'" in headers["Content-Security-Policy"]
    assert b"This request cannot be read" in body
    assert SERIAL not in body.decode()


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("application/x-www-form-urlencoded; charset=utf-7", b"trip=a"),
        ("multipart/form-data; boundary=a", b"--a\r\n" + b"x" * 3000),
    ],
    ids=["another character set", "no part of a form"],
)
def test_a_form_that_cannot_be_read_is_a_bad_request(server: Server, kind: str, form: bytes) -> None:
    about = f"Accept: text/html\r\nContent-Type: {kind}\r\nContent-Length: {len(form)}"
    found, headers, _ = send(
        server, b"POST /watch" + HOST + about.encode() + b"\r\nConnection: close\r\n\r\n" + form
    )
    assert (found, headers["Content-Type"]) == (400, "text/html; charset=utf-8")
    assert headers["Content-Security-Policy"]
