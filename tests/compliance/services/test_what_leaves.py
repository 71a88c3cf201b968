"""Spans and reports of errors leave this machine where somebody asked for them, without what is private."""

import gzip
import http.server
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from compliance.partners.keys import make_key
from compliance.services import embedded
from compliance.services.redis import Redis
from tests.support.processes import Start
from tests.support.web_server import VALID, VERIFY, Server, serve_starter

SERIAL = "57VQX8GKPZR2M4"
KEY = make_key().reveal()
ADDRESS = "203.0.113.77"
UNPACKED = {"identity": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
PLANTED = (SERIAL, KEY, KEY.rpartition("_")[2][:20], ADDRESS, "planted-agent")


class Collector:
    """Something on this machine that takes what is sent to it."""

    def __init__(self) -> None:
        self.bodies: list[tuple[str, bytes]] = []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                unpack = UNPACKED[self.headers.get("Content-Encoding", "identity")]
                collector.bodies.append((self.path, unpack(body)))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *parts: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_port}"

    def sent_to(self, ending: str) -> list[bytes]:
        return [body for path, body in self.bodies if path.endswith(ending)]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever)
    thread.start()
    yield collector
    collector.server.shutdown()
    thread.join()
    collector.server.server_close()


def ask_with_everything(server: Server) -> set[int]:
    """Send what is private wherever it can be; return the statuses."""
    planted = {"X_Forwarded_For": ADDRESS, "User_Agent": "planted-agent", "X_Planted": SERIAL}
    asked = VALID | {"serial": SERIAL}
    return {
        server.ask("POST", VERIFY, asked, **planted).status,
        server.ask("POST", f"{VERIFY}?x={SERIAL}", asked, **planted).status,
        server.ask("POST", VERIFY, asked | {"model_id": "anker-a1263"}, **planted).status,
        server.ask("POST", VERIFY, asked | {SERIAL: SERIAL}, **planted).status,
        server.ask("GET", f"/api/recalls?serial={SERIAL}", **planted).status,
        server.ask("GET", f"/{SERIAL}?serial={SERIAL}", **planted).status,
        server.ask("GET", f"/{SERIAL}", **planted).status,
        server.ask("GET", "/api/rules", x_service_key=KEY, **planted).status,
        server.ask("GET", "/api/rules", Authorization=f"Bearer {KEY}", **planted).status,
        server.ask("GET", f"/admin/?x={SERIAL}", Cookie=f"sessionid={SERIAL}", **planted).status,
    }


def test_spans_and_reports_tell_what_happened_and_nothing_private(
    start: Start, redis: Redis, tmp_path: Path, collector: Collector
) -> None:
    server = serve_starter(
        start,
        tmp_path,
        "tests.compliance.services.failing_server",
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://{collector.address}",
        OTEL_BSP_SCHEDULE_DELAY="200",
        SENTRY_DSN=f"http://public@{collector.address}/1",
        REDIS_URL=redis.url,
        TRUSTED_PROXIES="1",
    )
    assert ask_with_everything(server) >= {200, 400, 404, 500}
    # What waits is sent when a process ends.
    server.stop()
    names = names_of(collector)
    assert {"POST /api/verify", "GET /api/recalls", "GET (none)", "verdict"} <= names
    # The limits are counted in Redis.
    assert names & {"EVALSHA", "SET"}
    reports = b"".join(collector.sent_to("/envelope/"))
    assert b"LookupError" in reports
    assert b"ValueError" in reports
    assert b"failing_server.py" in reports
    for path, body in collector.bodies:
        for private in PLANTED:
            assert private.encode() not in body, path


def names_of(collector: Collector) -> set[str]:
    """Return the names of all spans that came."""
    requests = [ExportTraceServiceRequest.FromString(body) for body in collector.sent_to("/v1/traces")]
    return {
        span.name
        for request in requests
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    }


def test_a_collector_that_is_away_keeps_no_answer_back(start: Start, tmp_path: Path) -> None:
    server = serve_starter(
        start,
        tmp_path,
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        SENTRY_DSN="http://public@127.0.0.1:9/1",
    )
    assert [server.verify().status for _ in range(5)] == [200] * 5
    server.stop()


def test_where_no_one_asked_neither_is_even_imported(bare_environment: dict[str, str]) -> None:
    # The client of Redis looks by itself whether OpenTelemetry is installed.
    senders = (
        "compliance.operations.tracing",
        "compliance.operations.error_reports",
        "opentelemetry.exporter",
        "sentry_sdk",
    )
    program = (
        "import sys, django; django.setup(); import compliance.wsgi; "
        f"print([name for name in sys.modules if name.startswith({senders})])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        cwd=embedded.REPOSITORY,
        env=bare_environment
        | {
            "DJANGO_SETTINGS_MODULE": "compliance.settings",
            "DATABASE_URL": "postgresql://127.0.0.1:1/none",
            "SECRET_KEY": "only-for-tests",
            "VERDICT_KEY": "only-for-tests",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "[]"
