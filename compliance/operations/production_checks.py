"""Checks before the service is open to other machines: all problems at once, in plain words.

The settings call it if ALLOWED_HOSTS names a host beyond this machine, and refuse to start if there is a
problem. On loopback none of the checks apply: there a developer starts with one command. Pure: no Django, no
environment.
"""

import ipaddress
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

SHORTEST_KEY = 50
"""Characters. Django requires as many."""
LEAST_BITS = 160
"""The least entropy, in bits, of a random key of that length, from how often each character occurs in it."""

PLACEHOLDERS = (
    "changeme", "default", "dummy", "example", "insecure", "onlyfortests", "password", "placeholder",
    "secret",
)  # fmt: skip
"""Texts in placeholder keys that must be replaced, without characters other than letters and digits."""

HOW_TO_MAKE_ONE = "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'."

CHOSEN_SSL_MODES = {"disable", "require", "verify-ca", "verify-full"}
"""Explicitly chosen ways to reach PostgreSQL. The others use TLS only if it happens to be available."""


@dataclass(frozen=True)
class Start:
    """The configuration that the service is about to start with."""

    keys: Mapping[str, str]
    receipt_keys: Collection[str]
    release_keys: Collection[str]
    debug: bool
    allowed_hosts: list[str]
    site_url: str
    trusted_proxies: int
    fetch_test_networks: list[str]
    database: Mapping[str, object]
    redis_url: str


def problems(start: Start) -> Iterator[str]:
    """Return the problems that keep the service from being public, each as `NAME: why, and what to do`."""
    for name, key in start.keys.items():
        if why := weakness(key):
            yield f"{name}: {why} {HOW_TO_MAKE_ONE}"
    if len({*start.keys.values()}) < len(start.keys):
        yield f"{' and '.join(start.keys)}: Must differ, so that a leaked key opens nothing else."
    if not start.receipt_keys:
        yield (
            "RECEIPT_KEYS: Is empty. It must contain the secret that signs answers. Make one with: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'."
        )
    if not start.release_keys:
        yield (
            "RELEASE_PUBLIC_KEYS: Is empty. It must contain the public key of the publisher, by which "
            "releases are known. Make both keys with: manage.py release new-key."
        )
    if start.debug:
        yield "DEBUG: Must be off. Its error pages show settings and requests to every visitor."
    for host in start.allowed_hosts:
        if ("*" in host or "." not in host.strip(".")) and not _is_here(host):
            yield f"ALLOWED_HOSTS: Must contain whole host names. `{host}` would accept names of others."
    site = urlsplit(start.site_url)
    if site.scheme != "https":
        yield f"SITE_URL: Must begin with https://, not {site.scheme}://. A public service uses only TLS."
    if not any(_covers(host, site.hostname or "") for host in start.allowed_hosts):
        yield f"SITE_URL: Its host {site.hostname} is not in ALLOWED_HOSTS, so no link would work."
    if not start.trusted_proxies:
        yield (
            "TRUSTED_PROXIES: Must be at least 1. This service does not use TLS itself: the proxy "
            "in front of it does, and passes on the address of the caller."
        )
    if start.fetch_test_networks:
        yield (
            "FETCH_TEST_NETWORKS: Must be empty. It allows fetching pages from networks that are "
            "not public, and is only for tests."
        )
    yield from _stores(start.database, start.redis_url)


def weakness(key: str) -> str:
    """Return why a key can be guessed; nothing if it is safe."""
    plain = "".join(filter(str.isalnum, key)).lower()
    if placeholder := next((word for word in PLACEHOLDERS if word in plain), None):
        return f"Is not secret: it contains `{placeholder}`."
    if len(key) < SHORTEST_KEY:
        return f"Is too short: it has {len(key)} characters, and needs {SHORTEST_KEY}."
    if key in (key + key)[1:-1]:
        return "Can be guessed: it repeats itself."
    if _bits(key) < LEAST_BITS:
        return "Can be guessed: it has too few different characters."
    return ""


def _bits(key: str) -> float:
    shares = [count / len(key) for count in Counter(key).values()]
    return -len(key) * sum(share * math.log2(share) for share in shares)


def _stores(database: Mapping[str, object], redis_url: str) -> Iterator[str]:
    """Return the problems of the connections to PostgreSQL and Redis on other machines."""
    host = str(database.get("HOST") or "")
    options = database.get("OPTIONS")
    mode = options.get("sslmode") if isinstance(options, Mapping) else None
    if not _is_here(host) and mode not in CHOSEN_SSL_MODES:
        yield (
            f"DATABASE_URL: Must say whether the way to {host} is encrypted: end it with "
            "?sslmode=verify-full, or with ?sslmode=disable if it uses only a private network."
        )
    redis = urlsplit(redis_url)
    if redis.hostname and not _is_here(redis.hostname) and not redis.password:
        yield (
            f"REDIS_URL: Needs a password for {redis.hostname}. "
            "Anyone who can write to that Redis can start jobs here."
        )


def _is_here(host: str) -> bool:
    """Say whether a host is this machine: a socket in its file system, or loopback."""
    return not host or host.startswith("/") or host == "localhost" or _is_loopback(host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _covers(allowed: str, host: str) -> bool:
    """Say whether an entry of ALLOWED_HOSTS includes a host; `.example.com` includes all subdomains."""
    return host == allowed.lower().lstrip(".") or (allowed.startswith(".") and host.endswith(allowed.lower()))
