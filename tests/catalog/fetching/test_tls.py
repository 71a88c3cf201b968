"""An encrypted page counts only where the server proves who it is."""

import socket
from collections.abc import Iterator

import pytest

from catalog.fetching import Fetcher, FetchFailed
from tests.catalog.fetching.servers import CERTIFICATES, Names, Server, page, policy, silence

NAMES = {"site_example": [["127.0.1.1"]], "other_example": [["127.0.1.1"]]}


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fetcher]:
    """A fetcher on a machine that trusts the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))
    with Fetcher(policy(), Names(**NAMES)) as opened:
        yield opened


def failure(fetcher: Fetcher, url: str, seconds: float | None = None) -> FetchFailed:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(url, seconds=seconds)
    return failed.value


def test_the_name_is_proved_although_the_checked_address_is_connected_to(trusting: Fetcher) -> None:
    with Server({"/": page(b"proved")}, certificate="site.pem") as server:
        assert trusting.fetch(f"https://site.example:{server.port}/").body == b"proved"
        assert trusting.fetch(f"https://127.0.1.1:{server.port}/").body == b"proved"


@pytest.mark.parametrize(
    ("certificate", "host"),
    [
        ("site.pem", "other.example"),
        ("expired.pem", "site.example"),
        ("self_signed.pem", "site.example"),
    ],
)
def test_a_server_that_proves_nothing_is_sent_nothing(trusting: Fetcher, certificate: str, host: str) -> None:
    with Server({"/": page()}, certificate=certificate) as server:
        failed = failure(trusting, f"https://{host}:{server.port}/")
        assert failed.reason == "tls"
        assert server.asked == []


def test_an_authority_that_the_machine_does_not_trust_proves_nothing() -> None:
    with (
        Server({"/": page()}, certificate="site.pem") as server,
        Fetcher(policy(), Names(**NAMES)) as fetcher,
    ):
        assert failure(fetcher, f"https://site.example:{server.port}/").reason == "tls"
        assert server.asked == []


def test_an_encrypted_page_leads_to_no_unencrypted_one(trusting: Fetcher, server: Server) -> None:
    with Server(certificate="site.pem") as encrypted:
        encrypted.pages["/"] = page(b"", "302 Found", location=f"{server.root}/")
        assert failure(trusting, f"https://site.example:{encrypted.port}/").reason == "bad_redirect"
    assert server.connections == 0


def test_a_server_that_does_not_speak_tls_is_told_apart(trusting: Fetcher, server: Server) -> None:
    server.pages["/"] = page()
    assert failure(trusting, f"https://site.example:{server.port}/", 0.5).reason in ("tls", "timed_out")


def test_a_handshake_that_hangs_ends_with_the_deadline(trusting: Fetcher) -> None:
    with socket.create_server(("127.0.1.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert failure(trusting, f"https://site.example:{port}/", 0.5).reason == "timed_out"


def test_an_encrypted_page_that_hangs_ends_with_the_deadline(trusting: Fetcher) -> None:
    with Server({"/": silence}, certificate="site.pem") as server:
        assert failure(trusting, f"https://site.example:{server.port}/", 1).reason == "timed_out"
        assert server.paths == ["/"]
