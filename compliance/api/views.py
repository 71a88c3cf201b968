"""What all views of the API share: who calls, their limit, conditions and caching of reads.

A read names its `Operation` and makes an answer; everything else about HTTP happens here.
"""

import datetime
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from compliance.api.bodies import json_response
from compliance.api.caching import UNMOVED, VARY, Beside, not_modified, stamp
from compliance.api.callers import Caller, caller_of, partner_headers
from compliance.api.operations import Operation
from compliance.api.parameters import Query, is_private, read_query
from rules import corpus
from rules.corpus import Published


class ServiceView(APIView):
    """One operation. Who calls is known and the request is counted before a method of a view begins.

    Every answer, an error too, says what it depends on, what is left of the caller's limit, and to partners
    where their terms are.
    """

    operation: ClassVar[Operation]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Return the headers of every answer, before anything is known of the request."""
        return {**super().default_response_headers, "Vary": VARY}

    def initial(self, request: Request, *args: Any, **path: Any) -> None:
        """Let a request through, or raise what is wrong with it."""
        self.format_kwarg = None
        try:
            self.perform_authentication(request)
            self.headers |= partner_headers(caller_of(request))
        finally:
            # Also after a wrong key, by the address: nobody tries out keys faster than the limit lets them.
            self.check_throttles(request)
        self.check_permissions(request)
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)

    def options(self, request: HttpRequest, *args: Any, **path: Any) -> Any:
        """Name the methods. A browser's question about other sites is answered before it gets here."""
        response = HttpResponse(status=HTTPStatus.NO_CONTENT)
        del response["Content-Type"]
        return response


@dataclass(frozen=True)
class Reading:
    """What a read answers from: the release, the instant, the query, who asks, and what lies beside."""

    published: Published
    now: datetime.datetime
    query: Query
    caller: Caller
    beside: Beside = UNMOVED

    @property
    def today(self) -> datetime.date:
        """Return the day of asking, UTC."""
        return self.now.date()


class ReadView(ServiceView):
    """A GET of the published release. Views say what it answers; for a known entity tag nobody asks them."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: Request, **path: str) -> HttpResponse:
        """Answer from the current release, or with 304 where the caller holds that answer."""
        asked, caller = request._request, caller_of(request)
        published, now = corpus.current(), timezone.now()
        private = is_private(asked, self.operation.query)
        beside = self.beside(published, caller, **path)
        state = stamp(asked, published, caller, now, beside)
        if not private and state.is_held(asked):
            return state.put_on(not_modified(), caller)
        query = read_query(asked, self.operation.query)
        response = json_response(self.answer(Reading(published, now, query, caller, beside), **path))
        if private:
            return response
        return state.put_on(not_modified() if state.is_old(asked) else response, caller)

    def beside(self, published: Published, caller: Caller, **path: str) -> Beside:
        """Return the state of what an answer depends on beside the release; most depend on nothing else."""
        return UNMOVED

    def answer(self, reading: Reading, **path: str) -> msgspec.Struct:
        """Return the body of the answer. Raises `ApiError`, or an error that `errors` knows."""
        raise NotImplementedError
