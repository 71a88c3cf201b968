"""/, /check and /suggest: the checker, the answer to its question, and suggestions for its fields.

The address is the question, so no session is needed, and sharing the address shares the question. A question
with stops belongs to `/trip`.
"""

import datetime
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from aeo import asking, editions
from aeo.asking import Asked
from aeo.asking.free_text.several import is_of_several
from aeo.asking.names.suggestions import suggest_airlines, suggest_models, suggest_places
from aeo.checker import answer_document
from aeo.checker.answering import answered, not_covered
from aeo.checker.compared import compares, is_of_flight
from aeo.checker.dangerous import dangerous
from aeo.checker.document import Context, send
from aeo.checker.form import form
from aeo.checker.general import general_pages
from aeo.checker.progress import of_form
from aeo.checker.unused import other_device, unused_words
from aeo.editions import Edition
from aeo.pages import html
from aeo.pages.answers import in_form
from aeo.pages.record import Page
from aeo.texts import active, say
from aeo.timeline.coming import coming
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.caching import MAX_AGE_SECONDS, conditional, of_edition, public, shows
from aeo.web.languages import localized, tag
from aeo.web.negotiation import preferred
from aeo.web.parameters import takes_any
from aeo.web.structured_data import embedded, publisher
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered
from rules.verdicts import Answer


class Kind(NamedTuple):
    """A kind of page: its template, and the same page as a record for Markdown."""

    template: str
    document: Callable[[Context], Page]


ANSWER = Kind("site/answer.html", answer_document.answered)
INCOMPLETE = Kind("site/incomplete.html", answer_document.incomplete)
NOT_COVERED = Kind("site/not_covered.html", answer_document.not_covered)
OTHER_DEVICE = Kind("site/other_device.html", answer_document.other_device)


@public
def home(request: HttpRequest) -> HttpResponseBase:
    """Show the empty checker."""
    edition = editions.current(timezone.now())
    nodes = jsonld.home(
        publisher=publisher(),
        url=address("/"),
        search_url=f"{address('/check')}?q={{words}}",
        name=say("site.name"),
        description=say("checker.description"),
        language=tag(),
    )

    def page() -> HttpResponse:
        context = {
            "form": form(None, edition.release, edition.today),
            "url": address("/"),
            "indexed": True,
            "description": say("checker.description"),
            "coming": html.sections(coming(edition)),
            "structured": embedded(nodes),
        }
        return render(request, "site/home.html", context)

    version = of_edition(request, edition, preferred(request), vary=("Accept",))
    return conditional(
        request, version, lambda: in_form(request, page, lambda: answer_document.home(coming(edition)))
    )


@public
@takes_any
def check(request: HttpRequest) -> HttpResponseBase:
    """Answer a question, or say what it lacks."""
    now = timezone.now()
    edition = editions.current(now)
    asked = asking.read(request.GET, edition.release, now.date())
    canonical = asking.query(asked)
    if not canonical:
        return HttpResponseRedirect(localized("/"))
    if _is_of_several(request, edition.release, asked):
        return HttpResponseRedirect(f"{localized('/itinerary')}?{request.GET.urlencode()}")
    if parse_qsl(canonical) != parse_qsl(request.META["QUERY_STRING"], keep_blank_values=True):
        return HttpResponseRedirect(f"{localized('/check')}?{canonical}")
    if asked.other_device:
        ask = other_device(asked, edition)
        return _page(request, edition, asked, OTHER_DEVICE, ask=ask)
    if not asked.complete:
        general = general_pages(edition, [asked], asked.unused)
        first = not is_of_flight(edition.release, asked)
        shown = {"general": general, "general_first": first, "dangerous": dangerous(edition, [asked])}
        return _page(request, edition, asked, INCOMPLETE, **shown)
    if asked.is_trip:
        return HttpResponseRedirect(f"{localized('/trip')}?{canonical}")
    try:
        return _answer(request, edition, asked, now)
    except AirlineNotCovered as error:
        return _page(request, edition, asked, NOT_COVERED, not_covered=not_covered(asked, error))


@public
@takes_any
def suggest(request: HttpRequest, what: str) -> HttpResponseBase:
    """Suggest values for a field while a person types into it."""
    release = editions.current(timezone.now()).release
    text = request.GET.get("text", "")
    found = suggest_models(release, text) if what == "models" else SUGGEST[what](release, text, active())
    response = render(request, "site/_options.html", {"options": found})
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Cache-Control"] = f"private, max-age={MAX_AGE_SECONDS}"
    return response


SUGGEST = {"airlines": suggest_airlines, "places": suggest_places}


def _is_of_several(request: HttpRequest, release: Published, asked: Asked) -> bool:
    """Tell whether a sentence alone was sent, and `/itinerary` has fields for what it says."""
    is_alone = request.GET.keys() == {"q"} and not asked.other_device and not compares(release, asked)
    return is_alone and is_of_several(asked.typed["q"], asked.unused)


def _answer(request: HttpRequest, edition: Edition, asked: Asked, now: datetime.datetime) -> HttpResponseBase:
    """Give the verdict, or guidance if only the label is known. Raises `AirlineNotCovered`."""
    answer, shown = answered(asked, edition.release, now)
    left = int((answer.expires_at - answer.generated_at).total_seconds())
    if not asked.has_date:
        # "Today" ends with the day.
        left = min(left, edition.seconds_left(now))
    page = _kept(left, _page(request, edition, asked, ANSWER, answer=shown))
    return shows(answer, page) if isinstance(answer, Answer) else page


def _page(
    request: HttpRequest, edition: Edition, asked: Asked, kind: Kind, **context: object
) -> HttpResponse:
    shown = form(asked, edition.release, edition.today)
    context |= {"form": shown, "asked": asked, "progress": of_form(shown) if shown.confirms else None}
    context |= {"unused": unused_words(asked.unused), "release": edition.release}
    response = send(request, kind.template, context, kind.document)
    response.headers["Cache-Control"] = "private, max-age=0"
    return response


def _kept(left: int, response: HttpResponse) -> HttpResponse:
    """Let a browser cache an answer for a while, never beyond its end, `left` seconds from now."""
    response.headers["Cache-Control"] = f"private, max-age={min(left, MAX_AGE_SECONDS)}"
    return response
