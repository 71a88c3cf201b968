"""The web server alone, as systemd and containers run it."""

import http.client
import socket
from contextlib import closing

import pytest

from compliance.services import ServiceError, ports, serve
from tests.support.processes import Start


def test_it_serves_the_address_that_is_asked_for_and_stops_when_asked(start: Start) -> None:
    port = ports.free_port()
    server = start(
        "-m",
        "compliance.services.serve",
        BIND=f"127.0.0.1:{port}",
        DATABASE_URL="postgresql://127.0.0.1:1/none",
        SECRET_KEY="only-for-tests",
        VERDICT_KEY="only-for-tests",
    )
    assert server.stdout is not None
    assert server.stdout.readline().startswith(f"Serving on http://127.0.0.1:{port}")
    with closing(http.client.HTTPConnection(ports.LOOPBACK, port, timeout=60)) as connection:
        connection.request("GET", "/openapi.yaml")
        assert connection.getresponse().status == 200
    server.terminate()
    assert server.wait(30) == 0


@pytest.mark.parametrize(
    "address", ["8000", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:70000", "[::1:8000", "1.2.3.4.5:80"]
)
def test_an_address_that_is_none_is_named(address: str) -> None:
    with pytest.raises(ServiceError, match="BIND is"):
        serve.bound(address)


def test_a_port_that_is_taken_is_named() -> None:
    with (
        socket.create_server((ports.LOOPBACK, 0)) as taken,
        pytest.raises(ServiceError, match="already in use"),
    ):
        serve.bound(f"127.0.0.1:{taken.getsockname()[1]}")
