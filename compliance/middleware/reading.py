"""Middleware for everything that is read without asking: a limit, and no unknown parameters in addresses.

Both come before the cache of pages. The settings list them.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.encoding import escape_uri_path
from django.utils.http import escape_leading_slashes

from aeo.texts import speaking
from aeo.web.languages import split
from aeo.web.parameters import parameters_of
from compliance.limits.reading import count_bytes, seconds_to_wait
from compliance.middleware.request_envelope import PROBED
from compliance.operations.accounting import ADMIN_PREFIX, READS, is_for_the_signed_in

FILES = "/static/"
REDIRECT_SECONDS = 24 * 60 * 60

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class ReadingLimits:
    """Refuses what an address reads beyond READING_RATE, except at the desk, which only staff can read."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Count a request by its cost, and answer it or refuse it."""
        path = request.path_info
        if path.startswith(ADMIN_PREFIX) or path in PROBED:
            return self.get_response(request)
        # Small files belong to a page that has been counted.
        wait = None if path.startswith(FILES) else seconds_to_wait(request)
        if wait is not None:
            return too_many(request, wait)
        response = self.get_response(request)
        if request.method != "HEAD":
            count_bytes(request, _size(response))
        return response


class PlainAddresses:
    """Redirects to the address without the parameters that its view does not declare.

    Otherwise each of them would be another address for every cache, and the same answer would be made again.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        query = request.META.get("QUERY_STRING", "")
        if not query or request.method not in READS:
            return self.get_response(request)
        names = _taken(request.path_info)
        kept = None if names is None else _known(request.GET, names)
        if kept is None:
            return self.get_response(request)
        address = escape_leading_slashes(escape_uri_path(request.path_info))
        response = HttpResponsePermanentRedirect(f"{address}?{kept}" if kept else address)
        response.headers["Cache-Control"] = f"public, max-age={REDIRECT_SECONDS}"
        return response


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the page that says when to come back, in the language of the address."""
    with speaking(split(request.path_info)[0]):
        response = render(request, "429.html", {"seconds": seconds}, status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(seconds)
    response.headers["Cache-Control"] = "no-store"
    return response


def _taken(path: str) -> frozenset[str] | None:
    """Return the parameters that an address takes; None if it takes any. An unknown address takes none."""
    if path.startswith(FILES) or is_for_the_signed_in(path):
        return None
    try:
        return parameters_of(resolve(split(path)[1]).func)
    except Resolver404:
        return frozenset()


def _known(given: QueryDict, names: frozenset[str]) -> str | None:
    """Return the query string of known parameters, each once; None if there is nothing else."""
    if given.keys() <= names and all(len(values) == 1 for _, values in given.lists()):
        return None
    # Views read the last one.
    only = QueryDict(mutable=True)
    for name in given:
        if name in names:
            only.setlist(name, given.getlist(name)[-1:])
    return only.urlencode()


def _size(response: HttpResponseBase) -> int:
    """Return how many bytes an answer has; 0 if nobody knows."""
    length = response.headers.get("Content-Length")
    if length is not None:
        return int(length)
    return len(response.content) if isinstance(response, HttpResponse) else 0
