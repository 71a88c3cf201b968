"""How many questions an address may ask on pages. Called by the pages of the checker and by frames."""

from django.conf import settings
from django.http import HttpRequest

from compliance.limits.counting import count_address
from compliance.limits.rates import parse_rate, seconds_left
from compliance.operations import metrics


def seconds_to_wait(request: HttpRequest) -> int | None:
    """Count a question on a page. If it exceeds the limit, return after how many seconds to ask again."""
    usage = count_address(request, "pages", parse_rate(settings.PAGES_RATE))
    if not usage["should_limit"]:
        return None
    metrics.RATE_LIMITED.labels("page").inc()
    return seconds_left(usage)
