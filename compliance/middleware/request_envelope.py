"""The outermost middleware but CORS: every request has an id, and every error of the API has the one shape.

Views of the API answer their own errors (`compliance.api.protocol.errors`). What fails before or outside a
view (an unknown address, a forbidden host, a failing middleware) becomes an HTML page of the framework, which
this turns into the same shape. Readers of pages, who ask for HTML where programs do not, keep their pages.
Only what says that pages of other sites may read the answer stands further out, so that they can read errors
too.
"""

from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.errors import CONTENT_TYPE, problem_for_status
from compliance.api.protocol.prefixes import FOR_PROGRAMS, SANDBOX, SANDBOX_HEADERS
from compliance.operations import access_log, metrics
from compliance.operations.accounting import method_of, route_of
from compliance.operations.logs import REQUEST_ID
from compliance.operations.request_ids import HEADER, request_id

GetResponse = Callable[[HttpRequest], HttpResponseBase]

BODILESS = {204, 304}

SHAPED = {CONTENT_TYPE, "application/json"}
"""What views answer errors with that know what to say. The framework's pages are HTML; so is what the sandbox
gives in place of a proxy, which stays as it is (`as_from_elsewhere`)."""


class RequestEnvelope:
    """Names each request in `X-Request-ID` and shapes the errors that no view answered."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request, and note how it went."""
        began = perf_counter()
        name = request_id(request)
        # Whatever is logged until the answer leaves names the request.
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
            and not _reads_pages(request)
        ):
            response = problem_for_status(request, response)
        response.headers[HEADER] = name
        if request.path_info.startswith(SANDBOX):
            for header, value in SANDBOX_HEADERS.items():
                response.headers[header] = value
        if response.status_code in BODILESS:
            # Django says that nothing is 0 bytes long. A 304 would so tell the length of the answer itself.
            response.headers.pop("Content-Length", None)
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            # Its length is said already. Servers drop the body, and some log that they had to.
            response.content = b""
        return response


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
