"""How much an address may read: pages, lists, feeds, datasets, sitemaps and files, in all forms.

An answer counts as one request, and a large one as more (READING_RATE). The web processes of a machine count
together in memory (`compliance.limits.shared`), also if there is a Redis: a page from the cache must not wait
for it. Called by the middleware of pages.
"""

import functools

from django.conf import settings
from django.http import HttpRequest

from compliance.limits import shared
from compliance.limits.addresses import client_network, larger_network
from compliance.limits.cache import Counters
from compliance.limits.counting import LARGER
from compliance.limits.rates import parse_rate
from compliance.limits.shared import SharedCounters
from compliance.operations import metrics

BYTES_OF_ONE = 128 * 1024
"""So many bytes of an answer count as one more request."""


@functools.cache
def _counters() -> Counters | SharedCounters:
    """Return the counters of this machine, or of this process if it has begun alone."""
    return shared.of_machine() or Counters()


def seconds_to_wait(request: HttpRequest) -> int | None:
    """Count a request. If it exceeds the limit, return after how many seconds to read again."""
    wait = _count(request, 1)
    if wait is not None:
        metrics.RATE_LIMITED.labels("reading").inc()
    return wait


def count_bytes(request: HttpRequest, sent: int) -> None:
    """Count what an answer costs in addition, by its bytes."""
    if more := sent // BYTES_OF_ONE:
        _count(request, more)


def _count(request: HttpRequest, requests: int) -> int | None:
    """Count so many requests; return the seconds until the end of a window that is used up."""
    rate = parse_rate(settings.READING_RATE)
    network = client_network(request)
    if _increased(network, requests, rate.seconds) > rate.requests:
        return _counters().seconds_left(_name(network)) or 1
    larger = larger_network(network)
    if larger is not None and _increased(larger, requests, rate.seconds) > rate.requests * LARGER:
        return _counters().seconds_left(_name(larger)) or 1
    return None


def _name(network: str) -> str:
    """Return the name of a counter in a table that other limits share."""
    return f"reading {network}"


def _increased(network: str, requests: int, seconds: int) -> int:
    """Return the count of a network in its present window, which begins with its first request."""
    if _counters().add(_name(network), requests, seconds):
        return requests
    try:
        return _counters().increase(_name(network), requests)
    except ValueError:
        # The window ended in this moment.
        return requests
