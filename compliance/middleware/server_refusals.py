"""The answers to requests that the web server refuses before the application sees them.

For an address, headers or a body that are too long, or a line that is not HTTP, gunicorn would answer with a
page of its own. `compliance.services.web` makes it send these bytes instead: a page of the site for browsers,
and the one form of errors for all others.
"""

from http import HTTPStatus

from django.http import HttpRequest
from django.shortcuts import render

from compliance.api.protocol.errors import PROBLEMS, RETRY_AFTER_SECONDS, problem_response
from compliance.middleware.response_headers import ResponseHeaders
from compliance.operations.accounting import REQUEST_ID_HEADER, request_id

_CODES = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "BODY_TOO_LARGE",
    HTTPStatus.REQUEST_URI_TOO_LONG: "URI_TOO_LONG",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "HEADERS_TOO_LARGE",
    HTTPStatus.INTERNAL_SERVER_ERROR: "INTERNAL_ERROR",
    HTTPStatus.SERVICE_UNAVAILABLE: "SERVICE_UNAVAILABLE",
}


def refusal(status: int, *, is_page: bool = False) -> bytes:
    """Return a complete HTTP message for a status of the server; the connection ends."""
    # Its address may not have been read; the root is used for this server.
    request = HttpRequest()
    request.path = request.path_info = "/"
    code = _CODES.get(HTTPStatus(status), "BAD_REQUEST")
    found = PROBLEMS[code].status
    if is_page and found < HTTPStatus.INTERNAL_SERVER_ERROR:
        answer = render(request, "400.html", status=found)
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["Content-Length"] = str(len(answer.content))
    else:
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if code == "SERVICE_UNAVAILABLE" else None
        answer = problem_response(request, code, headers=headers)
    answer.headers[REQUEST_ID_HEADER] = request_id(request)
    answer.headers["Connection"] = "close"
    ResponseHeaders(lambda _: answer)(request)
    first_line = f"HTTP/1.1 {found.value} {found.phrase}\r\n"
    return first_line.encode() + answer.serialize_headers() + b"\r\n\r\n" + answer.content
