"""What browsers are told of every answer, whatever it is: pages, the API, files, errors, redirects and 304s.

The outermost middleware, so nothing that answers further in can leave it out;
`compliance.middleware.server_refusals` tells the same where the web server refuses a request by itself. Pages
and the admin have policies of their own for what they load (`pages`, `admin`).
`docs/threat-model.md` says what each header is for.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from aeo.web.languages import is_page as is_page_path

ALWAYS = {
    # A file is what its type says, and never a script by its looks.
    "X-Content-Type-Options": "nosniff",
    # The address of a page is a question, and none of another site's business.
    "Referrer-Policy": "same-origin",
    # No window that another site opened can reach into ours.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

TO_ALL, TO_US = "cross-origin", "same-origin"
"""Which pages may load an answer without being able to read it (Cross-Origin-Resource-Policy)."""

JUST_DATA = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of what is for programs: a browser that shows it loads and frames nothing."""

_PAGE = "text/html"
_DATA = ("application/json", "application/problem+json")


class ResponseHeaders:
    """Adds the headers. What an answer says for itself stays."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        # The rest is asked by nobody but browsers: metrics and files of pages are for our own pages alone.
        self.ours = (f"/{settings.ADMIN_PATH}/", "/static/", "/metrics")
        self.transport = _transport()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        response = self.get_response(request)
        headers = response.headers
        for name, value in ALWAYS.items():
            headers.setdefault(name, value)
        kind = headers.get("Content-Type", "")
        path = request.path_info
        # A 304 has no type, and what it says counts for what the browser kept.
        is_page = kind.startswith(_PAGE) if kind else is_page_path(path)
        is_ours = is_page or path.startswith(self.ours)
        headers.setdefault("Cross-Origin-Resource-Policy", TO_US if is_ours else TO_ALL)
        if kind.startswith(_DATA):
            headers.setdefault("Content-Security-Policy", JUST_DATA)
        if self.transport and request.is_secure():
            headers["Strict-Transport-Security"] = self.transport
        return response


def _transport() -> str:
    """Return for how long browsers come over TLS alone, as the settings say; nothing if they say nothing."""
    if not settings.SECURE_HSTS_SECONDS:
        return ""
    parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
    if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        parts.append("includeSubDomains")
    if settings.SECURE_HSTS_PRELOAD:
        parts.append("preload")
    return "; ".join(parts)
