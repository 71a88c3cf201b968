"""The shared parts of all views of the API: callers, their limit, conditions and caching of reads.

A read names its `Operation` and makes an answer; everything else about HTTP happens here.
"""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.views import APIView

from compliance.api.protocol import limits
from compliance.api.protocol.bodies import json_response
from compliance.api.protocol.caching import UNMOVED, VARY, VARY_OF_SIGNED, ExtraState, not_modified, stamp
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
from compliance.api.protocol.parameters import Query, is_private, read_query, text
from rules.corpus import Published, check_version

READS = {"get", "head", "options"}


class ServiceView(APIView):
    """One operation. The caller is identified and the request counted before a method of a view begins.

    Every answer, also an error, has headers that say what it depends on, what is left of the caller's limit,
    and for partners the address of their terms.
    """

    operation: ClassVar[Operation]
    operations: ClassVar[Mapping[str, Operation]] = {}
    """The operations of methods that do something else, by method."""
    place: Place = SERVICE
    more_headers: dict[str, str]
    """Headers that every answer needs, whatever it is."""
    spent: limits.Spent
    """What is left of the caller's limit after this request."""

    def dispatch(self, request: HttpRequest, *args: Any, **path: str) -> HttpResponse:
        """Answer a request.

        It replaces the `dispatch` of Django REST framework, which spends as much time on parsers, renderers,
        versions and a wrapper of the request as a verdict takes. The rest of the framework describes the
        views in the contract (decision 17).
        """
        self.more_headers = {"Vary": VARY_OF_SIGNED if self.operation.signed else VARY}
        try:
            self._let_through(request)
            response = self._method(request)(request, **path)
        except Exception as error:
            response = problem_of(request, self.place.explained(error))
        for name, value in self.more_headers.items():
            response.headers[name] = value
        return response

    def spend(self, request: HttpRequest, requests: int) -> None:
        """Count so many requests in addition to this one, all of them or none. Raises `ApiError`."""
        limits.check_more(self.spent, caller_of(request), requests)
        if requests:
            self._count(request, caller_of(request), requests)

    def _count(self, request: HttpRequest, caller: Caller, requests: int = 1) -> None:
        self.spent = limits.count(
            request, caller, requests, group=self.place.limit_group, allowed=self.place.rate(caller)
        )
        self.more_headers |= limits.limit_headers(self.spent)
        limits.check(self.spent)

    def _let_through(self, request: HttpRequest) -> None:
        """Accept a request or raise its error; note the headers that its answer needs in both cases."""
        caller = ANONYMOUS
        try:
            caller = identify(request)
            self.more_headers |= partner_headers(caller)
        finally:
            # Also after a wrong key, by the address: the limit applies to trying keys, too.
            self._count(request, caller)
        check_origin(request, caller)
        check_accepts_json(request)

    def _method(self, request: HttpRequest) -> Callable[..., HttpResponse]:
        """Return the function for a request. Raises `ApiError`, also for parameters of a POST."""
        name = (request.method or "").lower()
        if name not in self.http_method_names or not hasattr(self, name):
            raise ApiError("METHOD_NOT_ALLOWED", headers={"Allow": ", ".join(self.allowed_methods)})
        if name not in READS and request.META.get("QUERY_STRING"):
            # A fact in the address instead of the body would not be judged.
            read_query(request, ())
        method: Callable[..., HttpResponse] = getattr(self, name)
        return method

    def options(self, request: HttpRequest, *args: Any, **path: Any) -> Any:
        """Name the methods. A browser's preflight from another site is answered before it gets here."""
        response = HttpResponse(
            status=HTTPStatus.NO_CONTENT, headers={"Allow": ", ".join(self.allowed_methods)}
        )
        del response["Content-Type"]
        return response


@dataclass(frozen=True)
class Reading:
    """The inputs of a read: the release, the instant, the query, the caller, and state without a release."""

    published: Published
    now: datetime.datetime
    query: Query
    caller: Caller
    extra_state: ExtraState = UNMOVED

    @property
    def today(self) -> datetime.date:
        """Return the day of asking, UTC."""
        return self.now.date()


RULESET_VERSION = text(
    "ruleset_version",
    "The ruleset that must answer. Any version except the current one is refused with "
    "`RULESET_VERSION_NOT_CURRENT`. Absent: the current one.",
    most=64,
    example="2026-11-20",
)
"""A parameter of every read."""


class ReadView(ServiceView):
    """A GET of a release. Views make the answer; for a known entity tag they are not called."""

    http_method_names = ["get", "head", "options"]

    def get(self, request: HttpRequest, **path: str) -> HttpResponse:
        """Answer from the current release, or with 304 if the caller has that answer cached."""
        caller = caller_of(request)
        now = timezone.now()
        published = self.place.release(now)
        private = is_private(request, self.operation.query)
        extra_state = self.extra_state(published, caller, **path)
        state = stamp(request, published, caller, now, extra_state)
        if not private and state.is_current(request):
            return state.put_on(not_modified(), caller)
        query = read_query(request, (*self.operation.query, RULESET_VERSION))
        check_version(published, query[RULESET_VERSION])
        response = json_response(self.answer(Reading(published, now, query, caller, extra_state), **path))
        if private:
            return response
        return state.put_on(not_modified() if state.is_old(request) else response, caller)

    def head(self, request: HttpRequest, **path: str) -> HttpResponse:
        """Answer as to a GET; the middleware removes the body.

        Django would set `head` to `get` in each view that it makes. Such a view refers to itself, and so
        keeps the request in memory until the garbage collector runs.
        """
        return self.get(request, **path)

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return the state that an answer depends on apart from the release; most depend on nothing else."""
        return UNMOVED

    def answer(self, reading: Reading, **path: str) -> msgspec.Struct:
        """Return the body of the answer. Raises `ApiError`, or an error that `errors` knows."""
        raise NotImplementedError
