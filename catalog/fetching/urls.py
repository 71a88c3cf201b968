"""Which URLs are fetched, and the request for each. A URL is parsed once, and the request uses that result.

Pure. Browsers interpret more than a URL says: backslashes as slashes, `2130706433` and `0x7f.1` as 127.0.0.1,
`①` as a digit. Here such a URL is refused instead. Called by `fetcher`, for the first address and for each
one that a redirect names.
"""

import re
from ipaddress import IPv4Address

import httpx2
import msgspec

from catalog.fetching.addresses import literal
from catalog.fetching.answers import FetchFailed

LONGEST_URL = 4096
"""Characters. No page that can be cited needs more."""

PORTS = {"http": 80, "https": 443}

NAME = re.compile(r"(?=.{4,253}\Z)(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))+")
"""A name with at least one dot: names without one exist only inside private networks."""

NUMERAL = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)\Z")
"""A last label with which browsers and C libraries take the whole host for an address of IPv4."""


class Target(msgspec.Struct, frozen=True):
    """One request: its host and its path."""

    scheme: str
    host: str
    """A name in ASCII without a final dot, or an address without brackets."""
    port: int
    path: str
    """With the query, percent-encoded."""

    @property
    def origin(self) -> tuple[str, int]:
        """The host with its scheme and port. Turns go by it."""
        return self.host, self.port

    @property
    def authority(self) -> str:
        """The host in the form of the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def root(self) -> str:
        """Scheme and authority."""
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        """The address in full."""
        return f"{self.root}{self.path}"


def parse(url: str) -> Target:
    """Return the request for a URL. Raises `FetchFailed`, reason `bad_url`."""
    if len(url) > LONGEST_URL:
        raise _bad(f"it has more than {LONGEST_URL} characters")
    if "\\" in url or any(character.isspace() or not character.isprintable() for character in url.strip(" ")):
        raise _bad("it contains a backslash, a space or a control character")
    try:
        parsed = httpx2.URL(url.strip(" "))
    except httpx2.InvalidURL:
        raise _bad("it cannot be read") from None
    return _target(parsed)


def follow(target: Target, location: str) -> Target:
    """Return the request for a redirect. Raises `FetchFailed`, reason `bad_redirect`."""
    if not location:
        raise _redirect("it has no address")
    try:
        # Checked before joining, because joining mixes the parts of both.
        if "\\" in location or not location.isprintable() or len(location) > LONGEST_URL:
            raise _bad("it is not a web address")
        following = _target(httpx2.URL(target.url).join(location))
    except httpx2.InvalidURL:
        raise _redirect("it cannot be read") from None
    except FetchFailed as failed:
        raise _redirect(failed.detail) from None
    if target.scheme == "https" and following.scheme != "https":
        raise _redirect("it leads from an encrypted connection to one that is not encrypted")
    return following


def _target(url: httpx2.URL) -> Target:
    if url.scheme not in PORTS:
        raise _bad("it does not begin with http:// or https://")
    if url.userinfo:
        raise _bad("it contains a user name or a password")
    port = PORTS[url.scheme] if url.port is None else url.port
    if not 0 < port < 65536:
        raise _bad("there is no such port")
    return Target(url.scheme, _host(url.raw_host.decode("ascii")), port, url.raw_path.decode("ascii"))


def _host(host: str) -> str:
    if ":" in host:
        address = None if "%" in host else literal(host)
        if address is None:
            raise _bad("its host is not a valid address, or it names an interface of this machine")
        return str(address)
    host = host.removesuffix(".")
    if NUMERAL.match(host.rpartition(".")[2]):
        # Only four numbers without leading zeros mean the same address to all programs.
        address = literal(host)
        if not isinstance(address, IPv4Address):
            raise _bad("its host is a number that programs read in different ways")
        return str(address)
    if not NAME.fullmatch(host):
        raise _bad("its host is not a name on the public internet")
    return host


def _bad(why: str) -> FetchFailed:
    return FetchFailed("bad_url", f"This is not the address of a public web page: {why}.")


def _redirect(why: str) -> FetchFailed:
    why = why.removeprefix("This is not the address of a public web page: ").removesuffix(".")
    return FetchFailed("bad_redirect", f"The page redirects to an address that is not followed: {why}.")
