"""The address of a request for limits: one text for all callers behind one connection.

A caller who can choose that text escapes the limit. So the text never comes from what a client can write.
`X-Forwarded-For` is used only if proxies are trusted (TRUSTED_PROXIES), and then only the entry that the
outermost of them added. `compliance.api.protocol.limits` hashes the text and uses it nowhere else.
"""

import functools
import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

NO_ADDRESS = "no address"
"""For a server behind a unix socket, if no proxy names the client. These callers share a limit."""

IPV6_PREFIX_BITS = 64
"""The usual network of one connection: a household or a server can use every address in it (RFC 6177)."""

IPV6_LARGER_BITS = 48
"""The largest network that one customer usually has."""

# Some proxies add the port that they were called from.
_WITH_PORT = re.compile(r"\[(?P<v6>[^]]+)\](:\d+)?|(?P<v4>[^:]+):\d+")


def client_network(request: HttpRequest) -> str:
    """Return the client's IPv4 address or IPv6 network, or a substitute if it is not known.

    Each proxy appends its caller to `X-Forwarded-For`. With n trusted proxies, the n-th entry from the right
    is what the outermost saw; the client sent everything to the left of it. If the entry is missing or is no
    address, the machine that called us is used.
    """
    peer: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.TRUSTED_PROXIES
    if proxies:
        entries = request.META.get("HTTP_X_FORWARDED_FOR", "").rsplit(",", proxies)
        if len(entries) >= proxies and (network := _network(entries[-proxies])):
            return network
    return _network(peer) or NO_ADDRESS


@functools.lru_cache(maxsize=4096)
def larger_network(network: str) -> str | None:
    """Return the larger network around an IPv6 network of `client_network`; None for anything else."""
    if "/" not in network:
        return None
    return str(ipaddress.ip_network(network).supernet(new_prefix=IPV6_LARGER_BITS))


@functools.lru_cache(maxsize=4096)
def _network(text: str) -> str | None:
    """Return the network of an address; None if the text is no address."""
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
