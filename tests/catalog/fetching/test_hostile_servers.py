"""Servers that drip, hang, lie or send without end cost little time and little memory."""

import gzip
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable

import brotli
import pytest

from catalog.fetching import Fetcher, FetchFailed
from catalog.fetching.addresses import Address
from compliance.services.embedded import REPOSITORY
from tests.catalog.fetching.servers import (
    Page,
    Server,
    brotli_bomb,
    deflate_bomb,
    drip,
    endless,
    gzip_bomb,
    packed_head,
    page,
    policy,
    silence,
)


def failure(fetcher: Fetcher, url: str, **options: float) -> FetchFailed:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(url, **options)  # type: ignore[arg-type]
    return failed.value


@pytest.mark.parametrize(
    "what",
    [
        silence,
        drip(page(), 0.05),
        drip(page(bytes(100)), 0.02),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + bytes(900), 0.03),
        drip(b"HTTP/1.1 100 Continue\r\n\r\n" * 99, 0.01),
    ],
    ids=["silence", "dripping head", "dripping", "dripping body", "interim answers"],
)
def test_no_one_holds_a_fetch_longer_than_it_may_take(server: Server, fetcher: Fetcher, what: Page) -> None:
    server.pages["/"] = what
    began_at = time.monotonic()
    assert failure(fetcher, server.root, seconds=0.4).reason == "timed_out"
    assert time.monotonic() - began_at < 3


def test_all_redirects_share_one_deadline(server: Server, fetcher: Fetcher) -> None:
    def slowly(to: str) -> Callable[[socket.socket], None]:
        def send(connection: socket.socket) -> None:
            time.sleep(0.15)
            connection.sendall(page(b"", "302 Found", location=to))

        return send

    server.pages |= {f"/{hop}": slowly(f"/{hop + 1}") for hop in range(5)}
    assert failure(fetcher, f"{server.root}/0", seconds=0.4).reason == "timed_out"
    assert "/4" not in server.paths


def test_a_server_that_takes_no_connection_is_given_up() -> None:
    with socket.create_server(("127.0.1.1", 0), backlog=0) as listener, Fetcher(policy()) as fetcher:
        port = listener.getsockname()[1]
        filling = []
        try:
            # Beyond the backlog, the system answers nobody.
            for _ in range(3):
                client = socket.socket()
                client.setblocking(False)
                client.connect_ex(("127.0.1.1", port))
                filling.append(client)
            time.sleep(0.05)
            began_at = time.monotonic()
            failed = failure(fetcher, f"http://127.0.1.1:{port}/")
            assert failed.reason in ("no_connection", "timed_out")
            assert 0.3 < time.monotonic() - began_at < 5
        finally:
            for client in filling:
                client.close()


def test_a_name_server_that_hangs_is_given_up() -> None:
    given_up = threading.Event()

    def never(host: str, port: int) -> list[Address]:
        given_up.wait(10)
        return []

    with Fetcher(policy(), never) as fetcher:
        began_at = time.monotonic()
        assert failure(fetcher, "http://slow.example/", seconds=0.2).reason == "timed_out"
        assert time.monotonic() - began_at < 3
    given_up.set()


@pytest.mark.parametrize(
    "what",
    [
        b"",
        b"no HTTP at all\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"HTTP/1.1 200 OK",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nX Y: 1\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: 1\r\n" * 201 + b"\r\n",
        endless(b"HTTP/1.1 200 OK\r\n", b"X: 1\r\n" * 1000),
        endless(b"HTTP/1.1 200 OK\r\nX: ", b"a" * 6000),
        endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a" * 6000),
    ],
)
def test_what_is_not_http_or_broken_off_is_no_answer(server: Server, fetcher: Fetcher, what: Page) -> None:
    server.pages["/"] = what
    failed = failure(fetcher, server.root)
    assert failed.reason in ("bad_answer", "http_status")
    assert failed.reason == "bad_answer" or failed.status == 101


def test_what_comes_after_the_announced_length_does_not_count(server: Server, fetcher: Fetcher) -> None:
    server.pages["/"] = page(b"five!", content_length="5") + b"and more"
    assert fetcher.fetch(server.root).body == b"five!"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    "what",
    [
        HEAD + b"Content-Length: 99999999999\r\n\r\n",
        endless(HEAD + b"\r\n", b"a" * 6000),
        endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b"a" * 4096 + b"\r\n"),
        endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n" * 1000),
        endless(b"", b"HTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\n" * 100),
        endless(packed_head("gzip"), gzip.compress(b"") * 1000),
    ],
    ids=["announced", "endless", "chunks", "chunks of one byte", "endless interim answers", "empty members"],
)
def test_what_never_ends_is_left_soon(server: Server, fetcher: Fetcher, what: Page) -> None:
    server.pages["/"] = what
    assert failure(fetcher, server.root, seconds=30).reason == "too_large"
    assert server.sent < 16 * 1024 * 1024


def brotli_fast(text: bytes) -> bytes:
    return brotli.compress(text, quality=3)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "identity": bytes,
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli_fast,
}


@pytest.mark.parametrize("encoding", PACKERS)
def test_what_counts_is_the_size_after_unpacking(server: Server, fetcher: Fetcher, encoding: str) -> None:
    pack = PACKERS[encoding]
    limit = policy().max_bytes
    # Packs well, but not too well.
    text = b"".join(b"%x " % number**2 for number in range(limit // 4))
    for size in (limit, limit + 1):
        server.pages[f"/{size}"] = packed_head(encoding) + pack(text[:size])
    assert fetcher.fetch(f"{server.root}/{limit}").body == text[:limit]
    failed = failure(fetcher, f"{server.root}/{limit + 1}")
    assert (failed.reason, failed.detail) == ("too_large", "The page is larger than 0.25 MiB.")


@pytest.mark.parametrize("bomb", [gzip_bomb, deflate_bomb, brotli_bomb])
def test_a_bomb_is_left_before_it_goes_off(
    server: Server, fetcher: Fetcher, bomb: Callable[[], Page]
) -> None:
    server.pages["/"] = bomb()
    assert failure(fetcher, server.root).reason == "too_large"
    # What unpacks to more than so many times of itself is refused even where its size would do.
    server.pages["/"] = bomb()
    failed = failure(fetcher, server.root, max_bytes=2**30, seconds=20)
    assert (failed.reason, "far larger after unpacking" in failed.detail) == ("too_large", True)
    assert server.sent < 16 * 1024 * 1024


MEASURE = """
import resource, sys
from catalog.fetching import Fetcher, FetchFailed
from catalog.fetching.addresses import Address
from tests.catalog.fetching.servers import policy
with Fetcher(policy()) as fetcher:
    def reasons():
        for url in sys.argv[1:]:
            try:
                fetcher.fetch(url, seconds=10)
            except FetchFailed as failed:
                yield failed.reason
    try:
        fetcher.fetch("http://127.0.1.99:9/")
    except FetchFailed:
        pass
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(*reasons())
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_no_bomb_and_no_endless_page_takes_memory(server: Server) -> None:
    server.pages |= {
        "/gzip": gzip_bomb(),
        "/deflate": deflate_bomb(),
        "/br": brotli_bomb(),
        "/endless": endless(HEAD + b"\r\n", b"a" * 65536),
        "/head": endless(HEAD, b"X: 1\r\n" * 1000),
    }
    urls = [f"{server.root}{path}" for path in server.pages]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *urls], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    reasons, kibibytes = done.stdout.splitlines()
    assert reasons.split() == ["too_large"] * 4 + ["bad_answer"]
    # The window of brotli alone may be 16 MiB.
    assert int(kibibytes) < 32 * 1024


TEXT = b"<p>Power banks up to 100 Wh may be carried on.</p>\n" * 3000
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT)),
        ("GZIP", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("gzip", gzip.compress(TEXT[:5000]) + gzip.compress(TEXT[5000:])),
        ("gzip", gzip.compress(TEXT) + bytes(512)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", RAW.compress(TEXT) + RAW.flush()),
        ("br", brotli.compress(TEXT)),
        ("identity", TEXT),
        ("", TEXT),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_packed_pages_are_unpacked_however_they_are_cut(
    server: Server, fetcher: Fetcher, encoding: str, body: bytes, size: int
) -> None:
    head = HEAD + f"Content-Encoding: {encoding}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    # One-byte chunks for the beginning alone, where it matters where they are cut.
    pieces = [body[at : at + size] for at in range(0, min(len(body), 40), size)]
    pieces.append(body[len(b"".join(pieces)) :])
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece)
    server.pages["/"] = head + chunks + b"0\r\n\r\n"
    assert fetcher.fetch(server.root).body == TEXT


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT)[:-9]),
        ("gzip", gzip.compress(TEXT)[:-8] + bytes(8)),
        ("gzip", gzip.compress(TEXT) + b"garbage"),
        ("gzip", TEXT),
        ("gzip", b"\x1f"),
        ("deflate", zlib.compress(TEXT)[:-5]),
        ("deflate", zlib.compress(TEXT) + b"more"),
        ("deflate", b"x"),
        ("br", brotli.compress(TEXT)[:-5]),
        ("br", brotli.compress(TEXT) + b"more"),
        ("br", TEXT),
        ("gzip, gzip", gzip.compress(gzip.compress(TEXT))),
        ("gzip, br", brotli.compress(gzip.compress(TEXT))),
        ("zstd", TEXT),
        ("compress", TEXT),
        ("aes128gcm", TEXT),
    ],
)
def test_what_cannot_be_unpacked_or_was_not_asked_for_is_no_answer(
    server: Server, fetcher: Fetcher, encoding: str, body: bytes
) -> None:
    server.pages["/"] = page(body, content_encoding=encoding)
    assert failure(fetcher, server.root).reason == "bad_answer"


def test_an_empty_page_may_claim_to_be_packed(server: Server, fetcher: Fetcher) -> None:
    server.pages["/"] = page(b"", content_encoding="gzip")
    assert fetcher.fetch(server.root).body == b""
