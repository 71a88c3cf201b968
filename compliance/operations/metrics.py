"""The metrics of operators, counted at the place of the event; `GET /metrics` shows them.

The web server gives its workers a shared folder (`PROMETHEUS_MULTIPROC_DIR`), so each of them reports for
all. Data in the database or in Redis is not counted here: it is looked up at each request for the metrics
(`compliance.health.prometheus`). `compliance.health.views` answers `GET /metrics`. `docs/operations.md` says
what each metric is for.
"""

import functools

from prometheus_client import Counter, Gauge, Histogram

from rules.engine.vocabulary import Verdict

LATENCY_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds. Most verdicts take one or two milliseconds, most pages some more."""

LATENCY = Histogram(
    "compliance_request_seconds",
    "Answers to all requests, and the time until the service began to send each.",
    ["route", "status"],
    buckets=LATENCY_BUCKETS,
)
VERDICTS = Counter("compliance_verdicts", "Verdicts given.", ["kind", "verdict", "channel"])
RATE_LIMITED = Counter("compliance_rate_limited", "Requests refused because a limit was reached.", ["caller"])
LIMITS_ALONE = Gauge(
    "compliance_limits_without_redis",
    "Processes that count requests without Redis because it does not answer.",
    multiprocess_mode="livesum",
)
LIMITS_OUTAGES = Counter("compliance_limits_outages", "How often a process got no answer from its Redis.")
VERDICTS_NOT_RECORDED = Counter(
    "compliance_verdicts_not_recorded", "Verdicts that could not be written to the log.", ["then"]
)
VERDICT_LINES_UNREADABLE = Counter(
    "compliance_verdict_lines_unreadable", "Incomplete lines of the verdict log."
)


def count_answer(route: str, status: int, seconds: float) -> None:
    """Count an answer and its time. `route` is one of a fixed set of names."""
    _latency(route, status).observe(seconds)


def count_verdict(kind: str, verdict: Verdict, channel: str, times: int = 1) -> None:
    """Count a verdict of a `leg`, `trip` or `itinerary`, by `api`, on a `page` or to an agent (`mcp`)."""
    _verdicts(kind, verdict, channel).inc(times)


# Finding a child by its labels costs more than counting with it.
@functools.cache
def _latency(route: str, status: int) -> Histogram:
    return LATENCY.labels(route, status)


@functools.cache
def _verdicts(kind: str, verdict: Verdict, channel: str) -> Counter:
    return VERDICTS.labels(kind, verdict, channel)
