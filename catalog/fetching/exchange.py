"""One request and its answer, over a connection of its own.

It follows no redirect, keeps no cookie and tries nothing twice. Called by `fetcher`, `robots` and `sender`.
"""

import functools
import os
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import httpcore2
import msgspec

from catalog.fetching.answers import FetchFailed
from catalog.fetching.connecting import CheckedNetwork, Stream
from catalog.fetching.deadline import Deadline
from catalog.fetching.headers import Headers
from catalog.fetching.lookups import Resolver
from catalog.fetching.policy import Policy
from catalog.fetching.urls import Target

REDIRECTS = (301, 302, 303, 307, 308)


class Answer(msgspec.Struct, frozen=True):
    """The head of an answer, and the pieces of its body as they come, packed as they are sent."""

    status: int
    headers: Headers
    chunks: Iterator[bytes]
    allow: Callable[[int], None]
    """Lets the server send so many bytes more; before that, only the head and the first piece are read."""


class Exchange:
    """What all requests of one `Fetcher` have in common."""

    def __init__(self, policy: Policy, resolve: Resolver) -> None:
        self._policy = policy
        self._resolve = resolve
        # From the environment it takes only the trusted certificates.
        self._tls = _tls(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))

    @contextmanager
    def ask(
        self,
        target: Target,
        accept: str,
        deadline: Deadline,
        more: Sequence[tuple[str, str]] = (),
        content: bytes | None = None,
    ) -> Iterator[Answer]:
        """Ask for a page, or send `content`; inside the context, the body of the answer can be read.

        Raises `FetchFailed`.
        """
        connection = httpcore2.HTTPConnection(
            httpcore2.Origin(target.scheme.encode(), target.host.encode(), target.port),
            ssl_context=self._tls,
            network_backend=CheckedNetwork(self._policy, self._resolve, deadline),
        )
        request = httpcore2.Request(
            "GET" if content is None else "POST",
            httpcore2.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path),
            headers=[
                ("Host", target.authority),
                ("User-Agent", self._policy.user_agent),
                ("Accept", accept),
                ("Accept-Language", "en"),
                ("Accept-Encoding", "gzip, deflate, br"),
                ("Connection", "close"),
                *more,
                *(() if content is None else (("Content-Length", str(len(content))),)),
            ],
            content=content,
        )
        try:
            with _named():
                response = connection.handle_request(request)
            stream: Stream = response.extensions["network_stream"]
            yield Answer(response.status, Headers(response.headers), _chunks(response), stream.allow)
        finally:
            connection.close()


def _chunks(response: httpcore2.Response) -> Iterator[bytes]:
    with _named():
        yield from response.iter_stream()


@functools.lru_cache(maxsize=4)
def _tls(trusted_file: str | None, trusted_folder: str | None) -> ssl.SSLContext:
    """Return the TLS context. Reading all certificates takes 20 ms, so it is kept."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # OpenSSL reads the same two names from the environment.
    context.load_default_certs()
    return context


@contextmanager
def _named() -> Iterator[None]:
    """Translate httpcore's exceptions into our reasons."""
    try:
        yield
    except httpcore2.ProtocolError:
        raise FetchFailed("bad_answer", "The server's answer is incomplete or is not HTTP.") from None
    except httpcore2.NetworkError:
        raise FetchFailed("no_connection", "The connection failed.") from None
