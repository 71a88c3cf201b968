"""The form of every line of the logs, and what it never contains.

One event is one line: JSON for programs, or text for people (LOG_FORMAT). This is the same for this service,
Django, Celery and gunicorn. A line names its request or job.

Input can contain a serial number or a key, and a library's error message can quote it. So for an exception, a
line has its place and its types, never its message. For a request, it has neither the path nor the query
string nor a header. The settings and the web server name these classes.
"""

import functools
import json
import logging
import re
import time
import traceback
from collections.abc import Collection, Mapping
from contextvars import ContextVar
from typing import Any, Literal

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the present request, or of the request that sent the present job."""

JOB: ContextVar[str] = ContextVar("job", default="")
"""The name of the present job."""

LogFormat = Literal["json", "text"]

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})

QUERY_STRING = re.compile(r"\?[^\s'\"]*")


def format_for(hosts: Collection[str]) -> LogFormat:
    """Return the log format of a server with some host names, if LOG_FORMAT is not set."""
    return "text" if LOCAL_HOSTS.issuperset(filter(None, hosts)) else "json"


def chain_of(error: BaseException) -> list[BaseException]:
    """Return an exception and its causes, the last first."""
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and cause not in chain:
        chain.append(cause)
    return chain


def describe_error(error: BaseException) -> tuple[str, str]:
    """Return the types of an exception and of its causes, and the place; no message."""
    names = ", after ".join(type(link).__qualname__ for link in chain_of(error))
    return names, "".join(traceback.format_tb(error.__traceback__)).rstrip()


class Private(logging.Filter):
    """Removes from a record what can quote a request, and drops only records that say nothing else."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place."""
        if record.name == "django.request":
            # The line of the access log has the operation and its outcome.
            if not record.exc_info:
                return False
            record.msg, record.args = "A request failed.", ()
        elif record.name.startswith("django.security"):
            # The name says what it was. A traceback for each would fill the log.
            record.msg, record.args, record.exc_info = "Refused a suspicious request.", (), None
        elif record.name == "gunicorn.error":
            _keep_request_out(record)
        elif record.name == "celery.app.trace":
            _keep_values_out(record)
        message = record.getMessage()
        if "?" in message:
            record.msg, record.args = QUERY_STRING.sub("?...", message), ()
        return True


def _keep_request_out(record: logging.LogRecord) -> None:
    message = record.getMessage()
    if message.startswith("Invalid request from ip="):
        # Input that is not HTTP can contain anything.
        record.msg, record.args = "Refused a request that is not HTTP.", ()
    elif message.startswith("Error handling request"):
        record.msg, record.args = "A request failed in the web server.", ()


def _keep_values_out(record: logging.LogRecord) -> None:
    """Name the job and its outcome, but neither its return value nor its error message."""
    if isinstance(record.args, Mapping):
        job_facts = {name: record.args[name] for name in ("name", "id", "runtime") if name in record.args}
        ending = "succeeded in %(runtime)ss" if "runtime" in job_facts else "did not succeed"
        record.msg, record.args = f"Job %(name)s[%(id)s] {ending}.", job_facts
        # Celery also puts its context on the record.
        record.__dict__.pop("data", None)


class _Lines(logging.Formatter):
    """Makes a line of the allowed parts of a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Make the line."""
        return self.line(_facts(record))

    def line(self, facts: Mapping[str, Any]) -> str:
        """Write facts; `time`, `level`, `logger` and `message` are always among them."""
        raise NotImplementedError


class JsonLines(_Lines):
    """Each event as one JSON object on one line."""

    def line(self, facts: Mapping[str, Any]) -> str:
        """Write the facts unchanged."""
        return json.dumps(facts, ensure_ascii=False, separators=(",", ":"), default=str)


class TextLines(_Lines):
    """Each event as a line to read, followed by its facts, and with the place of an error below."""

    def line(self, facts: Mapping[str, Any]) -> str:
        """Write the facts for people."""
        more = dict(facts)
        first = f"{more.pop('time')} {more.pop('level')} {more.pop('logger')}: {more.pop('message')}"
        where = more.pop("traceback", "")
        pairs = [f"{name}={value}" for name, value in more.items() if value != ""]
        return " ".join([first, *pairs]) + (f"\n{where}" if where else "")


def instant(seconds: float) -> str:
    """Write an instant, given in seconds since 1970, in the form of RFC 3339; UTC, to the millisecond."""
    return f"{_second(int(seconds))}.{int(seconds % 1 * 1000):03d}Z"


@functools.lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "time": instant(record.created),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": record.getMessage(),
    }
    if request_id := REQUEST_ID.get():
        facts["request_id"] = request_id
    if job := JOB.get():
        facts["job"] = job
    if record.exc_info and record.exc_info[1] is not None:
        facts["error"], facts["traceback"] = describe_error(record.exc_info[1])
    return facts
