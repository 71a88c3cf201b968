"""The limit of watches that one caller may make.

Called by the page of a trip, and by the API for callers without a key.
"""

from django.conf import settings
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from compliance.limits.addresses import client_network
from compliance.limits.rates import parse_rate, seconds_left
from compliance.operations import metrics


def too_many(request: HttpRequest) -> int:
    """Count a new watch; return in how many seconds it may be made, or 0 for now."""
    usage = get_usage(
        request,
        group="watches",
        key=lambda *_: client_network(request),
        rate=parse_rate(settings.WATCH_RATE),
        increment=True,
    )
    if not usage["should_limit"]:
        return 0
    metrics.RATE_LIMITED.labels("watch").inc()
    return seconds_left(usage)
