"""Cached answers of addresses with the same content for everyone, given before any other work.

Views say how long such an answer may be cached (`aeo.web.caching.CacheLife`). It is then cached as bytes with
its headers, and each compression of it is made once; so is the 304 for clients that already have it. The
first answer also comes from the cache, so all answers have the same bytes.

The cache is emptied with each new release. After any other change of the pages' data
(`catalog.database.cached_values.generation`) the view is asked once whether the answer is still the same, as
browsers ask: it makes the answer again only if the entity tag is another one. So the cache always gives what
the view would give. It contains nothing that a visitor typed, except a query string that names a page of a
list. Answers are cached only if a thread renews what this process knows. `WARM_PAGES_BYTES` is the limit; the
answers whose last request is oldest are removed first. The settings list the middleware.
"""

import datetime
import re
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from aeo.web.caching import LONGEST_SECONDS, CacheLife, cache_control
from aeo.web.codings import WORTH_COMPRESSING, coding_of, compressed, is_compressible
from aeo.web.negotiation import preferred
from catalog.database import cached_values
from compliance.api.protocol.prefixes import FOR_PROGRAMS
from compliance.middleware.pages import ASKED
from compliance.operations.accounting import PARTNERS, READS
from rules import corpus
from rules.corpus import Published

PAGE_OF_A_LIST = re.compile(r"(page=[1-9][0-9]{0,5})?")
"""The query strings of answers that are cached."""

ELSEWHERE = (*ASKED, *FOR_PROGRAMS, f"/{settings.ADMIN_PATH}", PARTNERS, "/static/")
"""The prefixes of addresses whose answers are never cached."""

LARGEST_PART = 8
"""No answer may take more than this part of the room."""

OVERHEAD_BYTES = 2_000
"""The memory that an answer takes in addition to its bytes."""

CACHED_STATUSES = {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}

IF_NONE_MATCH = "HTTP_IF_NONE_MATCH"

STRICT_CONDITIONS = {"HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE"}
"""With these, a reader wants an error if the answer is another one."""

CONDITIONS = {IF_NONE_MATCH, "HTTP_IF_MODIFIED_SINCE", *STRICT_CONDITIONS}


class Key(NamedTuple):
    """What distinguishes two answers. Only our own hosts get a cached answer."""

    scheme: str
    host: str
    path: str
    query: str
    form: str


class State(NamedTuple):
    """What all cached answers depend on, apart from the time."""

    release: Published | None
    generation: int


class Ready:
    """The cache of one address: the answer, the 304 of it, or both, and the last state with this answer."""

    def __init__(self, etag: str, keeping: CacheLife) -> None:
        self.etag = etag
        self.keeping = keeping
        self.state: State | None = None
        self.headers: dict[str, str] = {}
        self.bodies: dict[str, bytes] = {}
        self.not_modified: dict[str, str] = {}
        self.route: ResolverMatch | None = None
        self.counted = 0

    def take(self, response: HttpResponse, route: ResolverMatch | None, state: State) -> None:
        """Cache an answer, or a 304, with the route that was found for it in a state."""
        self.route, self.state = route, state
        headers = dict(response.items())
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            self.not_modified = headers
            return
        headers.pop("Content-Length", None)
        self.headers, self.bodies = headers, {"": response.content}

    def answer(self, request: HttpRequest, now: datetime.datetime) -> HttpResponse | None:
        """Return the answer to a request, or a 304; nothing if the needed part is not cached."""
        if not CONDITIONS.isdisjoint(request.META):
            found = get_conditional_response(request, etag=self.etag, last_modified=self.keeping.changed)
            if isinstance(found, HttpResponseNotModified):
                return self._not_modified(now)
            if found is not None:
                return None
        if not self.bodies:
            return None
        coding = coding_of(request.META.get("HTTP_ACCEPT_ENCODING", "")) if self._is_worth_it() else ""
        body = self._body(coding)
        headers = {**self.headers, "Content-Length": str(len(body))}
        if coding:
            headers["Content-Encoding"] = coding
        self._date(headers, now)
        return HttpResponse(body, headers=headers)

    def size(self) -> int:
        """Return how many bytes are cached."""
        return OVERHEAD_BYTES + sum(map(len, self.bodies.values()))

    def _not_modified(self, now: datetime.datetime) -> HttpResponse | None:
        if not self.not_modified:
            return None
        headers = self.not_modified.copy()
        self._date(headers, now)
        response = HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        if "Content-Type" not in headers:
            del response.headers["Content-Type"]
        return response

    def _date(self, headers: dict[str, str], now: datetime.datetime) -> None:
        end = self.keeping.ends_at
        if end is not None and (end - now).total_seconds() < LONGEST_SECONDS:
            headers["Cache-Control"] = cache_control(self.keeping, now)

    def _is_worth_it(self) -> bool:
        return (
            len(self.bodies[""]) >= WORTH_COMPRESSING
            and not self.keeping.exact
            and is_compressible(self.headers["Content-Type"])
        )

    def _body(self, coding: str) -> bytes:
        if coding not in self.bodies:
            self.bodies[coding] = compressed(self.bodies[""], coding)
        return self.bodies[coding]


class Store:
    """All cached answers of one release, the oldest request first."""

    def __init__(self) -> None:
        self._ready: OrderedDict[Key, Ready] = OrderedDict()
        self._release: Published | None = None
        self.bytes = 0
        self._lock = Lock()

    def addresses(self) -> list[Key]:
        """Return the cached addresses, the oldest request first."""
        return list(self._ready)

    def forget(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._ready.clear()
            self.bytes = 0

    def get(self, key: Key, release: Published | None, now: datetime.datetime) -> Ready | None:
        """Return the cache of an address in a release; everything of another release is dropped."""
        with self._lock:
            if release is not self._release:
                self._ready.clear()
                self._release, self.bytes = release, 0
            found = self._ready.get(key)
            if found is None:
                return None
            end = found.keeping.ends_at
            if end is not None and now >= end:
                self._drop(key)
                return None
            self._ready.move_to_end(key)
            return found

    def put(self, key: Key, ready: Ready, release: Published | None) -> None:
        """Cache an answer, unless it is of another release or too large, and make room for it."""
        size = ready.size()
        with self._lock:
            if release is not self._release or size * LARGEST_PART > settings.WARM_PAGES_BYTES:
                return
            self._drop(key)
            self._ready[key] = ready
            ready.counted = size
            self.bytes += size
            while self.bytes > settings.WARM_PAGES_BYTES:
                self._drop(next(iter(self._ready)))

    def _drop(self, key: Key) -> None:
        found = self._ready.pop(key, None)
        if found is not None:
            self.bytes -= found.counted


STORE = Store()


class WarmPages:
    """Gives cached answers, and caches answers that views allow to be cached."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        key = _key(request)
        if key is None:
            return self.get_response(request)
        now, state = timezone.now(), _state()
        ready = STORE.get(key, state.release, now)
        is_old = ready is not None and ready.state != state
        if ready is not None and not is_old and (answer := ready.answer(request, now)) is not None:
            request.resolver_match = ready.route
            if ready.size() != ready.counted:
                # This call has just compressed it in another way.
                STORE.put(key, ready, state.release)
            return answer
        response = self.get_response(request) if ready is None else self._ask_again(request, ready)
        keeping = getattr(response, "keeping", None)
        if (
            keeping is None
            or response.status_code not in CACHED_STATUSES
            or not isinstance(response, HttpResponse)
        ):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if ready is None or ready.etag != response["ETag"]:
            ready = Ready(response["ETag"], keeping)
        ready.take(response, request.resolver_match, state)
        answer = ready.answer(request, now)
        if _state() == state:
            STORE.put(key, ready, state.release)
        return response if answer is None else answer

    def _ask_again(self, request: HttpRequest, ready: Ready) -> HttpResponseBase:
        """Get an answer from the view: 304 if the cached one is still the same, as if the reader had it."""
        theirs = request.META.get(IF_NONE_MATCH, "")
        if not ready.bodies or theirs.strip() == "*" or not STRICT_CONDITIONS.isdisjoint(request.META):
            return self.get_response(request)
        request.META[IF_NONE_MATCH] = f"{theirs}, {ready.etag}" if theirs else ready.etag
        try:
            return self.get_response(request)
        finally:
            # The cached answer is then given as its reader asked for it.
            del request.META[IF_NONE_MATCH]
            if theirs:
                request.META[IF_NONE_MATCH] = theirs


def _state() -> State:
    return State(corpus.status().release, cached_values.generation())


def _key(request: HttpRequest) -> Key | None:
    """Return the key of the answer to a request; nothing if it must not be cached."""
    meta, path = request.META, request.path_info
    query = meta.get("QUERY_STRING", "")
    if (
        request.method not in READS
        or not cached_values.is_renewed()
        or path.startswith(ELSEWHERE)
        or PAGE_OF_A_LIST.fullmatch(query) is None
        or settings.DEBUG
    ):
        return None
    return Key(request.scheme or "", meta.get("HTTP_HOST", ""), path, query, preferred(request))
