"""Which addresses may be reached: none that is special, in whatever spelling."""

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.fetching.addresses import is_public, is_special_name, is_within

# The special-purpose registries of IANA and the allocations beside them, and what the standard library knows.
# fmt: off
SPECIAL_IPV4 = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.0.8/32", "192.0.0.170/31", "192.0.2.0/24", "192.31.196.0/24",
        "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "233.252.0.0/24", "240.0.0.0/4",
        "255.255.255.255/32",
    )
]
SPECIAL_IPV4 += ipaddress._IPv4Constants._private_networks  # type: ignore[attr-defined]

SPECIAL_IPV6 = [
    IPv6Network(network)
    for network in (
        "::1/128", "::/128", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b:1::/48", "100::/64",
        "100:0:0:1::/64", "2001::/23", "2001::/32", "2001:1::1/128", "2001:2::/48", "2001:3::/32",
        "2001:4:112::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16",
        "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fd00:ec2::/32", "fe80::/10",
        "fec0::/10", "ff00::/8", "4000::/3", "8000::/1",
    )
]
SPECIAL_IPV6 += ipaddress._IPv6Constants._private_networks  # type: ignore[attr-defined]
# fmt: on

METADATA = [
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::a9fe:a9fe",
]


def within(network: IPv4Network | IPv6Network) -> st.SearchStrategy[int]:
    first = int(network.network_address)
    return st.integers(first, first + network.num_addresses - 1)


special_ipv4 = st.sampled_from(SPECIAL_IPV4).flatmap(within).map(IPv4Address)
special_ipv6 = st.sampled_from(SPECIAL_IPV6).flatmap(within).map(IPv6Address)


def disguises(address: IPv4Address) -> dict[str, IPv6Address]:
    """Return the forms in which IPv6 carries an address of IPv4."""
    bits = int(address)
    return {
        "compatible": IPv6Address(bits),
        "mapped": IPv6Address(0xFFFF << 32 | bits),
        "translated": IPv6Address(0xFFFF << 48 | bits),
        "NAT64": IPv6Address(int(IPv6Address("64:ff9b::")) | bits),
        "NAT64 of a network of one's own": IPv6Address(int(IPv6Address("64:ff9b:1::")) | bits),
        "6to4": IPv6Address(0x2002 << 112 | bits << 80 | 1),
        "Teredo, as server": IPv6Address(0x2001 << 112 | bits << 64),
        "Teredo, as client": IPv6Address(0x2001 << 112 | bits ^ 0xFFFF_FFFF),
        "ISATAP": IPv6Address(int(IPv6Address("2606:4700::5efe:0:0")) | bits),
        "ISATAP of a public address": IPv6Address(int(IPv6Address("2606:4700::200:5efe:0:0")) | bits),
    }


@given(special_ipv4)
def test_no_special_address_is_reached_plainly_or_within_ipv6(address: IPv4Address) -> None:
    assert not is_public(address)
    assert [name for name, disguised in disguises(address).items() if is_public(disguised)] == []


@given(special_ipv6)
def test_no_special_address_of_ipv6_is_reached(address: IPv6Address) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", METADATA)
def test_no_metadata_of_clouds_is_reached(address: str) -> None:
    assert not is_public(ip_address(address))


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_what_is_reached_is_global_to_everyone(address: IPv4Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved
        assert not address.is_private


@given(st.integers(0, 2**128 - 1).map(IPv6Address) | special_ipv6)
def test_what_is_reached_of_ipv6_is_global_to_everyone(address: IPv6Address) -> None:
    if is_public(address):
        assert address.is_global
        assert address in IPv6Network("2000::/3")
        assert address.ipv4_mapped is None
        assert address.sixtofour is None
        assert address.teredo is None


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"],
)
def test_public_addresses_are_reached(address: str) -> None:
    assert is_public(ip_address(address))


def test_a_public_address_is_reached_through_nat64_and_in_no_other_disguise() -> None:
    reached = [name for name, form in disguises(IPv4Address("8.8.8.8")).items() if is_public(form)]
    assert reached == ["NAT64"]


def test_no_address_with_a_zone_is_reached() -> None:
    assert is_public(ip_address("2606:4700::1111"))
    assert not is_public(ip_address("2606:4700::1111%eth0"))


def test_test_networks_hold_an_address_only_as_it_is_spelled() -> None:
    networks = [ip_network("127.0.1.0/24"), ip_network("fe80::/10")]
    assert is_within(ip_address("127.0.1.9"), networks)
    assert not is_within(ip_address("127.0.2.9"), networks)
    assert not is_within(ip_address("::ffff:127.0.1.9"), networks)
    assert not is_within(ip_address("fe80::1%eth0"), networks)


@pytest.mark.parametrize(
    "name",
    [
        "hooks.internal",
        "metadata.google.internal",
        "printer.local",
        "printer.LOCAL.",
        "a.localhost",
        "nas.home.arpa",
        "1.0.0.127.in-addr.arpa",
        "shop.onion",
        "server.corp",
        "router.lan",
        "127.0.0.1.nip.io",
        "hook.10-0-0-7.sslip.io",
        "1.127.0.0.1.nip.io",
        "ip-172-16-0-9.cloud.example",
        "169.254.169.254.xip.example",
    ],
)
def test_a_name_that_leads_inside_says_so_before_it_is_looked_up(name: str) -> None:
    assert is_special_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "hooks.acme.example",
        "internal.acme.com",
        "local.host",
        "ec2-8-8-8-8.compute.example",
        "1.1.1.1.nip.io",
        "v1.2.3.acme.com",
        "2026-11-28-10.acme.com",
        "300.1.1.1.acme.com",
    ],
)
def test_a_name_of_the_public_internet_is_no_special_one(name: str) -> None:
    assert not is_special_name(name)
