"""Reads an address of the service as a reader does, but without a server: only the WSGI application."""

from collections.abc import Callable, Iterator
from typing import Any
from wsgiref.util import setup_testing_defaults

Application = Callable[..., Any]


def read(application: Application, path: str) -> Iterator[bytes]:
    """Yield the body of an address piece by piece. Raises RuntimeError if the status is not 200."""
    environ: dict[str, Any] = {"PATH_INFO": path, "REQUEST_METHOD": "GET", "HTTP_ACCEPT": "text/html"}
    setup_testing_defaults(environ)
    status = ""

    def start_response(line: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        nonlocal status
        status = line

    response = application(environ, start_response)
    try:
        if not status.startswith("200 "):
            raise RuntimeError(f"{path} was answered with {status}")
        yield from response
    finally:
        response.close()
