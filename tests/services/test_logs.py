"""Logs repeat no query strings: they can carry a serial number."""

import io
import logging

import pytest
from django.test import Client

from compliance.services.logs import NoQueryStrings


@pytest.mark.parametrize(
    ("message", "arguments", "expected"),
    [
        ('"GET %s HTTP/1.1" 200', ("/api/recalls?serial=SN-1&x=2",), '"GET /api/recalls?... HTTP/1.1" 200'),
        ("Not Found: /api/devices", (), "Not Found: /api/devices"),
        ("100%? sure", (), "100%?... sure"),
    ],
)
def test_a_query_string_is_cut(message: str, arguments: tuple[str, ...], expected: str) -> None:
    record = logging.LogRecord("any", logging.INFO, "", 0, message, arguments, None)
    assert NoQueryStrings().filter(record)
    assert record.getMessage() == expected


@pytest.mark.parametrize("logger", ["django.request", "django.server", "rules"])
def test_all_logs_go_through_the_filter(logger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (handler,) = (found for found in logging.getLogger().handlers if type(found) is logging.StreamHandler)
    stream = io.StringIO()
    monkeypatch.setattr(handler, "stream", stream)
    logging.getLogger(logger).warning("Bad Request: %s", "/api/recalls?serial=SN-1")
    assert "/api/recalls?..." in stream.getvalue()
    assert "SN-1" not in stream.getvalue()


def test_a_missing_page_is_logged_without_its_query(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.get("/no-such-page?serial=SN-1")
    assert "/no-such-page" in caplog.text
    assert "SN-1" not in caplog.text
