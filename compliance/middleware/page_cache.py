"""Ready answers of addresses that say the same to everybody, held as bytes and given before any other work.

Views say of such an answer how long it may be kept (`aeo.web.caching.CacheLife`). It is then held with its
headers, and each compression of it is made once; so is the 304 that goes to who holds it already. A cold
answer is given from what is held as well, so warm and cold answers are the same bytes.

What is held ends with the edition, and with anything else that pages are made of
(`catalog.database.cached_values.generation`), so it never says anything but what the view would say. Nothing
that a visitor typed is held: a query string at most names a page of a list. Answers are held only where a
thread renews what this process knows, in `WARM_PAGES_BYTES`; what nobody asked for longest makes room. The
settings list the middleware.
"""

import datetime
import gzip
import re
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from threading import Lock
from typing import NamedTuple

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from aeo.web.caching import LONGEST_SECONDS, CacheLife, cache_control
from aeo.web.negotiation import preferred
from catalog.database import cached_values
from compliance.api.protocol.prefixes import FOR_PROGRAMS
from compliance.middleware.pages import ASKED, COMPRESSED
from rules import corpus

PAGE_OF_A_LIST = re.compile(r"(page=[1-9][0-9]{0,5})?")
"""The query strings of answers that are held."""

ELSEWHERE = (*ASKED, *FOR_PROGRAMS, f"/{settings.ADMIN_PATH}", "/static/")
"""Where addresses begin whose answers are never held."""

WORTH_COMPRESSING = 200
"""Bytes. A shorter answer is sent as it is."""

LARGEST_PART = 8
"""No answer may take more than this part of the room."""

OVERHEAD_BYTES = 2_000
"""What an answer takes beside its bytes."""

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=5),
    # Without a time inside, so that the same answer is the same bytes.
    "gzip": lambda body: gzip.compress(body, compresslevel=6, mtime=0),
}
"""The better one first."""

HELD = {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}

CONDITIONS = {"HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE"}


class Key(NamedTuple):
    """What tells two answers apart. Only hosts that are ours get an answer that is held."""

    scheme: str
    host: str
    path: str
    query: str
    form: str


class Ready:
    """What is held of an address: the answer, the 304 of it, or both."""

    def __init__(self, etag: str, keeping: CacheLife) -> None:
        self.etag = etag
        self.keeping = keeping
        self.headers: dict[str, str] = {}
        self.bodies: dict[str, bytes] = {}
        self.not_modified: dict[str, str] = {}
        self.route: ResolverMatch | None = None
        self.counted = 0

    def take(self, response: HttpResponse, route: ResolverMatch | None) -> None:
        """Hold an answer, or a 304, and by which route it was found."""
        self.route = route
        headers = dict(response.items())
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            self.not_modified = headers
            return
        headers.pop("Content-Length", None)
        self.headers, self.bodies = headers, {"": response.content}

    def answer(self, request: HttpRequest, now: datetime.datetime) -> HttpResponse | None:
        """Return the answer to a request, or a 304; nothing where what it needs is not held."""
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
            # These bytes are one way to send what the tag names.
            headers |= {"Content-Encoding": coding, "ETag": f"W/{self.etag}"}
        self._date(headers, now)
        return HttpResponse(body, headers=headers)

    def size(self) -> int:
        """Return how many bytes are held."""
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
        return len(self.bodies[""]) >= WORTH_COMPRESSING and self.headers["Content-Type"].startswith(
            COMPRESSED
        )

    def _body(self, coding: str) -> bytes:
        if coding not in self.bodies:
            self.bodies[coding] = COMPRESSORS[coding](self.bodies[""])
        return self.bodies[coding]


class Store:
    """What is held, the least recently asked for first, all of one state of the world."""

    def __init__(self) -> None:
        self._ready: OrderedDict[Key, Ready] = OrderedDict()
        self._state: object = None
        self.bytes = 0
        self._lock = Lock()

    def addresses(self) -> list[Key]:
        """Return what is held, the least recently asked for first."""
        return list(self._ready)

    def forget(self) -> None:
        """Hold nothing."""
        with self._lock:
            self._ready.clear()
            self.bytes = 0

    def get(self, key: Key, state: object, now: datetime.datetime) -> Ready | None:
        """Return what is held of an address in a state; whatever is of another state is dropped."""
        with self._lock:
            if state != self._state:
                self._ready.clear()
                self._state, self.bytes = state, 0
            found = self._ready.get(key)
            if found is None:
                return None
            end = found.keeping.ends_at
            if end is not None and now >= end:
                self._drop(key)
                return None
            self._ready.move_to_end(key)
            return found

    def put(self, key: Key, ready: Ready, state: object) -> None:
        """Hold something, unless it is of another state or too large, and make room for it."""
        size = ready.size()
        with self._lock:
            if state != self._state or size * LARGEST_PART > settings.WARM_PAGES_BYTES:
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
    """Gives what is held, and holds what views say may be kept."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        key = _key(request)
        if key is None:
            return self.get_response(request)
        now = timezone.now()
        state = _state()
        ready = STORE.get(key, state, now)
        if ready is not None and (answer := ready.answer(request, now)) is not None:
            request.resolver_match = ready.route
            if ready.size() != ready.counted:
                # It was compressed in another way just now.
                STORE.put(key, ready, state)
            return answer
        # Whoever compresses answers leaves this one to us.
        request.compressed_outside = True  # type: ignore[attr-defined]
        response = self.get_response(request)
        keeping = getattr(response, "keeping", None)
        if keeping is None or response.status_code not in HELD or not isinstance(response, HttpResponse):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if ready is None or ready.etag != response["ETag"]:
            ready = Ready(response["ETag"], keeping)
        ready.take(response, request.resolver_match)
        answer = ready.answer(request, now)
        if _state() == state:
            STORE.put(key, ready, state)
        return response if answer is None else answer


def _state() -> tuple[object, int]:
    """Return what everything that is held follows from, beside the instant."""
    return corpus.standing().release, cached_values.generation()


def _key(request: HttpRequest) -> Key | None:
    """Return what tells the answer to a request from others; nothing where it is not to be held."""
    meta, path = request.META, request.path_info
    query = meta.get("QUERY_STRING", "")
    if (
        request.method not in {"GET", "HEAD"}
        or not cached_values.is_renewed()
        or path.startswith(ELSEWHERE)
        or PAGE_OF_A_LIST.fullmatch(query) is None
        or settings.DEBUG
    ):
        return None
    return Key(request.scheme or "", meta.get("HTTP_HOST", ""), path, query, preferred(request))


# Browsers and crawlers send a handful of headers.
@lru_cache(maxsize=64)
def coding_of(header: str) -> str:
    """Return how to compress for an `Accept-Encoding` header (RFC 9110, section 12.5.3); empty for not."""
    wanted: dict[str, float] = {}
    for item in header.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        quality = next((one[2:] for one in parameters if one.startswith("q=")), "1")
        wanted[name] = float(quality) if re.fullmatch(r"[01](\.[0-9]{0,3})?", quality) else 0.0
    found = max(COMPRESSORS, key=lambda coding: wanted.get(coding, 0.0))
    return found if wanted.get(found, 0.0) > 0 else ""
