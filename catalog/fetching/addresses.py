"""Which addresses of the internet may be reached: only those that anyone in the world can reach.

Pure. An address that is not known to be public is not public: of IPv6, only global unicast (2000::/3) without
its special parts is public; of IPv4, everything but the special networks. The tables follow the
special-purpose registries of IANA (RFC 6890 and its successors). They are stricter if an entry is of no use
for a web page, and contain the addresses of clouds' metadata services. Called by `connecting`, for every
address before it is connected to.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

SPECIAL_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network; on many systems 0.0.0.0 is this machine
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind carriers' NAT; metadata of Alibaba
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # metadata of Azure, in public space
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; metadata of Oracle
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)

GLOBAL_IPV6 = IPv6Network("2000::/3")
SPECIAL_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which contains an address of IPv4
        "2620:4f:8000::/48",  # AS112
        "3ffe::/16",  # 6bone, returned
        "3fff::/20",  # documentation
    )
)

NAT64 = IPv6Network("64:ff9b::/96")
"""The well-known prefix by which networks without IPv4 reach it: the last 32 bits are the address."""

ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""The upper half of an interface identifier whose lower half is an address of IPv4 (RFC 5214)."""


def is_public(address: Address) -> bool:
    """Return whether an address may be reached."""
    if isinstance(address, IPv4Address):
        return address.is_global and not any(address in network for network in SPECIAL_IPV4)
    # A zone names an interface of this machine.
    if address.scope_id is not None:
        return False
    bits = int(address)
    if address in NAT64:
        return is_public(IPv4Address(bits & 0xFFFF_FFFF))
    return (
        address in GLOBAL_IPV6
        and address.is_global
        and not any(address in network for network in SPECIAL_IPV6)
        and (bits >> 32) & 0xFFFF_FFFF not in ISATAP
    )


SPECIAL_NAMES = frozenset(
    (
        *("alt", "arpa", "internal", "invalid", "local", "localhost", "onion", "test"),
        *("corp", "home", "intranet", "lan", "localdomain", "mail", "private"),
    )
)
"""Last labels of names that never lead to the public internet.

The first line has those that are reserved (RFC 6761 and its registry; `home.arpa` is of RFC 8375), the second
those that private networks use as if they were (RFC 6762, appendix G). `example` leads nowhere at all.
"""

# Looked for at each place, because the numbers before an address may look like one.
_SPELLED_IN_A_NAME = re.compile(rf"(?<![0-9a-z])(?={'[.-]'.join(['([0-9]{1,3})'] * 4)}(?![0-9a-z]))")


def is_special_name(host: str) -> bool:
    """Return whether a name says of itself that it leads inside, before it is looked up.

    It ends in a special name, or it spells an address that is not public, as `127.0.0.1.nip.io` does. Where a
    name really leads is known, and checked, when it is connected to.
    """
    if host.lower().rstrip(".").rpartition(".")[2] in SPECIAL_NAMES:
        return True
    spelled = (literal(".".join(numbers)) for numbers in _SPELLED_IN_A_NAME.findall(host))
    return any(address is not None and not is_public(address) for address in spelled)


def is_within(address: Address, networks: Sequence[Network]) -> bool:
    """Return whether an address, as it is written, is in one of the networks."""
    return getattr(address, "scope_id", None) is None and any(address in network for network in networks)


def literal(host: str) -> Address | None:
    """Return the address of a host, or None if the host is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
