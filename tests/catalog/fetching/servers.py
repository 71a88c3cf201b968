"""Servers on loopback that answer as a test says: byte by byte, never, or too much."""

import gzip
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Self

import brotli

from catalog.fetching import Policy
from catalog.fetching.addresses import Address

CERTIFICATES = Path(__file__).parent / "certificates"
"""For `site.example`, signed by `authority.pem`, which nobody but the tests trusts."""

TEST_NETWORKS = (ip_network("127.0.1.0/24"),)

Page = bytes | Iterable[bytes] | Callable[[socket.socket], None]
"""What is sent: at once, piece by piece, or by whatever the function does."""


def policy(**changes: object) -> Policy:
    """Return a policy for tests: no pauses, small pages, and the test networks."""
    defaults = {
        "user_agent": "Watcher/1.0 (+https://watcher.example/about)",
        "seconds": 10.0,
        "connect_seconds": 0.5,
        "turn_seconds": 20.0,
        "host_pause_seconds": 0.0,
        "max_bytes": 256 * 1024,
        "max_pdf_bytes": 512 * 1024,
        "test_networks": TEST_NETWORKS,
    }
    return Policy(**defaults | changes)  # type: ignore[arg-type]


class Names:
    """A resolver that knows what the test says, one answer after the other, and keeps what it was asked."""

    def __init__(self, **names: list[list[str]]) -> None:
        self._answers = {name.replace("_", "."): list(answers) for name, answers in names.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[Address]:
        self.asked.append(host)
        answers = self._answers.get(host)
        if not answers:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        # The last answer stays.
        given = answers.pop(0) if len(answers) > 1 else answers[0]
        return [ip_address(address) for address in given]


def page(body: bytes = b"<p>Hello</p>", status: str = "200 OK", **headers: str) -> bytes:
    """Return an answer with its head; `content_type=` gives `Content-Type`."""
    fields = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
    fields |= {name.replace("_", "-").title(): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body


def endless(head: bytes, piece: bytes) -> Iterator[bytes]:
    """Return a head, and then the same piece again and again."""
    yield head
    while True:
        yield piece


def redirect(location: str, status: str = "302 Found") -> bytes:
    """Return an answer that leads on."""
    return page(b"", status, location=location)


def packed_head(encoding: str) -> bytes:
    """Return the head of an answer whose length is not told."""
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {encoding}\r\n\r\n".encode()


def gzip_bomb() -> Iterator[bytes]:
    """Return zeros without end, packed: each megabyte in a kilobyte."""
    return endless(packed_head("gzip") + gzip.compress(b"")[:10], _megabyte(-zlib.MAX_WBITS))


def deflate_bomb() -> Iterator[bytes]:
    """Return zeros without end, packed as `gzip_bomb`."""
    return endless(packed_head("deflate"), _megabyte(-zlib.MAX_WBITS))


def _megabyte(window: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    return packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)


def brotli_bomb() -> bytes:
    """Return 512 megabytes of zeros, packed in less than a kilobyte."""
    packer = brotli.Compressor(quality=1)
    body = b"".join(packer.process(bytes(2**24)) for _ in range(32)) + packer.finish()
    return packed_head("br") + body


@dataclass
class Asked:
    """One request."""

    path: str
    headers: dict[str, str]
    began_at: float
    ended_at: float = 0.0
    head: str = ""
    """As it came; the headers are in lower case."""


@dataclass
class Server:
    """Answers `pages` by path, and 404 to all else. Knows what it was asked, and how much it sent."""

    pages: dict[str, Page] = field(default_factory=dict)
    address: str = "127.0.1.1"
    certificate: str = ""
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    sent: int = 0

    def __enter__(self) -> Self:
        family = socket.AF_INET6 if ":" in self.address else socket.AF_INET
        self._listener = socket.create_server((self.address, 0), family=family)
        self.port = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._begin(self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        for open_one in (self._listener, *self._open):
            with suppress(OSError):
                open_one.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in list(self._threads):
            thread.join(timeout=10)
            assert not thread.is_alive()

    @property
    def root(self) -> str:
        """The address of the server, without a final slash."""
        return f"{'https' if self.certificate else 'http'}://{self.address}:{self.port}"

    @property
    def paths(self) -> list[str]:
        """What was asked for, robots.txt aside."""
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                self._open.append(connection)
                self._begin(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            if self.certificate:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(CERTIFICATES / self.certificate)
                connection = context.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            self._answer(connection)
        connection.close()

    def _answer(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            received = connection.recv(65536)
            if not received:
                return
            head += received
        first, *fields = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in fields)
        asked = Asked(first.split()[1], headers, time.monotonic(), head=head.decode("latin-1"))
        self.asked.append(asked)
        what = self.pages.get(asked.path.partition("?")[0], page(b"", "404 Not Found"))
        try:
            if isinstance(what, bytes):
                connection.sendall(what)
            elif callable(what):
                what(connection)
            else:
                for piece in what:
                    connection.sendall(piece)
                    self.sent += len(piece)
        finally:
            asked.ended_at = time.monotonic()


def taking(status: str, **headers: str) -> Callable[[socket.socket], None]:
    """Return what takes the body that is sent, and then answers."""

    def take(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(page(b"", status, **headers))

    return take


def drip(pieces: bytes, seconds: float) -> Callable[[socket.socket], None]:
    """Return a page that comes byte by byte."""

    def send(connection: socket.socket) -> None:
        for piece in pieces:
            connection.sendall(bytes([piece]))
            time.sleep(seconds)

    return send


def silence(connection: socket.socket) -> None:
    """Say nothing until the client goes."""
    connection.recv(1)
