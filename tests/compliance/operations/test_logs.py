"""Each event is one line, in JSON or for people; and what a request holds stands in none."""

import io
import json
import logging
import re
import sys
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.celery import app
from compliance.operations import logs

SERIAL = "SN-4711-XYZ"


def record_of(name: str, level: int, message: str, *arguments: Any, **more: Any) -> logging.LogRecord:
    return logging.LogRecord(name, level, "", 0, message, arguments, None, **more)


def written(record: logging.LogRecord, formatter: logging.Formatter | None = None) -> str:
    """Return the line of a record; nothing where it is dropped."""
    return (formatter or logs.JsonLines()).format(record) if logs.Private().filter(record) else ""


def failure() -> Any:
    """Return what `sys.exc_info` says of an error that quotes a serial, and hides another one that does."""
    try:
        try:
            int(SERIAL)
        except ValueError:
            raise KeyError(SERIAL) from None
    except KeyError:
        return sys.exc_info()


@pytest.mark.parametrize(
    ("message", "arguments", "expected"),
    [
        ('"GET %s HTTP/1.1" 200', ("/api/recalls?serial=SN-1&x=2",), '"GET /api/recalls?... HTTP/1.1" 200'),
        ("There is no such model.", (), "There is no such model."),
        ("100%? sure", (), "100%?... sure"),
    ],
)
def test_a_query_string_is_cut(message: str, arguments: tuple[str, ...], expected: str) -> None:
    assert json.loads(written(record_of("any", logging.INFO, message, *arguments)))["message"] == expected


@pytest.mark.parametrize(
    ("name", "level", "message", "arguments"),
    [
        ("django.request", logging.WARNING, "Not Found: %s", (f"/api/devices/{SERIAL}",)),
        ("django.request", logging.ERROR, "Service Unavailable: %s", (f"/p/{SERIAL}",)),
        ("django.security.DisallowedHost", logging.ERROR, "Invalid HTTP_HOST header: %r.", (SERIAL,)),
        ("gunicorn.error", logging.WARNING, f"Invalid request from ip=192.0.2.1: {SERIAL}", ()),
        ("gunicorn.error", logging.ERROR, "Error handling request %s", (f"/{SERIAL}",)),
        (
            "celery.app.trace",
            logging.ERROR,
            "Task %(name)s[%(id)s] %(description)s: %(exc)s",
            ({"name": "a.job", "id": "1", "description": "raised", "exc": f"KeyError('{SERIAL}')"},),
        ),
        (
            "celery.app.trace",
            logging.INFO,
            "Task %(name)s[%(id)s] succeeded in %(runtime)ss: %(return_value)s",
            ({"name": "a.job", "id": "1", "runtime": 0.1, "return_value": SERIAL},),
        ),
    ],
)
def test_what_libraries_quote_is_left_out(
    name: str, level: int, message: str, arguments: tuple[Any, ...]
) -> None:
    line = written(record_of(name, level, message, *arguments))
    assert SERIAL not in line
    # What Django says of an answer that a view gave stands in the access log.
    assert bool(line) == (name != "django.request")


def test_a_view_that_fails_is_told_of_without_its_address() -> None:
    record = record_of("django.request", logging.ERROR, "Internal Server Error: %s", f"/p/{SERIAL}")
    record.exc_info = failure()
    line = json.loads(written(record))
    assert (line["message"], line["error"]) == ("A request failed.", "KeyError, after ValueError")
    assert SERIAL not in json.dumps(line)


def test_a_refused_host_is_one_line_without_a_traceback() -> None:
    record = record_of(
        "django.security.DisallowedHost", logging.ERROR, "Invalid HTTP_HOST header: %r.", SERIAL
    )
    record.exc_info = failure()
    assert "Traceback" not in written(record, logs.TextLines())
    assert len(written(record, logs.TextLines()).splitlines()) == 1


@pytest.mark.parametrize("formatter", [logs.JsonLines(), logs.TextLines()])
def test_an_exception_is_told_by_its_types_and_its_place(formatter: logging.Formatter) -> None:
    record = record_of("rules", logging.ERROR, "It failed.")
    record.exc_info = failure()
    line = written(record, formatter)
    assert "KeyError, after ValueError" in line
    assert "test_logs.py" in line
    assert SERIAL not in line


def test_a_line_of_json_says_when_how_grave_who_what_and_for_which_request() -> None:
    record = record_of("rules", logging.INFO, "Zwölf\nZeilen")
    record.created = 1_795_349_007.875
    before = logs.REQUEST_ID.set("request-1")
    try:
        line = written(record)
    finally:
        logs.REQUEST_ID.reset(before)
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2026-11-22T12:03:27.875Z",
        "level": "info",
        "logger": "rules",
        "message": "Zwölf\nZeilen",
        "request_id": "request-1",
    }


@pytest.mark.parametrize("logger", ["django.server", "rules", "celery.worker"])
def test_all_logs_go_through_the_filter(logger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (handler,) = (found for found in logging.getLogger().handlers if type(found) is logging.StreamHandler)
    stream = io.StringIO()
    monkeypatch.setattr(handler, "stream", stream)
    logging.getLogger(logger).warning("Bad Request: %s", "/api/recalls?serial=SN-1")
    assert "/api/recalls?..." in stream.getvalue()
    assert "SN-1" not in stream.getvalue()


@pytest.mark.parametrize(
    ("hosts", "wanted"),
    [
        (["localhost", "127.0.0.1", "[::1]"], "text"),
        ([""], "text"),
        (["localhost", "batteries.example"], "json"),
    ],
)
def test_where_others_are_served_lines_are_for_programs(hosts: list[str], wanted: str) -> None:
    assert logs.format_for(hosts) == wanted


@pytest.mark.usefixtures("starter_release")
def test_each_request_has_a_line_that_names_its_route_and_nothing_that_was_typed(
    client: Client, capfd: pytest.CaptureFixture[str], settings: Settings
) -> None:
    settings.LOG_FORMAT = "json"
    asked = {
        "model_id": "anker-a1289",
        "serial": SERIAL,
        "trip": {"origin": "JP", "destination": "SG", "airline": "SQ"},
    }
    given = client.post("/api/verify", asked, content_type="application/json")
    client.post(f"/api/verify?x={SERIAL}", asked, content_type="application/json")
    client.get(f"/api/devices/{SERIAL}")
    client.get(f"/{SERIAL}")
    client.get("/ja/guides")
    client.generic(SERIAL, "/api/rules")
    text = capfd.readouterr().err
    assert SERIAL not in text
    lines = [json.loads(line) for line in text.splitlines() if '"compliance.access"' in line]
    assert [(line["method"], line["route"], line["status"], line["verdict"]) for line in lines] == [
        ("POST", "/api/verify", 200, given.json()["verdict"]),
        ("POST", "/api/verify", 400, ""),
        ("GET", "/api/devices/{model_id}", 404, ""),
        ("GET", "(none)", 404, ""),
        ("GET", "/guides", 200, ""),
        ("other", "/api/rules", 405, ""),
    ]
    first = lines[0]
    assert first["request_id"] == given.headers["X-Request-ID"]
    assert 0 < first["milliseconds"] < 60_000
    assert (first["caller"], first["partner"]) == ("anonymous", "")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first["time"])


def test_where_less_is_logged_requests_have_no_lines(
    client: Client, capfd: pytest.CaptureFixture[str], settings: Settings
) -> None:
    settings.LOG_LEVEL = "WARNING"
    client.get("/healthz")
    assert "compliance.access" not in capfd.readouterr().err


def test_lines_of_a_job_name_it_and_the_request_that_sent_for_it(settings: Settings) -> None:
    seen = []

    @app.task(name="tests.a_job")
    def a_job() -> None:
        seen.append((logs.JOB.get(), logs.REQUEST_ID.get()))

    before = logs.REQUEST_ID.set("request-1")
    try:
        a_job.apply()
    finally:
        logs.REQUEST_ID.reset(before)
    a_job.apply()
    assert seen == [("tests.a_job", "request-1"), ("tests.a_job", "")]
    assert (logs.JOB.get(), logs.REQUEST_ID.get()) == ("", "")
