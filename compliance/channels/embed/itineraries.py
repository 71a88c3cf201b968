"""The frame of an itinerary: its address is the question, with the parameters of `/itinerary`.

The frame has no form of its own that could grow. What cannot be answered leads to the form of the site.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from aeo.editions import Edition
from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.reading import read
from aeo.itineraries.undated import with_needed_dates
from aeo.itineraries.views import answer_context
from aeo.itineraries.writing import query, simple_query
from aeo.itineraries.written import BUTTONS, written
from aeo.web.caching import shows
from aeo.web.languages import localized
from aeo.web.parameters import takes_any
from compliance.channels.embed.frames import Frame
from compliance.channels.embed.themes import without_theme
from compliance.channels.embed.views import framed, most_important, refused, rendered, with_theme
from rules import verdicts
from rules.selectors import evidence

OF_FORMS = frozenset(("q", "confirmed", *BUTTONS))
"""Parameters of the forms of the site: a question that has one is not finished, or has more words."""


@framed
@takes_any
def itinerary(request: HttpRequest, frame: Frame, edition: Edition) -> HttpResponse:
    """Answer for an itinerary, or name what is missing or wrong."""
    if response := refused(request, frame):
        return response
    now = timezone.now()
    asked = read(written(without_theme(request.GET)), edition.release, now.date())
    if not asked.complete or not OF_FORMS.isdisjoint(request.GET):
        return _incomplete(request, frame, asked)
    if asked.is_simple:
        path = with_theme(f"{localized(f'/embed/{frame.key}')}/check", simple_query(asked), request)
        return HttpResponseRedirect(path)
    answer = verdicts.itinerary_answer_from(edition.release, asked.question(edition.release), now=now)
    dated = with_needed_dates(asked, answer)
    if not dated.complete:
        return _incomplete(request, frame, dated)
    citations = evidence.with_basis(answer.release, answer.outcome.citations)
    page = rendered(
        request,
        frame,
        "embed/itinerary.html",
        **answer_context(asked, answer),
        citations=citations,
        shown_citations=most_important(citations),
        seconds=int((answer.expires_at - answer.generated_at).total_seconds()),
        whole=_whole(asked),
    )
    return shows(answer, page)


def _incomplete(request: HttpRequest, frame: Frame, asked: ItineraryAsked) -> HttpResponse:
    context = {"problems": asked.problems, "whole": _whole(asked)}
    return rendered(request, frame, "embed/itinerary_incomplete.html", **context)


def _whole(asked: ItineraryAsked) -> str:
    """Return the path of the page of the site about the same question."""
    return f"{localized('/itinerary')}?{query(asked)}"
