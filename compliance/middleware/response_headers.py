"""Headers for browsers on every answer: pages, the API, files, errors, redirects and 304s.

`ResponseHeaders` is the outermost middleware, so no answer from further in can lack the headers. The next one
is `CrossOrigin`.

`compliance.middleware.server_refusals` sets the same ones when the web server itself refuses a request. Pages
and the admin have their own policies for what they load (`pages`, `admin`). `docs/threat-model.md` says what
each header is for.
"""

import re
from collections.abc import Callable
from typing import Any

from corsheaders.middleware import CorsMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from aeo.web.languages import is_page as is_page_path
from compliance.operations.accounting import PARTNERS

ALWAYS = {
    # A file is what its type says; browsers must not guess that it is a script.
    "X-Content-Type-Options": "nosniff",
    # The address of a page contains a question, which is private to this site.
    "Referrer-Policy": "same-origin",
    # A window that another site opened cannot reach into ours.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

TO_ALL, TO_US = "cross-origin", "same-origin"
"""Which pages may load an answer without being able to read it (Cross-Origin-Resource-Policy)."""

JUST_DATA = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers for programs: a browser that shows one loads and frames nothing."""

_PAGE = "text/html"
_DATA = ("application/json", "application/problem+json")


class ResponseHeaders:
    """Adds the headers. Headers that an answer already has stay."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        # Only browsers ask for the rest: metrics and files of pages are for our own pages alone.
        self.ours = (f"/{settings.ADMIN_PATH}/", PARTNERS, "/static/", "/metrics")
        self.transport = _transport()
        self.of_pages = build_policy(settings.PAGES_CONTENT_SECURITY_POLICY)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        response = self.get_response(request)
        headers = response.headers
        for name, value in ALWAYS.items():
            headers.setdefault(name, value)
        kind = headers.get("Content-Type", "")
        path = request.path_info
        # A 304 has no type, and its headers apply to the browser's cached answer.
        is_page = kind.startswith(_PAGE) if kind else is_page_path(path)
        is_ours = is_page or path.startswith(self.ours)
        headers.setdefault("Cross-Origin-Resource-Policy", TO_US if is_ours else TO_ALL)
        if kind.startswith(_DATA):
            headers.setdefault("Content-Security-Policy", JUST_DATA)
        elif kind.startswith(_PAGE):
            # Such as the page that refuses a foreign Host: the middleware of pages never saw that request.
            headers.setdefault("Content-Security-Policy", self.of_pages)
        if self.transport and request.is_secure():
            headers["Strict-Transport-Security"] = self.transport
        return response


class CrossOrigin(CorsMiddleware):
    """Says which pages of other sites may read an answer (CORS), by django-cors-headers.

    It ignores addresses without cross-origin access, and requests of programs: these send no origin, and most
    requests to the API come from them.
    """

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        self._for_all = re.compile(settings.CORS_URLS_REGEX)
        self._documents = re.compile(settings.CROSS_ORIGIN_DOCUMENTS)
        self._exposed = ", ".join(settings.CORS_EXPOSE_HEADERS)

    def __call__(self, request: HttpRequest) -> Any:
        """Answer a request, and say which pages may read the answer."""
        if not self._for_all.match(request.path_info):
            return self.get_response(request)
        if request.method != "OPTIONS" and self._documents.match(request.path_info):
            # The same for every origin, so that a cache keeps one copy for all.
            document: Any = self.get_response(request)
            document.headers["Access-Control-Allow-Origin"] = "*"
            document.headers["Access-Control-Expose-Headers"] = self._exposed
            return document
        if "HTTP_ORIGIN" in request.META or request.method == "OPTIONS":
            return super().__call__(request)
        response: Any = self.get_response(request)
        # Views of the API say so themselves.
        if not response.headers.get("Vary", "").endswith("origin"):
            patch_vary_headers(response, ("origin",))
        return response


def _transport() -> str:
    """Return for how long browsers must use TLS, as the settings say; nothing if they say nothing."""
    if not settings.SECURE_HSTS_SECONDS:
        return ""
    parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
    if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        parts.append("includeSubDomains")
    if settings.SECURE_HSTS_PRELOAD:
        parts.append("preload")
    return "; ".join(parts)
