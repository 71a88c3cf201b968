"""What all views of the API share: who calls, their limit, conditions and caching of reads.

A read names its `Operation` and makes an answer; everything else about HTTP happens here.
"""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.views import APIView

from compliance.api.protocol import limits
from compliance.api.protocol.bodies import json_response
from compliance.api.protocol.caching import UNMOVED, VARY, Beside, not_modified, stamp
from compliance.api.protocol.callers import (
    ANONYMOUS,
    Caller,
    caller_of,
    check_origin,
    identify,
    partner_headers,
)
from compliance.api.protocol.environment import SERVICE, Place
from compliance.api.protocol.errors import ApiError, problem_of
from compliance.api.protocol.negotiation import check_accepts_json
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.parameters import Query, is_private, read_query
from rules.corpus import Published


class ServiceView(APIView):
    """One operation. Who calls is known and the request is counted before a method of a view begins.

    Every answer, an error too, says what it depends on, what is left of the caller's limit, and to partners
    where their terms are.
    """

    operation: ClassVar[Operation]
    place: Place = SERVICE
    told: dict[str, str]
    """Headers that the answer carries whatever it is."""
    spent: limits.Spent
    """What is left of the caller's limit, once the request was counted."""

    def dispatch(self, request: HttpRequest, *args: Any, **path: str) -> HttpResponse:
        """Answer a request.

        It replaces the `dispatch` of Django REST framework, which spends as long on parsers, renderers,
        versions and a request around the request as a verdict takes. The rest of the framework describes the
        views in the contract (decision 17).
        """
        self.told = {"Vary": VARY}
        try:
            self._let_through(request)
            response = self._method(request)(request, **path)
        except Exception as error:
            response = problem_of(request, self.place.explained(error))
        for name, value in self.told.items():
            response.headers[name] = value
        return response

    def spend(self, request: HttpRequest, requests: int) -> None:
        """Count so many requests beside the one that this is, all of them or none. Raises `ApiError`."""
        limits.check_more(self.spent, caller_of(request), requests)
        if requests:
            self._count(request, caller_of(request), requests)

    def _count(self, request: HttpRequest, caller: Caller, requests: int = 1) -> None:
        self.spent = limits.count(
            request, caller, requests, group=self.place.limit_group, allowed=self.place.rate(caller)
        )
        self.told |= limits.limit_headers(self.spent)
        limits.check(self.spent)

    def _let_through(self, request: HttpRequest) -> None:
        """Let a request through, or raise what is wrong with it; note what its answer has to say anyway."""
        caller = ANONYMOUS
        try:
            caller = identify(request)
            self.told |= partner_headers(caller)
        finally:
            # Also after a wrong key, by the address: nobody tries out keys faster than the limit lets them.
            self._count(request, caller)
        check_origin(request, caller)
        check_accepts_json(request)

    def _method(self, request: HttpRequest) -> Callable[..., HttpResponse]:
        """Return what answers the method of a request. Raises `ApiError`."""
        name = (request.method or "").lower()
        if name not in self.http_method_names or not hasattr(self, name):
            raise ApiError("METHOD_NOT_ALLOWED", headers={"Allow": ", ".join(self.allowed_methods)})
        method: Callable[..., HttpResponse] = getattr(self, name)
        return method

    def options(self, request: HttpRequest, *args: Any, **path: Any) -> Any:
        """Name the methods. A browser's question about other sites is answered before it gets here."""
        response = HttpResponse(
            status=HTTPStatus.NO_CONTENT, headers={"Allow": ", ".join(self.allowed_methods)}
        )
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
    """A GET of a release. Views say what it answers; for a known entity tag nobody asks them."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, **path: str) -> HttpResponse:
        """Answer from the current release, or with 304 where the caller holds that answer."""
        caller = caller_of(request)
        now = timezone.now()
        published = self.place.release(now)
        private = is_private(request, self.operation.query)
        beside = self.beside(published, caller, **path)
        state = stamp(request, published, caller, now, beside)
        if not private and state.is_held(request):
            return state.put_on(not_modified(), caller)
        query = read_query(request, self.operation.query)
        response = json_response(self.answer(Reading(published, now, query, caller, beside), **path))
        if private:
            return response
        return state.put_on(not_modified() if state.is_old(request) else response, caller)

    def head(self, request: HttpRequest, **path: str) -> HttpResponse:
        """Answer as to a GET; the middleware takes the body away.

        Django would let `head` be `get` in each view that it makes. Such a view holds itself, and with it the
        request, until the garbage collector comes by.
        """
        return self.get(request, **path)

    def beside(self, published: Published, caller: Caller, **path: str) -> Beside:
        """Return the state of what an answer depends on beside the release; most depend on nothing else."""
        return UNMOVED

    def answer(self, reading: Reading, **path: str) -> msgspec.Struct:
        """Return the body of the answer. Raises `ApiError`, or an error that `errors` knows."""
        raise NotImplementedError
