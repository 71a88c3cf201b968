"""POST /api/verify against views that do nothing, compressed and with a receipt, without a server.

The WSGI application is called directly.
"""

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from bench.http.requests import (
    COMPARED,
    PATHS,
    VERIFY,
    Kept,
    answer_file,
    bodies,
    keep,
    kept,
    of_middle_length,
)
from bench.report import Line, ratio
from bench.rounds import Work, in_turns
from rules.engine.document import Content

ROUNDS, REQUESTS = 60, 50
NO_HEADERS: Mapping[str, str] = MappingProxyType({})

ASKING_FOR_MORE: dict[str, dict[str, str]] = {
    "compressed": {"HTTP_ACCEPT_ENCODING": "gzip, deflate, br"},
    "with_receipt": {"HTTP_PREFER": "receipt"},
}
"""Headers of the same question that make its answer cost more, in the form of WSGI."""

Application = Callable[..., Any]


class Answered(NamedTuple):
    """An answer of the application."""

    headers: list[tuple[str, str]]
    body: bytes


def measure(content: Content) -> Iterator[Line]:
    """Compare the times for the same number of requests."""
    # The import sets up Django, which needs the settings of the measured release.
    from compliance.wsgi import application
    from rules.corpus import stop_following

    asked = bodies(content)
    try:
        with answer_file() as file:
            answer = of_middle_length([_kept(call(application, VERIFY, body)) for body in asked])
            keep(file, dict.fromkeys(COMPARED.values(), answer))
            turns = {path: _turns(application, path, asked) for path in PATHS}
            for name, headers in ASKING_FOR_MORE.items():
                turns[name] = _turns(application, VERIFY, asked, headers)
            seconds = in_turns(turns, ROUNDS)
    finally:
        stop_following()
    for name, path in COMPARED.items():
        # The ratio of throughputs is the inverse ratio of times.
        yield ratio(
            f"{name}_in_process",
            seconds[path],
            seconds[VERIFY],
            verify_us=round(min(seconds[VERIFY]) / REQUESTS * 1e6, 1),
            compared_us=round(min(seconds[path]) / REQUESTS * 1e6, 1),
        )
    for name in ASKING_FOR_MORE:
        yield ratio(
            f"verify_{name}_over_plain",
            seconds[VERIFY],
            seconds[name],
            verify_us=round(min(seconds[name]) / REQUESTS * 1e6, 1),
            plain_us=round(min(seconds[VERIFY]) / REQUESTS * 1e6, 1),
        )


def call(
    application: Application, path: str, body: bytes, headers: Mapping[str, str] = NO_HEADERS
) -> Answered:
    """Return the answer to one request. Raises RuntimeError if it is not 200."""
    status, sent = "", list[tuple[str, str]]()

    def start_response(line: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        nonlocal status, sent
        status, sent = line, headers

    response = application({**_environ(path, body), **headers}, start_response)
    answer = b"".join(response)
    response.close()
    if not status.startswith("200 "):
        raise RuntimeError(f"{path} was answered with {status}: {answer[:1000]!r}")
    return Answered(sent, answer)


def _kept(answered: Answered) -> Kept:
    return kept(200, dict(answered.headers), answered.body)


def _environ(path: str, body: bytes) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_HOST": "127.0.0.1",
        "REMOTE_ADDR": "127.0.0.1",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def _turns(
    application: Application, path: str, asked: list[bytes], headers: Mapping[str, str] = NO_HEADERS
) -> Work:
    turn = 0

    def prepare() -> Callable[[], None]:
        nonlocal turn
        # All paths get the same bodies in the same round.
        first = turn * REQUESTS % len(asked)
        sent = asked[first : first + REQUESTS]
        turn += 1

        def timed() -> None:
            for body in sent:
                call(application, path, body, headers)

        return timed

    return prepare
