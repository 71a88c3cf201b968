"""Rates, and how long a window lasts. Called by all code that counts requests."""

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Rate(NamedTuple):
    """A number of requests in a window of so many seconds."""

    requests: int
    seconds: int


@functools.lru_cache(maxsize=1024)
def parse_rate(text: str) -> Rate:
    """Read `60/m` or `100/10s`, as django-ratelimit writes it. The settings check the form."""
    requests, _, period = text.partition("/")
    return Rate(int(requests), int(period[:-1] or 1) * _SECONDS[period[-1]])


def seconds_left(usage: Mapping[str, Any]) -> int:
    """Return in how many seconds a window of django-ratelimit ends, at least one."""
    # It counts whole seconds, and its window ends after the last of them.
    return max(1, usage["time_left"] + 1)
