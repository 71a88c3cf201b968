"""The only way out: connections to checked addresses, for no longer than the fetch may take.

A host is looked up once. Each address of the answer is checked, and one forbidden address rejects the whole
answer: a public name with a private address is an attack or a mistake. The connection goes to the checked
address, so a later change of the name has no effect; TLS still proves the server by its name. No proxy and no
other setting of the environment has an effect. The network side of httpcore's connections; made by
`exchange`, one for each request.
"""

import socket
import ssl
from collections.abc import Iterable, Sequence
from typing import Any

import httpcore2

from catalog.fetching.addresses import Address, is_public, is_within, literal
from catalog.fetching.answers import FetchFailed
from catalog.fetching.deadline import Deadline
from catalog.fetching.lookups import Resolver, look_up
from catalog.fetching.policy import Policy

WEB_PORTS = (80, 443, 8080, 8443)
"""Other ports belong to other services, which could take a request for one of their own commands."""

MOST_TRIES = 4
"""How many addresses one host may have."""

HEAD_BYTES = 256 * 1024
"""What a server may send before the body: the head, the first piece of the body, and interim answers."""


class Stream(httpcore2.NetworkStream):
    """A connection that ends at the deadline of its fetch, and accepts no more than it was allowed."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._socket = connection
        self._deadline = deadline
        self._allowed = HEAD_BYTES

    def allow(self, number_of_bytes: int) -> None:
        """Accept so many bytes more."""
        self._allowed += number_of_bytes

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return the bytes that have come, at least one, or none at the end."""
        try:
            self._socket.settimeout(self._deadline.left())
            received = self._socket.recv(max_bytes)
        except TimeoutError:
            raise self._deadline.missed() from None
        except OSError as error:
            raise FetchFailed("no_connection", f"The connection failed ({_name(error)}).") from None
        self._allowed -= len(received)
        if self._allowed < 0:
            raise FetchFailed(
                "too_large", "The server sends more data around its answer than web servers do."
            )
        return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of it."""
        try:
            self._socket.settimeout(self._deadline.left())
            self._socket.sendall(buffer)
        except TimeoutError:
            raise self._deadline.missed() from None
        except OSError as error:
            # httpcore then reads the answer of a server that did not want to read the whole request.
            raise httpcore2.WriteError(str(error)) from None

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Encrypt, and check that the server is the host that was asked for."""
        try:
            self._socket.settimeout(self._deadline.left())
            self._socket = ssl_context.wrap_socket(self._socket, server_hostname=server_hostname)
        except TimeoutError:
            self.close()
            raise self._deadline.missed() from None
        except ssl.SSLCertVerificationError as error:
            self.close()
            why = error.verify_message.rstrip(".")
            raise FetchFailed("tls", f"The server could not prove its identity: {why}.") from None
        except ssl.SSLError as error:
            self.close()
            why = error.reason or "it does not support our TLS versions"
            raise FetchFailed("tls", f"No encrypted connection was made: {why}.") from None
        except OSError as error:
            self.close()
            raise FetchFailed("no_connection", f"The connection failed ({_name(error)}).") from None
        except BaseException:
            self.close()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:
        """Return what httpcore asks for; only whether HTTP/2 was agreed on, which never happens."""
        return None


def check_place(policy: Policy, address: Address | None, port: int) -> None:
    """Refuse a forbidden host or port. A host that is only a name has no address yet.

    Raises `FetchFailed`, reason `forbidden_address`.
    """
    if address and is_within(address, policy.test_networks):
        return
    if address and not is_public(address):
        raise FetchFailed(
            "forbidden_address", "The address leads into a private or otherwise special network."
        )
    if port not in WEB_PORTS:
        raise FetchFailed("forbidden_address", f"Web pages are not fetched from port {port}.")


class CheckedNetwork(httpcore2.NetworkBackend):
    """Finds the server of one request."""

    def __init__(self, policy: Policy, resolve: Resolver, deadline: Deadline) -> None:
        self._policy = policy
        self._resolve = resolve
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to a host if all its addresses may be reached. Raises `FetchFailed`."""
        address = literal(host)
        addresses = [address] if address else look_up(host, port, self._resolve, self._deadline)
        for address in addresses:
            check_place(self._policy, address, port)
        return Stream(self._connect(host, addresses[:MOST_TRIES], port), self._deadline)

    def _connect(self, host: str, addresses: Sequence[Address], port: int) -> socket.socket:
        for tried, address in enumerate(addresses):
            # The last one may take all the time that is left.
            share = self._deadline.left() / (len(addresses) - tried)
            family = socket.AF_INET if address.version == 4 else socket.AF_INET6
            connection = socket.socket(family, socket.SOCK_STREAM)
            try:
                connection.settimeout(min(share, self._policy.connect_seconds))
                connection.connect((str(address), port))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError as error:
                connection.close()
                failure = error
            except BaseException:
                connection.close()
                raise
            else:
                return connection
        self._deadline.left()
        raise FetchFailed("no_connection", f"No connection to {host} was made ({_name(failure)}).")


def _name(error: OSError) -> str:
    """Describe the error without addresses or handles, which some errors contain."""
    return error.strerror or type(error).__name__
