"""Whom a limit counts together: nobody can choose, or forge, a way out of it."""

import ipaddress

import pytest
from django.conf import LazySettings
from django.test import RequestFactory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.limits.addresses import NO_ADDRESS, client_network


def network(peer: str, forwarded: str | None = None) -> str:
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    return client_network(RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer))


def test_without_trusted_proxies_the_header_is_not_believed() -> None:
    assert network("192.0.2.1", "203.0.113.9") == network("192.0.2.1") == "192.0.2.1"


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:c000:201", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_ipv4_counts_by_address_and_ipv6_by_network(one: str, other: str, together: bool) -> None:
    assert (network(one) == network(other)) == together


@pytest.mark.parametrize("peer", ["", "unix:", "/run/gunicorn.sock"])
def test_who_comes_by_a_unix_socket_is_counted_all_the_same(peer: str) -> None:
    assert network(peer) == NO_ADDRESS


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "198.51.100.1,203.0.113.9,10.0.0.2", "203.0.113.9"),
        (1, "203.0.113.9:51234", "203.0.113.9"),
        (1, "[2001:db8::9]:443", "2001:db8::/64"),
        (1, "[2001:db8::9]", "2001:db8::/64"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        # What is missing or no address counts for the proxy that called us.
        (1, None, "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "203.0.113.9, unknown", "192.0.2.1"),
        (1, "203.0.113.9, ", "192.0.2.1"),
        (1, "203.0.113.9, _hidden, 203.0.113.256", "192.0.2.1"),
        (2, "203.0.113.9", "192.0.2.1"),
        (3, "203.0.113.9, 10.0.0.2", "192.0.2.1"),
    ],
)
def test_the_entry_of_the_outermost_trusted_proxy_counts(
    settings: LazySettings, proxies: int, forwarded: str | None, client: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert network("192.0.2.1", forwarded) == client


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    forged=st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=60),
    client=st.ip_addresses(),
    between=st.lists(st.ip_addresses(), max_size=3),
)
def test_nothing_that_a_client_sends_changes_where_it_is_counted(
    settings: LazySettings,
    forged: str,
    client: ipaddress.IPv4Address | ipaddress.IPv6Address,
    between: list[ipaddress.IPv4Address],
) -> None:
    """Each proxy appends whom it was called by: the first of them the client, the next the proxy before."""
    settings.TRUSTED_PROXIES = 1 + len(between)
    appended = ", ".join(str(address) for address in [client, *between])
    assert network("192.0.2.1", f"{forged}, {appended}") == network("192.0.2.1", appended)
