"""What operators watch, for Prometheus: GET /metrics tells it to this machine alone.

The web server gives its workers a folder in common (`PROMETHEUS_MULTIPROC_DIR`), so whichever of them answers
tells of all. Counted by `compliance.middleware`, `compliance.api.limits` and `compliance.limits_cache`.
"""

import ipaddress
import os

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

ANSWERS = Counter("compliance_answers", "Answers to requests of any kind.", ["status"])
RATE_LIMITED = Counter("compliance_rate_limited", "Requests refused because a limit was spent.", ["caller"])
LIMITS_ALONE = Gauge(
    "compliance_limits_without_redis",
    "Processes that count requests by themselves, because their Redis does not answer.",
    multiprocess_mode="livesum",
)
LIMITS_OUTAGES = Counter("compliance_limits_outages", "How often a process found its Redis not answering.")
VERDICTS_NOT_RECORDED = Counter(
    "compliance_verdicts_not_recorded", "Verdicts that the log could not take.", ["then"]
)
VERDICT_LINES_UNREADABLE = Counter(
    "compliance_verdict_lines_unreadable", "Lines of the verdict log that broke off."
)

# Whoever sends one of these speaks for somebody else, who may be anywhere.
_FORWARDED = frozenset(
    {
        "HTTP_FORWARDED",
        "HTTP_VIA",
        "HTTP_X_FORWARDED_FOR",
        "HTTP_X_FORWARDED_HOST",
        "HTTP_X_FORWARDED_PROTO",
        "HTTP_X_REAL_IP",
    }
)


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Answer a program on this machine that asks directly; for all others there is nothing here."""
    if not _is_local(request):
        raise Http404
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    return HttpResponse(
        generate_latest(registry), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )


def _is_local(request: HttpRequest) -> bool:
    if not _FORWARDED.isdisjoint(request.META):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
