"""Where a request comes from, as far as a limit must know: one text for everybody behind one connection.

Whoever can choose that text escapes the limit. So it is never taken from what a client can write: not from
`X-Forwarded-For` unless proxies are trusted (TRUSTED_PROXIES), and then only the entry that the outermost of
them added. Called by `limits`; the text is hashed there and goes nowhere else.
"""

import functools
import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

NO_ADDRESS = "no address"
"""Where the server is reached by a unix socket, and no proxy says for whom. These callers share a limit."""

IPV6_PREFIX_BITS = 64
"""What one connection usually has: a household or a server can send from every address in it (RFC 6177)."""

# Some proxies add the port that they were called from.
_WITH_PORT = re.compile(r"\[(?P<v6>[^]]+)\](:\d+)?|(?P<v4>[^:]+):\d+")


def client_network(request: HttpRequest) -> str:
    """Return the client's IPv4 address or IPv6 network, or what stands for it where that is not known.

    Proxies append to `X-Forwarded-For` whom they were called by. With n trusted ones, the n-th entry from the
    right is what the outermost saw, and whatever stands left of it was sent by the client. An entry that is
    missing or is no address counts for the machine that called us.
    """
    peer: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.TRUSTED_PROXIES
    if proxies:
        entries = request.META.get("HTTP_X_FORWARDED_FOR", "").rsplit(",", proxies)
        if len(entries) >= proxies and (network := _network(entries[-proxies])):
            return network
    return _network(peer) or NO_ADDRESS


@functools.lru_cache(maxsize=4096)
def _network(text: str) -> str | None:
    """Return what an address belongs to; None if the text is no address."""
    text = text.strip()
    if found := _WITH_PORT.fullmatch(text):
        text = found["v6"] or found["v4"]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((int(address), IPV6_PREFIX_BITS), strict=False))
        address = address.ipv4_mapped
    return str(address)
