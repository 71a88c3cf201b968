"""How many requests a caller may send, the headers about it, and the error for too many (429).

An anonymous caller has ANONYMOUS_RATE for each client address, a member of staff the same for each person,
and a partner the agreed rate for each of its live keys; one that is made in place of an ended one continues
its window. Windows are fixed: they begin and end at times that differ between callers. So around the end of a
window a caller may send up to twice the rate. Preflights and unknown addresses are not counted; all other
requests are, also those with wrong keys. A batch counts as many requests as its questions do, and an
itinerary as many as its size makes it.

Called by `views` and `compliance.channels.mcp`. The counters are in `compliance.limits.cache`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from compliance.api.protocol.callers import Caller
from compliance.api.protocol.errors import ApiError, Suggestion
from compliance.limits.cache import weighing
from compliance.limits.counting import count_address
from compliance.limits.rates import Rate, parse_rate, seconds_left
from compliance.operations import metrics

GROUP = "api"
"""One limit for all operations of the service."""


class Spent(NamedTuple):
    """What a caller has left: the rate, the number of requests, and the seconds until it starts again.

    `group` names the limit. `remaining` is -1 for the request that is one too many.
    """

    group: str
    rate: Rate
    remaining: int
    reset_seconds: int


def rate_of(caller: Caller) -> str:
    """Return how often a caller may ask the service."""
    return caller.key.rate if caller.key else str(settings.ANONYMOUS_RATE)


def count(request: HttpRequest, caller: Caller, requests: int = 1, *, group: str, allowed: str) -> Spent:
    """Count a request of a caller, or so many at once, and return what is left of the allowed rate.

    Requests of one group are counted together. `remaining` is below 0 if there are too many.
    """
    rate = parse_rate(allowed)
    if requests == 1:
        usage = _usage(request, caller, group, rate)
    else:
        with weighing(requests):
            usage = _usage(request, caller, group, rate)
    if usage["should_limit"]:
        metrics.RATE_LIMITED.labels(caller.kind).inc()
    remaining = -1 if usage["should_limit"] else rate.requests - usage["count"]
    return Spent(group, rate, remaining, seconds_left(usage))


def _usage(request: HttpRequest, caller: Caller, group: str, rate: Rate) -> Mapping[str, Any]:
    if caller.kind == "anonymous":
        return count_address(request, group, rate)
    who = f"{caller.kind} {caller.key.counted_as if caller.key else caller.name} "
    usage: Mapping[str, Any] = get_usage(request, group=group, key=lambda *_: who, rate=rate, increment=True)
    return usage


def check(spent: Spent) -> None:
    """Accept a request within the limit. Raises `ApiError`, which says when to try again."""
    if spent.remaining < 0:
        raise ApiError("RATE_LIMITED", headers={"Retry-After": str(spent.reset_seconds)})


def check_more(spent: Spent, caller: Caller, requests: int) -> None:
    """Accept so many requests in addition to the counted one, if that many are left.

    Raises `ApiError`: it never does or counts only a part. What no window has room for is told to send less,
    because no waiting helps.
    """
    if requests <= spent.remaining:
        return
    metrics.RATE_LIMITED.labels(caller.kind).inc()
    limit, whole = spent.rate.requests, requests + 1
    window = f"{limit} in {spent.rate.seconds} seconds"
    if whole > limit:
        more = "a partner key" if caller.kind == "anonymous" else "a higher limit"
        raise ApiError(
            "BATCH_EXCEEDS_LIMIT",
            f"This counts as {whole} requests, and your limit is {window}. Nothing was answered.",
            suggested=Suggestion(
                "send_less", f"Ask for less at a time, at most for {limit} requests, or ask for {more}."
            ),
        )
    raise ApiError(
        "RATE_LIMITED",
        f"This counts as {whole} requests, and {spent.remaining + 1} of {window} are left. Nothing was "
        "answered.",
        headers={"Retry-After": str(spent.reset_seconds)},
    )


def limit_headers(spent: Spent) -> dict[str, str]:
    """Return the headers about the limit (draft-ietf-httpapi-ratelimit-headers-11).

    The three fields of version 6 of that draft are sent too, because many clients read them.
    """
    remaining = max(0, spent.remaining)
    return {
        "RateLimit-Policy": f'"{spent.group}";q={spent.rate.requests};w={spent.rate.seconds}',
        "RateLimit": f'"{spent.group}";r={remaining};t={spent.reset_seconds}',
        "RateLimit-Limit": str(spent.rate.requests),
        "RateLimit-Remaining": str(remaining),
        "RateLimit-Reset": str(spent.reset_seconds),
    }
