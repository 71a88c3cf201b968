"""HTTP over the real web server: what it adds and leaves out, and what never reaches a view."""

from collections.abc import Iterator

import pytest

from tests.support.processes import Start
from tests.support.web_server import VALID, VERIFY, Heard, Server, serve_starter

DEVICES = "/api/devices"


@pytest.fixture(scope="module")
def server(start_once: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve_starter(start_once, tmp_path_factory.mktemp("server"))
    yield server
    log = server.stop()
    assert "Traceback" not in log
    # What gunicorn says where an answer that may have no body has one.
    assert "no-body" not in log


def without(heard: Heard, *names: str) -> dict[str, str]:
    return {name: value for name, value in heard.headers.items() if name not in names}


def test_methods_and_conditions(server: Server) -> None:
    got, head = server.ask("GET", DEVICES), server.ask("HEAD", DEVICES)
    passing = ("date", "x-request-id", "ratelimit", "ratelimit-remaining", "ratelimit-reset")
    assert (head.status, head.body) == (200, b"")
    assert without(head, *passing) == without(got, *passing)
    assert int(head.headers["content-length"]) == len(got.body)

    not_modified = server.ask("GET", DEVICES, If_None_Match=got.headers["etag"])
    assert (not_modified.status, not_modified.body, not_modified.headers["etag"]) == (
        304,
        b"",
        got.headers["etag"],
    )
    # What is told of a body stays as the caller keeps it.
    of_bodies = ("content-type", "content-length", "content-security-policy")
    assert without(not_modified, *passing) == without(got, *passing, *of_bodies)

    options = server.ask("OPTIONS", DEVICES)
    assert (options.status, options.body, options.headers["allow"]) == (204, b"", "GET, HEAD, OPTIONS")
    assert {"content-type", "content-length"}.isdisjoint(options.headers)

    refused = server.ask("HEAD", VERIFY)
    assert (refused.status, refused.body, refused.headers["allow"]) == (405, b"", "POST, OPTIONS")


def test_nonsense_is_the_callers_error(server: Server) -> None:
    for path, status in (
        (f"{DEVICES}/%00", 404),
        (f"{DEVICES}?q=%00", 400),
        (f"{DEVICES}?q=%FF", 400),
        (f"{DEVICES}?{'a=1&' * 900}", 400),
        (f"{DEVICES}?q={'a' * 100_000}", 414),
    ):
        assert server.ask("GET", path).status == status
    for kind in ("application/json; charset*=bogus'en'x", "application/json; charset=hex", "x" * 5000):
        assert server.ask("POST", VERIFY, VALID, **{"Content-Type": kind}).status == 415
