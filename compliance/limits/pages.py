"""How many questions an address may ask on pages. Called by the pages of the checker and by frames."""

from django.conf import settings
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from compliance.limits.addresses import client_network
from compliance.limits.rates import parse_rate, seconds_left
from compliance.operations import metrics


def seconds_to_wait(request: HttpRequest) -> int | None:
    """Count a question on a page. If it exceeds the limit, return after how many seconds to ask again."""
    bucket = client_network(request)
    usage = get_usage(
        request,
        group="pages",
        key=lambda *_: bucket,
        rate=parse_rate(settings.PAGES_RATE),
        increment=True,
    )
    if not usage["should_limit"]:
        return None
    metrics.RATE_LIMITED.labels("page").inc()
    return seconds_left(usage)
