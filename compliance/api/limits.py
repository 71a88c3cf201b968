"""How many requests a caller may send, what an answer says about it, and when it is too many (429).

Anybody has ANONYMOUS_RATE for each client address, a member of staff the same for each person, a partner the
rate that was agreed for each key. Windows are fixed: they begin and end at moments of the clock that differ
between callers, so across an edge a caller may send up to twice the rate. Preflights and unknown addresses
are not counted; everything else is, wrong keys too.

DRF is told of `Limits` in the settings. Where the counters live: `compliance.limits_cache`.
"""

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django_ratelimit.core import get_usage
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from compliance import metrics
from compliance.api.addresses import client_network
from compliance.api.callers import Caller, caller_of

if TYPE_CHECKING:
    # DRF's views import this module, by the settings.
    from rest_framework.views import APIView

GROUP = "api"
"""One limit for all operations."""

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Rate(NamedTuple):
    """So many requests in a window of so many seconds."""

    requests: int
    seconds: int


class Spent(NamedTuple):
    """What a caller has left: of which rate, how many requests, and in how many seconds it begins anew."""

    rate: Rate
    remaining: int
    reset_seconds: int


@functools.lru_cache(maxsize=1024)
def parse_rate(text: str) -> Rate:
    """Read `60/m` or `100/10s`, as django-ratelimit spells it. The settings check the spelling."""
    requests, _, period = text.partition("/")
    return Rate(int(requests), int(period[:-1] or 1) * _SECONDS[period[-1]])


def seconds_left(usage: Mapping[str, Any]) -> int:
    """Return in how many seconds a window of django-ratelimit is over, one at least."""
    # It counts whole seconds, and its window ends after the last of them.
    return max(1, usage["time_left"] + 1)


class Limits(BaseThrottle):
    """Counts a request, has its answer say so, and refuses it where the limit is spent."""

    _reset_seconds = 1

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Tell whether the request is within the limit of its caller."""
        caller = caller_of(request)
        rate = parse_rate(caller.key.rate if caller.key else settings.ANONYMOUS_RATE)
        bucket = _bucket(caller, request._request)
        usage = get_usage(request, group=GROUP, key=lambda *_: bucket, rate=rate, increment=True)
        self._reset_seconds = seconds_left(usage)
        too_many: bool = usage["should_limit"]
        remaining = 0 if too_many else rate.requests - usage["count"]
        view.headers |= limit_headers(Spent(rate, remaining, self._reset_seconds))
        if too_many:
            metrics.RATE_LIMITED.labels(caller.kind).inc()
        return not too_many

    def wait(self) -> float:
        """Return in how many seconds the next request will be let through."""
        return self._reset_seconds


def limit_headers(spent: Spent) -> dict[str, str]:
    """Return what an answer says about the limit (draft-ietf-httpapi-ratelimit-headers, version 6)."""
    return {
        "RateLimit-Limit": str(spent.rate.requests),
        "RateLimit-Remaining": str(spent.remaining),
        "RateLimit-Reset": str(spent.reset_seconds),
        "RateLimit-Policy": f"{spent.rate.requests};w={spent.rate.seconds}",
    }


def _bucket(caller: Caller, request: HttpRequest) -> str:
    """Return whose requests are counted together. It is hashed with the rate and the window behind it."""
    who = client_network(request) if caller.kind == "anonymous" else caller.name
    return f"{caller.kind} {who} "
