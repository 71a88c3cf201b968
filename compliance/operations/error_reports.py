"""Sentry: reports errors that were logged, if SENTRY_DSN is set. Otherwise nothing imports this.

A report is made here of allowed parts only, so nothing else can leave: level, logger, message, request and
job, and of an exception the types and the places. Integrations of Sentry, which collect requests, local
variables and queries, are off. The settings name the handler.
"""

import logging
import traceback
from typing import Any

import sentry_sdk

from compliance.operations.logs import JOB, REQUEST_ID, chain_of


class Reports(logging.Handler):
    """Sends errors to Sentry, by a thread of Sentry's own."""

    def __init__(self, dsn: str, environment: str) -> None:
        super().__init__(logging.ERROR)
        sentry_sdk.init(
            dsn,
            environment=environment,
            default_integrations=False,
            auto_enabling_integrations=False,
            send_default_pii=False,
            include_local_variables=False,
            max_breadcrumbs=0,
            server_name="",
            send_client_reports=False,
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Report a record, except those of Sentry's own client."""
        if record.name.startswith(("sentry_sdk", "urllib3")):
            return
        sentry_sdk.capture_event(_event(record))


def _event(record: logging.LogRecord) -> Any:
    tags = {"request_id": REQUEST_ID.get(), "job": JOB.get()}
    event: dict[str, Any] = {
        "level": "fatal" if record.levelno >= logging.CRITICAL else "error",
        "logger": record.name,
        "logentry": {"formatted": record.getMessage()},
        "tags": {name: value for name, value in tags.items() if value},
    }
    failure = record.exc_info[1] if record.exc_info else getattr(record, "failure", None)
    if failure is not None:
        # The cause comes first.
        event["exception"] = {"values": [_described(error) for error in reversed(chain_of(failure))]}
    return event


def _described(error: BaseException) -> dict[str, Any]:
    frames = [
        {"filename": frame.filename, "function": frame.name, "lineno": frame.lineno}
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    described: dict[str, Any] = {"type": type(error).__qualname__, "module": type(error).__module__}
    return described | ({"stacktrace": {"frames": frames}} if frames else {})
