"""OpenTelemetry: where a request, a verdict or a job spends its time.

It is on if OTEL_EXPORTER_OTLP_ENDPOINT is set, by the settings and `compliance.apps`; otherwise nothing
imports this module. Spans are made here and not by instrumentations, which send parts of requests: ours name
the route, the operation and the outcome. They never contain an address, query string, header, body, key of
Redis, statement of SQL, value or message of an exception. Traces begin here: trace headers of callers are not
read.

The standard variables of OpenTelemetry apply as well, such as OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER.
"""

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from celery.signals import task_postrun, task_prerun
from django.db.backends.signals import connection_created
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from redis.client import Pipeline, Redis

from compliance.operations.accounting import method_of, request_id, route_of
from rules import verdicts

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")

_tracer = trace.get_tracer("compliance")

_verdict_due = ContextVar("verdict_due", default=False)
"""Whether the next verdict gets a span. Only the first of a request does, since a batch has a thousand."""


def begin() -> None:
    """Send spans from now on, in batches and by a thread of each process."""
    # The SDK reads its variables itself.
    os.environ.setdefault("OTEL_SERVICE_NAME", "battery-travel-compliance")
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    verdicts.answer_from = _judging(verdicts.answer_from)
    verdicts.trip_answer_from = _judging(verdicts.trip_answer_from)
    connection_created.connect(_watch_queries)
    Redis.execute_command = _asking_redis(Redis.execute_command)  # type: ignore[method-assign]
    Pipeline.execute = _asking_redis(Pipeline.execute)  # type: ignore[method-assign]
    task_prerun.connect(_begin_job)
    task_postrun.connect(_end_job)


class RequestSpans:
    """A span for each request, outside all other middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        _verdict_due.set(True)
        with _span("request", SpanKind.SERVER) as span:
            response = self.get_response(request)
            route, method = route_of(request), method_of(request)
            span.update_name(f"{method} {route}")
            span.set_attribute("http.request.method", method)
            span.set_attribute("http.route", route)
            span.set_attribute("http.response.status_code", response.status_code)
            span.set_attribute("compliance.request_id", request_id(request))
            if response.status_code >= 500:
                span.set_status(Status(StatusCode.ERROR))
            return response


@contextlib.contextmanager
def _span(name: str, kind: SpanKind = SpanKind.INTERNAL) -> Iterator[Span]:
    """Time the code inside. Of an exception only its type is sent."""
    with _tracer.start_as_current_span(
        name, kind=kind, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except Exception as error:
            span.set_status(Status(StatusCode.ERROR))
            span.set_attribute("error.type", type(error).__qualname__)
            raise


def _is_traced() -> bool:
    """Say whether this is part of a trace: threads that check something twice a second are not."""
    return trace.get_current_span().get_span_context().is_valid


def _judging(judge: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    @functools.wraps(judge)
    def judged(*given: Arguments.args, **named: Arguments.kwargs) -> Returned:
        if not _verdict_due.get():
            return judge(*given, **named)
        _verdict_due.set(False)
        with _span("verdict") as span:
            answer: Any = judge(*given, **named)
            span.set_attribute("compliance.verdict", str(answer.outcome.verdict))
            span.set_attribute("compliance.ruleset_version", answer.release.ruleset_version)
            return answer

    return judged


def _watch_queries(connection: Any = None, **sent: Any) -> None:
    if _query not in connection.execute_wrappers:
        connection.execute_wrappers.append(_query)


def _query(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    if not _is_traced():
        return execute(sql, params, many, context)
    # Only the first word: the rest may contain values.
    words = str(sql).split(maxsplit=1)
    with _span(words[0].upper() if words else "query", SpanKind.CLIENT) as span:
        span.set_attribute("db.system.name", "postgresql")
        return execute(sql, params, many, context)


def _asking_redis(ask: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(ask)
    def asked(client: Any, *command: Any, **options: Any) -> Any:
        if not _is_traced():
            return ask(client, *command, **options)
        name = command[0] if command and isinstance(command[0], str) else "PIPELINE"
        with _span(name, SpanKind.CLIENT) as span:
            span.set_attribute("db.system.name", "redis")
            return ask(client, *command, **options)

    return asked


def _begin_job(task: Any = None, **sent: Any) -> None:
    span = _span(f"job {task.name}", SpanKind.CONSUMER)
    task.request.compliance_span = span, span.__enter__()


def _end_job(task: Any = None, state: str | None = None, **sent: Any) -> None:
    manager, span = task.request.compliance_span
    if state == "FAILURE":
        span.set_status(Status(StatusCode.ERROR))
    manager.__exit__(None, None, None)
