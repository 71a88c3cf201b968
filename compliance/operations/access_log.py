"""One line for each request: which operation, how it ended, how long it took, and what kind of caller asked.

In the shape of all other lines (`compliance.operations.logs`), but written directly: a record of the standard
library costs four times as much, and every verdict would pay for it. Neither the path nor the query string
stands in it, no header, and no address of a client. Called by the middleware for every answer.
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
    """What is told of a request. `milliseconds` are those until its answer began to leave.

    `verdict` is empty where none was given, `partner` is the public id of a key.
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
    """Tell whether there are such lines."""
    return settings.LOG_LEVEL in {"DEBUG", "INFO"}


def write(line: Line) -> None:
    """Write a line to standard error, in one piece. What cannot be written is lost: the answer goes first."""
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
