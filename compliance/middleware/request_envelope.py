"""The outermost middleware except CORS: it gives requests an id, and API errors their one form.

Views of the API answer their own errors (`compliance.api.protocol.errors`). An error before or outside a view
(an unknown address, a forbidden host, a failing middleware) becomes an HTML page of the framework, which this
turns into the same form. Readers of pages, who ask for HTML where programs do not, keep their pages. Only
CORS is further out, so that pages of other sites can read errors too.
"""

from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.errors import CONTENT_TYPE, problem_for_status
from compliance.api.protocol.prefixes import FOR_PROGRAMS, SANDBOX, SANDBOX_HEADERS
from compliance.operations import access_log, metrics
from compliance.operations.accounting import REQUEST_ID_HEADER, method_of, request_id, route_of
from compliance.operations.logs import REQUEST_ID

GetResponse = Callable[[HttpRequest], HttpResponseBase]

BODILESS = {204, 304}

SHAPED = {CONTENT_TYPE, "application/json"}
"""The types of errors that views have already formed.

The framework's pages are HTML. So are the sandbox's answers in place of a proxy, which stay unchanged
(`as_from_elsewhere`).
"""

OF_CONDITIONS = {412, 416}
"""Answers to conditions and ranges, which say everything by their status and headers."""

PROBED = {"/healthz", "/readyz", "/metrics"}
"""These answers do not depend on the host name of the request."""


class RequestEnvelope:
    """Names each request in `X-Request-ID` and formats the errors that no view answered."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request, and note its result."""
        began = perf_counter()
        name = request_id(request)
        # Everything that is logged until the answer leaves names the request.
        before = REQUEST_ID.set(name)
        try:
            response = self._answer(request, name)
            _note(request, response, perf_counter() - began)
            return response
        finally:
            REQUEST_ID.reset(before)

    def _answer(self, request: HttpRequest, name: str) -> HttpResponseBase:
        response = self.get_response(request)
        if (
            response.status_code >= 400
            and response.headers.get("Content-Type") not in SHAPED
            and not hasattr(response, "as_from_elsewhere")
            and response.status_code not in OF_CONDITIONS
            and not _reads_pages(request)
        ):
            response = problem_for_status(request, response)
        response.headers[REQUEST_ID_HEADER] = name
        if request.path_info.startswith(SANDBOX):
            for header, value in SANDBOX_HEADERS.items():
                response.headers[header] = value
        if response.status_code in BODILESS:
            # Django sets the length of an empty body to 0. On a 304 that would be the length of the answer
            # itself.
            response.headers.pop("Content-Length", None)
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            # The length is already set. Servers drop the body, and some log that they had to.
            response.content = b""
        return response


class Probes:
    """Treats a probe as a request for the first of our names. All other requests must name a host of ours.

    A load balancer knows an address, and none of the names in ALLOWED_HOSTS.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        if request.path_info in PROBED and settings.ALLOWED_HOSTS:
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0].lstrip(".")
        return self.get_response(request)


def _reads_pages(request: HttpRequest) -> bool:
    return not request.path.startswith(FOR_PROGRAMS) and "text/html" in request.headers.get("Accept", "")


def _note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    """Note an answer that took so many seconds."""
    route = route_of(request)
    status = response.status_code
    metrics.count_answer(route, status, seconds)
    if not access_log.is_kept():
        return
    caller = caller_of(request)
    access_log.write(
        access_log.Line(
            request_id=request_id(request),
            method=method_of(request),
            route=route,
            status=status,
            milliseconds=round(seconds * 1000, 2),
            verdict=getattr(response, "verdict", ""),
            caller=caller.kind,
            partner=caller.name if caller.key else "",
        )
    )
