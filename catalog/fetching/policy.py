"""The limits of fetching: sizes, timeouts, pauses. Settings give the default, tests make their own."""

from ipaddress import ip_network

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from catalog.fetching.addresses import Network

MIB = 1024 * 1024


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a `Fetcher`. Sizes are bytes after unpacking, times are seconds."""

    user_agent: str
    """Our user agent, as `Example/1.0 (+https://example.com/about)`."""
    seconds: float = 30
    """For one fetch with all its redirects, without the time for turns."""
    connect_seconds: float = 10
    """Until an address of the host accepts the connection; then the next one is tried."""
    turn_seconds: float = 120
    """The longest time that one fetch waits for its turns."""
    host_pause_seconds: float = 5
    """Between the end of one request to a host and the next one."""
    longest_pause_seconds: float = 30
    """The longest pause that a `robots.txt` can ask for."""
    max_bytes: int = 5 * MIB
    max_pdf_bytes: int = 20 * MIB
    max_redirects: int = 5
    test_networks: tuple[Network, ...] = ()
    """Networks that tests reach, at any port, although they are not public."""

    @property
    def robot(self) -> str:
        """The name by which a `robots.txt` may address us: the part before the slash."""
        return self.user_agent.partition("/")[0].strip()


def policy_from_settings() -> Policy:
    """Return the policy from the environment. Raises `ImproperlyConfigured`."""
    if settings.FETCH_TEST_NETWORKS and settings.IS_PUBLIC:
        raise ImproperlyConfigured(
            "FETCH_TEST_NETWORKS is only for tests. It must be empty on a public service."
        )
    return Policy(
        user_agent=settings.FETCH_USER_AGENT,
        seconds=settings.FETCH_SECONDS,
        host_pause_seconds=settings.FETCH_HOST_PAUSE_SECONDS,
        max_bytes=settings.FETCH_MAX_BYTES,
        max_pdf_bytes=4 * settings.FETCH_MAX_BYTES,
        test_networks=tuple(ip_network(network) for network in settings.FETCH_TEST_NETWORKS),
    )
