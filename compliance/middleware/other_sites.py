"""Refuses forms that a page of another site sends to the public pages.

The public pages have no session, so no cookie could be misused. But a page of another site could make its
visitors' browsers write here, and use up what their address may do. Programs send neither `Origin` nor
`Sec-Fetch-Site`, and are served. The admin has tokens, and operations of the API compare origins themselves.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from compliance.api.protocol.callers import is_of_another_site
from compliance.operations.accounting import ADMIN_PREFIX, READS

CHANGES_NOTHING = READS | {"OPTIONS"}


class OtherSites:
    """Lets only our own pages, and programs, send forms."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request, or refuse it unread."""
        is_public = not request.path_info.startswith(ADMIN_PREFIX)
        if request.method in CHANGES_NOTHING or not is_public or not is_of_another_site(request):
            return self.get_response(request)
        response = render(request, "site/other_site.html", status=HTTPStatus.FORBIDDEN)
        response.headers["Cache-Control"] = "no-store"
        # The address can be the secret one of a watch.
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
