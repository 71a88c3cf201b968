"""The answers to requests that the web server refuses before the application sees them.

For an address, headers or a body that are too long, or a line that is not HTTP, gunicorn would answer with an
HTML page. `compliance.services.web` makes it send these bytes instead, in the one form of errors.
"""

from http import HTTPStatus

from django.http import HttpRequest

from compliance.api.protocol.errors import PROBLEMS, RETRY_AFTER_SECONDS, problem_response
from compliance.middleware.response_headers import ALWAYS, JUST_DATA, TO_ALL
from compliance.operations.accounting import REQUEST_ID_HEADER, request_id

_CODES = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "BODY_TOO_LARGE",
    HTTPStatus.REQUEST_URI_TOO_LONG: "URI_TOO_LONG",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "HEADERS_TOO_LARGE",
    HTTPStatus.INTERNAL_SERVER_ERROR: "INTERNAL_ERROR",
    HTTPStatus.SERVICE_UNAVAILABLE: "SERVICE_UNAVAILABLE",
}


def refusal(status: int) -> bytes:
    """Return a complete HTTP message for a status of the server; the connection ends."""
    # Its address may not have been read; the root is used for this server.
    request = HttpRequest()
    request.path = "/"
    code = _CODES.get(HTTPStatus(status), "BAD_REQUEST")
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if code == "SERVICE_UNAVAILABLE" else None
    answer = problem_response(request, code, headers=headers)
    answer.headers[REQUEST_ID_HEADER] = request_id(request)
    answer.headers["Connection"] = "close"
    answer.headers["Content-Security-Policy"] = JUST_DATA
    answer.headers["Cross-Origin-Resource-Policy"] = TO_ALL
    for name, value in ALWAYS.items():
        answer.headers[name] = value
    first_line = f"HTTP/1.1 {PROBLEMS[code].status.value} {PROBLEMS[code].status.phrase}\r\n"
    return first_line.encode() + answer.serialize_headers() + b"\r\n\r\n" + answer.content
