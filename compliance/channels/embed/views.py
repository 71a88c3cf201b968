"""The frames in partners' pages, and the files that these load.

A visitor's questions inside a frame count for the visitor's own network, as on the site. A public id is not
secret, so anyone could use up a limit that depended on it.
"""

import functools
from collections.abc import Callable, Container, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

from django.contrib.staticfiles import finders
from django.db import Error as DatabaseFailure
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from msgspec import structs

from aeo import asking, editions
from aeo.asking import Asked
from aeo.checker.answering import Given, answered, not_covered
from aeo.checker.form import form
from aeo.checker.unused import unused_words
from aeo.editions import Edition
from aeo.itineraries.card import KINDS_FIRST_TO_LAST
from aeo.texts import say
from aeo.web.caching import RETRY_SECONDS, CacheLife, Version, conditional, shows, tag
from aeo.web.formatting import duration
from aeo.web.languages import localized
from aeo.web.parameters import takes_any
from compliance.channels.embed import themes
from compliance.channels.embed.frames import KEPT_BY_CACHES, Frame, frame_of, let_in
from compliance.limits.pages import seconds_to_wait
from rules.corpus import CorpusUnavailable, Published
from rules.engine.errors import AirlineNotCovered
from rules.selectors import evidence
from rules.selectors.evidence import Cited
from rules.verdicts import Answer

SCRIPT = "site/embed.js"

MOST_SOURCES = 16
"""How many sources a frame lists, because it must stay small; the full answer lists all of them."""

FrameView = Callable[[HttpRequest, Frame, Edition], HttpResponse]


@require_safe
def script(request: HttpRequest) -> HttpResponseBase:
    """Give the script that puts a frame into a page. Its address never changes, so its content may."""
    return _file(request, _script(), "text/javascript")


@require_safe
@takes_any
def theme(request: HttpRequest) -> HttpResponseBase:
    """Return the colors and shapes of a frame."""
    return _file(request, themes.style_sheet(themes.read(request.GET.dict())).encode(), "text/css")


def framed(view: FrameView) -> Callable[..., HttpResponseBase]:
    """Let a view answer inside a frame, and answer for it if there is nothing to show."""

    @require_safe
    @functools.wraps(view)
    def answer(request: HttpRequest, key: str) -> HttpResponseBase:
        frame: Frame | None = None
        try:
            now = timezone.now()
            frame = frame_of(key, now)
            if frame is None:
                response = _closed(request, frame, "embed.unknown", HTTPStatus.NOT_FOUND)
            else:
                response = view(request, frame, editions.current(now))
        except (CorpusUnavailable, DatabaseFailure):
            response = _closed(request, frame, "error.503", HTTPStatus.SERVICE_UNAVAILABLE, RETRY_SECONDS)
        return let_in(response, frame)

    return answer


@framed
@takes_any
def start(request: HttpRequest, frame: Frame, edition: Edition) -> HttpResponse:
    """Show the check, with the fields that the page around it, or an earlier question, has filled in."""
    if _is_search(request.GET, edition.release) and (response := refused(request, frame)):
        return response
    asked = asking.read(themes.without_theme(request.GET), edition.release, edition.today)
    # There is no question yet, so nothing is missing.
    return _page(request, frame, edition, structs.replace(asked, problems=()), "embed/start.html")


@framed
@takes_any
def check(request: HttpRequest, frame: Frame, edition: Edition) -> HttpResponse:
    """Answer a question, or say which fields are missing."""
    if response := refused(request, frame):
        return response
    now = timezone.now()
    asked = asking.read(themes.without_theme(request.GET), edition.release, now.date())
    if not asked.complete or asked.is_trip:
        return _page(request, frame, edition, asked, "embed/incomplete.html")
    try:
        given = answered(asked, edition.release, now)
    except AirlineNotCovered as error:
        return _page(
            request, frame, edition, asked, "embed/not_covered.html", not_covered=not_covered(asked, error)
        )
    return _answer(request, frame, edition, asked, given)


def _is_search(given: QueryDict, release: Published) -> bool:
    """Say whether there is a name to search for, as in a question. Codes need no search."""
    countries = release.corpus.countries
    codes: Mapping[str, Container[str]] = {
        "q": (),
        "model": release.shelf.devices,
        "airline": release.shelf.airlines,
        "from": countries,
        "to": countries,
    }
    typed = ((given.get(name, "").strip(), known) for name, known in codes.items())
    return any(text and text.lower() not in known and text.upper() not in known for text, known in typed)


def refused(request: HttpRequest, frame: Frame) -> HttpResponse | None:
    """Count a question, and show inside the frame if it exceeds the limit."""
    wait = seconds_to_wait(request)
    if wait is None:
        return None
    return _closed(request, frame, "error.429", HTTPStatus.TOO_MANY_REQUESTS, wait, time=duration(wait))


def _answer(request: HttpRequest, frame: Frame, edition: Edition, asked: Asked, given: Given) -> HttpResponse:
    answer = given.answer
    citations = evidence.with_basis(edition.release, answer.outcome.citations)
    page = _page(
        request,
        frame,
        edition,
        asked,
        "embed/answer.html",
        answer=given.shown,
        citations=citations,
        shown_citations=most_important(citations),
        seconds=int((answer.expires_at - answer.generated_at).total_seconds()),
        whole=f"{localized('/check')}?{asking.query(asked)}",
    )
    return shows(answer, page) if isinstance(answer, Answer) else page


def most_important(citations: Sequence[Cited]) -> Sequence[Cited]:
    """Return the sources that a frame lists: the airline's own first, then by publisher."""

    def weight(citation: Cited) -> tuple[bool, int]:
        return citation.kind != "airline", KINDS_FIRST_TO_LAST.index(citation.kind)

    return sorted(citations, key=weight)[:MOST_SOURCES]


def _page(
    request: HttpRequest, frame: Frame, edition: Edition, asked: Asked, template: str, **context: object
) -> HttpResponse:
    home = localized(f"/embed/{frame.key}")

    def path(query: str, folder: str = "/check") -> str:
        return with_theme(f"{home}{folder}", query, request)

    return rendered(
        request,
        frame,
        template,
        form=form(asked, edition.release, edition.today, path),
        asked=asked,
        unused=unused_words(asked.unused),
        action=f"{home}/check",
        again=path(asking.query(asked), ""),
        **context,
    )


def with_theme(path: str, query: str, request: HttpRequest) -> str:
    """Return the address of another page inside the frame, in the same style."""
    theme = urlencode(themes.read(request.GET.dict()).parameters)
    return f"{path}?{'&'.join(filter(None, (query, theme)))}"


def _closed(
    request: HttpRequest,
    frame: Frame | None,
    key: str,
    status: HTTPStatus,
    retry_seconds: int | None = None,
    **values: str,
) -> HttpResponse:
    """Say inside a frame why there is no answer, and that this allows nothing. `values` fill the text."""
    response = rendered(
        request,
        frame,
        "embed/closed.html",
        title=say(f"{key}.title"),
        text=say(f"{key}.text", **values),
        is_unknown=status == HTTPStatus.NOT_FOUND,
        again=f"{localized(f'/embed/{frame.key}')}?{request.GET.urlencode()}" if frame else "",
    )
    response.status_code = status
    if retry_seconds is not None:
        response.headers["Retry-After"] = str(retry_seconds)
    return response


def rendered(request: HttpRequest, frame: Frame | None, template: str, **context: object) -> HttpResponse:
    """Return a page inside a frame, in the style of the frame."""
    chosen_theme = themes.read(request.GET.dict())
    context |= {
        "theme": chosen_theme,
        "theme_query": urlencode(chosen_theme.parameters),
        "frame": frame,
        # Our own pages are recognized by the origin that they share with the frame.
        "origins": " ".join(origin for origin in frame.origins if "://" in origin) if frame else "",
    }
    response = render(request, template, context)
    # The pages that may show a frame can change within seconds, and an answer says how long it is valid from
    # now on.
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _file(request: HttpRequest, body: bytes, kind: str) -> HttpResponseBase:
    return conditional(
        request,
        Version(tag(body), CacheLife(ends_at=None), (KEPT_BY_CACHES,)),
        lambda: HttpResponse(body, content_type=f"{kind}; charset=utf-8"),
    )


def _script() -> bytes:
    found = finders.find(SCRIPT)
    if found is None:
        raise FileNotFoundError(SCRIPT)
    return Path(found).read_bytes()
