"""Middleware for public pages: rules for browsers, a limit, a record.

Programs are served without it. The settings list these classes.
"""

from collections.abc import Callable
from typing import cast

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from aeo.texts import active
from aeo.web.caching import not_ready
from compliance.limits.pages import seconds_to_wait
from compliance.middleware.reading import too_many
from compliance.operations.accounting import is_for_the_signed_in, note_verdict
from compliance.records.verdict_log import recording
from compliance.records.verdict_log.recording import NotRecorded

ASKED = ("/check", "/itinerary", "/trip", "/card", "/suggest/", "/watch")
"""The prefixes of addresses whose answers are made for one visitor; all others are the same for everyone."""


class PageHeaders(CSPMiddleware):
    """The browser rules for a page: load only from here, run no inline script."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the policy of pages."""
        return PolicyParts() if report_only else PolicyParts(config=settings.PAGES_CONTENT_SECURITY_POLICY)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Add the headers to a page that has no policy of its own. Programs get none."""
        response = cast("HttpResponseBase", self.get_response(request))
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if not is_page or is_for_the_signed_in(request.path_info):
            return response
        return self.process_response(request, response)


class PageLimits:
    """Refuses the questions of an address that exceeds PAGES_RATE."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Count a question, and answer it or refuse it."""
        if not request.path_info.startswith(ASKED):
            return self.get_response(request)
        wait = seconds_to_wait(request)
        if wait is None:
            return self.get_response(request)
        return too_many(request, wait)


class PageVerdicts:
    """Records the verdicts that pages show under an id (`aeo.web.caching.shows`), before they leave."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request; if a required record cannot be written, answer as if there were no release."""
        response = self.get_response(request)
        given = getattr(response, "given", None)
        # No one sees the answer to HEAD.
        if given is None or request.method != "GET":
            return response
        try:
            recording.record(given, channel="page", language=active())
        except NotRecorded:
            return not_ready(request)
        note_verdict(response, given, "page")
        return response
