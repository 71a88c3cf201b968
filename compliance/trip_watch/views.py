"""/watch: making a watch, and its page, feed, calendar and data.

The address is the only key. So no cache keeps an answer, no search engine lists one, and no page that is
opened from it receives the address as referrer. An unknown secret, the secret of a watch that is over, and a
text that is no secret get the same answer.
"""

import datetime
import functools
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.db import Error as DatabaseFailure
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.http import require_POST, require_safe

from aeo import editions
from aeo.editions import Edition
from aeo.itineraries.reading import read as read_itinerary
from aeo.itineraries.undated import with_needed_dates
from aeo.itineraries.writing import query
from aeo.itineraries.written import written
from aeo.texts import active, speaking
from aeo.trips.itinerary import read as read_trip
from aeo.web.addresses import address
from aeo.web.caching import not_ready, public, tag
from aeo.web.formatting import day
from aeo.web.languages import localized
from aeo.web.parameters import takes_any
from compliance.trip_watch.actions import TooManyWatches, end_watch, make_watch
from compliance.trip_watch.formats import WRITTEN
from compliance.trip_watch.questions import Watched as WatchedQuestion
from compliance.trip_watch.rate_limit import too_many
from compliance.trip_watch.reading import Watched, find, flights, what
from rules import verdicts
from rules.corpus import CorpusUnavailable

LONGEST_QUESTION = 4096
"""Characters of a trip or an itinerary in its address; a longer one would be cut into another question."""

MOST_BYTES = 16 * 1024
"""The size limit of a form with such a question.

Files, which a form may contain too, would be written to the disk.
"""

PRIVATE = {
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

View = Callable[..., HttpResponseBase]


def _secretly(view: View) -> View:
    """Mark every answer of a view as private, and answer if nothing can be read."""

    @functools.wraps(view)
    def answer(request: HttpRequest, **path: Any) -> HttpResponseBase:
        try:
            response = view(request, **path)
        except (CorpusUnavailable, DatabaseFailure):
            response = not_ready(request)
        for name, value in PRIVATE.items():
            response.headers[name] = value
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return answer


@require_POST
@_secretly
def make(request: HttpRequest) -> HttpResponseBase:
    """Watch the trip or the itinerary that the form names, and lead to the page of the watch.

    What has no verdict is not watched, and leads to the page that asks for the rest.
    """
    if _declared_bytes(request) > MOST_BYTES:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    kind = "itinerary" if "itinerary" in request.POST else "trip"
    text = request.POST.get(kind, "")
    if len(text) > LONGEST_QUESTION:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    now, parameters = timezone.now(), QueryDict(text)
    edition = editions.current(now)
    question = _itinerary(parameters, edition, now) if kind == "itinerary" else _trip(parameters, edition)
    if question is None:
        return _led_to(f"{localized(f'/{kind}')}?{parameters.urlencode()}")
    if seconds := too_many(request):
        return _later(request, seconds)
    try:
        made = make_watch(release=edition.release, question=question, language=active(), now=now)
    except TooManyWatches:
        return not_ready(request)
    return _led_to(localized(f"/watch/{made.secret}"))


def _trip(parameters: QueryDict, edition: Edition) -> WatchedQuestion | None:
    """Return the question about a trip; None if its page gives no verdict."""
    trip = read_trip(parameters, edition.release, edition.today)
    return trip.question if trip.complete and trip.rating is None else None


def _itinerary(parameters: QueryDict, edition: Edition, now: datetime.datetime) -> WatchedQuestion | None:
    """Return the question about an itinerary; None if its page gives no verdict."""
    asked = read_itinerary(written(parameters), edition.release, edition.today)
    # A sentence that is not confirmed yet, and buttons that let the form grow, are no part of an answer.
    if not asked.complete or query(asked) != parameters.urlencode():
        return None
    question = asked.question(edition.release)
    answer = verdicts.itinerary_answer_from(edition.release, question, now=now)
    return question if with_needed_dates(asked, answer).complete else None


@require_safe
@_secretly
@takes_any
def page(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Show a watch, with its other addresses."""
    watched = _found(secret)
    edition = editions.current(timezone.now())
    here = f"/watch/{secret}"
    path, _, parameters = watched.trip.partition("?")
    context = {
        "watched": watched,
        "behind": watched.is_behind(edition.release.sha256, edition.today),
        "what": what(watched, day(watched.days[0])),
        "flights": tuple(flights(watched, edition.release)),
        "url": address(here),
        "trip": f"{localized(path)}?{parameters}",
        "end": f"{localized(here)}/end",
        **{ending: address(f"{here}.{ending}") for ending in WRITTEN},
    }
    return render(request, "site/watch.html", context)


@require_safe
@_secretly
@takes_any
def subscribed(request: HttpRequest, secret: str, ending: str) -> HttpResponseBase:
    """Give a watch as a feed, a calendar or data, or say that it has not changed.

    If the workers have not run for an hour, nothing is given: the verdict may no longer be valid.
    """
    watched = _found(secret)
    now = timezone.now()
    if watched.is_lost(editions.current(now).release, now):
        return not_ready(request)
    etag = tag(watched.watch.watch_id, watched.now.number, ending)
    changed = int(watched.now.since.timestamp())
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag, last_modified=changed)
    if response is None:
        content_type, write = WRITTEN[ending]
        with speaking(watched.watch.language):
            response = HttpResponse(write(watched), content_type=content_type)
    response.headers["ETag"] = etag
    response.headers["Last-Modified"] = http_date(changed)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@require_POST
@_secretly
def end(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Delete a watch, and lead to the page that confirms it."""
    _found(secret)
    end_watch(secret)
    return _led_to(localized("/watch/ended"))


@public
def ended(request: HttpRequest) -> HttpResponseBase:
    """Say that a watch has ended."""
    return render(request, "site/watch_ended.html")


def _declared_bytes(request: HttpRequest) -> int:
    """Return the declared length of a body; a body without a declared length is not read at all."""
    length = request.META.get("CONTENT_LENGTH") or ""
    return int(length) if length.isdecimal() else 0


def _found(secret: str) -> Watched:
    watched = find(secret, now=timezone.now())
    if watched is None:
        raise Http404
    return watched


def _led_to(path: str) -> HttpResponse:
    return HttpResponseRedirect(path, status=HTTPStatus.SEE_OTHER)


def _later(request: HttpRequest, seconds: int) -> HttpResponse:
    response = render(request, "429.html", {"seconds": seconds}, status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(seconds)
    return response
