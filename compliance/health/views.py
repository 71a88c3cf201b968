"""`/healthz`: this process answers. `/readyz`: it may receive requests, with its state.

These two are for probes of load balancers and for people; `/metrics` is for Prometheus on this machine alone.
None counts against a limit.
"""

import ipaddress
import os
from http import HTTPStatus

import msgspec
from django.conf import settings
from django.db import Error as DatabaseFailure
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from aeo.web.parameters import takes_any
from compliance.health import facts
from compliance.health.prometheus import Facts
from compliance.health.readiness import Readiness, readiness
from rules import corpus

NOT_KEPT = {"Cache-Control": "no-store"}

# A request with one of these headers is forwarded for a client, who may be anywhere.
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
@takes_any
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer without asking anything."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8", headers=NOT_KEPT)


@require_safe
@takes_any
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 while verdicts can be given, and 503 otherwise."""
    found = _readiness()
    return HttpResponse(
        msgspec.json.format(msgspec.json.encode(found)) + b"\n",
        status=HTTPStatus.SERVICE_UNAVAILABLE if found.status == "unavailable" else HTTPStatus.OK,
        content_type="application/json",
        headers=NOT_KEPT,
    )


@require_safe
@takes_any
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer a program on this machine that asks directly; all others get a 404."""
    if not _is_local(request):
        raise Http404
    counted = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    looked_up = CollectorRegistry()
    looked_up.register(Facts())
    return HttpResponse(
        generate_latest(counted) + generate_latest(looked_up),
        content_type=CONTENT_TYPE_LATEST,
        headers=NOT_KEPT,
    )


def _is_local(request: HttpRequest) -> bool:
    if not _FORWARDED.isdisjoint(request.META):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _readiness() -> Readiness:
    database = facts.database.facts()
    if database is not None and corpus.status().release is None:
        # This process has not been asked yet.
        _load()
    return readiness(
        corpus.status(),
        database,
        facts.redis.facts() if facts.uses_redis() else None,
        facts.records.facts(),
        now=timezone.now(),
        uses_redis=facts.uses_redis(),
        watches=settings.WATCH_SOURCES,
        follows=settings.CORPUS_POLL_SECONDS > 0,
    )


def _load() -> None:
    try:
        corpus.current()
    except (corpus.CorpusUnavailable, DatabaseFailure):
        # The readiness reports it.
        return
