"""Origins of web pages, as browsers send them in `Origin`. Pure.

An origin is scheme, host and port (RFC 6454), in the one spelling that browsers use: lower case, no default
port, no path. Origins are compared as these texts. Called where partners are recorded.
"""

import ipaddress
import re
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Hosts whose pages may be served without TLS: those of developers."""

MOST_ORIGINS = 20
"""How many origins a partner has at most. Each frame names all of them in a header."""

LONGEST_HOST = 253
"""The characters of a host at most (RFC 1035)."""

_DEFAULT_PORTS = {"https": 443, "http": 80}
_HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")

SPELLED = (
    r"(https://([a-z0-9.-]+|\[[0-9a-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))(:[1-9][0-9]{0,4})?"
)
"""The form of a normalized origin, as a regular expression that PostgreSQL reads too."""


def normalized(text: str) -> str:
    """Return an origin in the spelling of browsers. Raises `ValueError`, which says what is wrong."""
    text = text.strip()
    # Before parsing: the parser silently drops line breaks.
    if not text.isprintable() or " " in text or "*" in text:
        raise ValueError(
            "must name one origin exactly, such as https://app.example.com, with no spaces and no *"
        )
    scheme = text.partition("://")[0].lower()
    if scheme not in _DEFAULT_PORTS:
        raise ValueError("must begin with https://, followed by a host")
    try:
        parts = urlsplit(text)
        host, port = _host(parts.hostname or ""), parts.port
    except ValueError as error:
        raise ValueError(f"is not an origin: {error}") from None
    if parts.username is not None or parts.path not in ("", "/") or "?" in text or "#" in text:
        raise ValueError("must be a scheme, a host and a port alone, such as https://app.example.com:8443")
    if scheme == "http" and host not in LOOPBACK:
        raise ValueError(f"must begin with https://; http:// is only for {', '.join(LOOPBACK)}")
    if port == 0:
        raise ValueError("must have a port between 1 and 65535")
    shown_port = "" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}"
    return f"{scheme}://{host}{shown_port}"


def _host(host: str) -> str:
    """Return a host in the spelling of browsers."""
    if not host.isascii():
        raise ValueError("write the host in ASCII, as browsers send it (xn--…)")
    if ":" in host:
        return f"[{ipaddress.IPv6Address(host).compressed}]"
    if not _HOST_NAME.fullmatch(host):
        raise ValueError("it has no host")
    if len(host) > LONGEST_HOST:
        raise ValueError(f"its host has more than {LONGEST_HOST} characters")
    return host
