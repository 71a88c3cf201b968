"""Counting the requests of one address: those of its network, and for IPv6 also those of the larger network.

Whoever rents a /48 has 65,536 networks of one connection each, and would escape a limit by changing them.
"""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django_ratelimit.core import get_usage

from compliance.limits.addresses import client_network, larger_network
from compliance.limits.rates import Rate

LARGER = 16
"""How many times the rate of one connection the larger network has, such as that of an office."""


def count_address(request: HttpRequest, group: str, rate: Rate) -> Mapping[str, Any]:
    """Count a request, and return the usage of django-ratelimit: that of the network that has no more left.

    Requests of one group are counted together.
    """
    network = client_network(request)
    usage = _count(request, group, network, rate)
    larger = larger_network(network)
    if larger is None or usage["should_limit"]:
        return usage
    of_larger = _count(request, group, larger, Rate(rate.requests * LARGER, rate.seconds))
    return of_larger if of_larger["should_limit"] else usage


def _count(request: HttpRequest, group: str, bucket: str, rate: Rate) -> Mapping[str, Any]:
    usage: Mapping[str, Any] = get_usage(
        request, group=group, key=lambda *_: bucket, rate=rate, increment=True
    )
    return usage
