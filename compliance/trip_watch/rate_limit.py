"""The limit of watches that one caller may make.

Called by the form of a trip or an itinerary, and by the API for callers without a key.
"""

from django.conf import settings
from django.http import HttpRequest

from compliance.limits.counting import count_address
from compliance.limits.rates import parse_rate, seconds_left
from compliance.operations import metrics


def too_many(request: HttpRequest) -> int:
    """Count a new watch; return in how many seconds it may be made, or 0 for now."""
    usage = count_address(request, "watches", parse_rate(settings.WATCH_RATE))
    if not usage["should_limit"]:
        return 0
    metrics.RATE_LIMITED.labels("watch").inc()
    return seconds_left(usage)
