"""One line for each request: the operation, its outcome, its duration, and the kind of caller.

It has the form of all other lines (`compliance.operations.logs`), but is written directly: a record of the
standard library costs four times as much, and every verdict would pay for it. It contains neither the path
nor the query string, no header, and no address of a client. Called by the middleware for every answer.
"""

import contextlib
import os
import time

import msgspec
from django.conf import settings

from compliance.operations.logs import instant

STDERR = 2

_encode = msgspec.json.Encoder().encode


class Line(msgspec.Struct, kw_only=True):
    """The content of a line about a request. `milliseconds` are those until its answer began to leave.

    `verdict` is empty if there is none, `partner` is the public id of a key.
    """

    time: str = ""
    level: str = "info"
    logger: str = "compliance.access"
    message: str = "Answered."
    request_id: str
    method: str
    route: str
    status: int
    milliseconds: float
    verdict: str
    caller: str
    partner: str


def is_kept() -> bool:
    """Say whether such lines are written."""
    return settings.LOG_LEVEL in {"DEBUG", "INFO"}


def write(line: Line) -> None:
    """Write a line to standard error, at once. If it cannot be written it is lost: the answer goes first."""
    line.time = instant(time.time())
    text = _encode(line) if settings.LOG_FORMAT == "json" else _for_people(line).encode()
    with contextlib.suppress(OSError):
        os.write(STDERR, text + b"\n")


def _for_people(line: Line) -> str:
    said = filter(None, (line.verdict, line.caller, line.partner))
    return (
        f"{line.time} {line.level} {line.logger}: {line.method} {line.route} {line.status} "
        f"in {line.milliseconds} ms {' '.join(said)} request_id={line.request_id}"
    )
