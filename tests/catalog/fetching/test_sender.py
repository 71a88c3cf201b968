"""What is sent to an address from data goes where a page may be fetched from, over TLS, and no further."""

import datetime
import socket
from collections.abc import Iterator

import pytest

from catalog.fetching import FetchFailed, Sender
from tests.catalog.fetching.servers import CERTIFICATES, Names, Server, page, policy, silence, taking

BODY = b'{"type":"webhook.registered"}'
NAMES = {
    "site_example": [["127.0.1.1"]],
    "inside_example": [["10.0.0.7"]],
    "both_example": [["127.0.1.1", "192.168.1.1"]],
    "rebinding_example": [["127.0.1.1"], ["10.0.0.7"]],
}


@pytest.fixture
def sender(monkeypatch: pytest.MonkeyPatch) -> Sender:
    """A sender on a machine that trusts the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))
    return Sender(policy(), Names(**NAMES))


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"/hook": taking("204 No Content")}, certificate="site.pem") as running:
        yield running


def failure(sender: Sender, url: str, seconds: float = 5) -> FetchFailed:
    with pytest.raises(FetchFailed) as failed:
        sender.post(url, BODY, {}, seconds=seconds)
    return failed.value


def test_a_body_arrives_whole_with_the_headers_that_were_given(sender: Sender) -> None:
    received = []

    def take(connection: socket.socket) -> None:
        # The head is read already; the body may have come with it or after it.
        received.append(connection.recv(65536))
        connection.sendall(page(b"", "200 OK"))

    with Server({"/hook": take}, certificate="site.pem") as server:
        sender.post(f"https://site.example:{server.port}/hook", BODY, {"webhook-id": "one"})
        (asked,) = server.asked
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["content-length"] == str(len(BODY))
    assert asked.headers["webhook-id"] == "one"
    assert received == [BODY]


@pytest.mark.parametrize(
    "host",
    [
        "inside.example",
        "both.example",
        "127.0.0.1",
        "10.0.0.7",
        "[::1]",
        "169.254.169.254",
        "[::ffff:10.0.0.7]",
    ],
)
def test_nothing_is_sent_inside_by_whatever_name(sender: Sender, server: Server, host: str) -> None:
    assert failure(sender, f"https://{host}:{server.port}/hook").reason == "forbidden_address"
    assert server.connections == 0


def test_a_name_that_changes_later_is_judged_each_time(sender: Sender, server: Server) -> None:
    url = f"https://rebinding.example:{server.port}/hook"
    # The certificate is of another name, so even the good address gets nothing.
    assert failure(sender, url).reason == "tls"
    assert failure(sender, url).reason == "forbidden_address"
    assert server.asked == []


@pytest.mark.parametrize(
    "url", ["http://site.example/hook", "ftp://site.example/", "https://user:word@site.example/"]
)
def test_nothing_goes_out_unencrypted_or_with_a_password(sender: Sender, url: str) -> None:
    assert failure(sender, url).reason == "bad_url"


def test_a_redirect_is_not_followed(sender: Sender, server: Server) -> None:
    server.pages["/old"] = taking(
        "307 Temporary Redirect", location=f"https://site.example:{server.port}/hook"
    )
    assert failure(sender, f"https://site.example:{server.port}/old").reason == "bad_redirect"
    assert server.paths == ["/old"]


def test_any_other_status_is_told_with_how_long_to_wait(sender: Sender, server: Server) -> None:
    server.pages["/busy"] = taking("503 Service Unavailable", retry_after="90")
    failed = failure(sender, f"https://site.example:{server.port}/busy")
    assert (failed.reason, failed.status) == ("http_status", 503)
    assert failed.retry_after == datetime.timedelta(seconds=90)


def test_who_says_nothing_is_left_in_time(sender: Sender, server: Server) -> None:
    server.pages["/silent"] = silence
    failed = failure(sender, f"https://site.example:{server.port}/silent", seconds=0.3)
    assert failed.reason in {"timed_out", "no_connection", "bad_answer"}


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://10.0.0.7/hook", "forbidden_address"),
        ("https://[::1]/hook", "forbidden_address"),
        ("https://localhost/hook", "bad_url"),
        ("https://2130706433/hook", "bad_url"),
        ("http://hooks.example.com/", "bad_url"),
        ("hooks.example.com", "bad_url"),
    ],
)
def test_an_address_is_judged_before_anything_is_sent(sender: Sender, url: str, reason: str) -> None:
    with pytest.raises(FetchFailed) as failed:
        sender.check(url)
    assert failed.value.reason == reason


def test_an_address_that_may_do_is_let_through(sender: Sender) -> None:
    sender.check("https://hooks.example.com/battery?of=acme")
