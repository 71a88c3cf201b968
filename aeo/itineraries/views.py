"""/itinerary: the answer about several power banks, people and flights, and the form that grows with them.

The address is the question, and the server stores nothing. A question about one exact model of one person on
one flight belongs to `/check`.
"""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from msgspec import structs

from aeo import editions
from aeo.asking import Asked, Problem
from aeo.checker.answer import end_label, holds
from aeo.itineraries import shown
from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.form import itinerary_form
from aeo.itineraries.reading import read
from aeo.itineraries.writing import query, simple_query
from aeo.itineraries.written import BUTTONS, written
from aeo.texts import active, say
from aeo.web.caching import public, shows
from aeo.web.formatting import verdict_word
from aeo.web.languages import localized
from aeo.web.parameters import takes_any
from rules import verdicts, wording
from rules.verdicts import ItineraryAnswer


@public
@takes_any
def itinerary(request: HttpRequest) -> HttpResponseBase:
    """Answer for an itinerary, or show the form and what it lacks."""
    if "q" in request.GET:
        # Sentences are read, and asked about, in one place.
        return HttpResponseRedirect(f"{localized('/check')}?{request.GET.urlencode()}")
    if not request.GET:
        return HttpResponseRedirect(localized("/"))
    now = timezone.now()
    edition = editions.current(now)
    grows = any(name in request.GET for name in BUTTONS)
    asked = read(written(request.GET), edition.release, edition.today)
    if grows:
        asked = _begun(asked)
    context: dict[str, Any] = {"itinerary": asked, "grows": grows}
    context["form"] = itinerary_form(asked, edition.release, edition.today, request.GET.get("add", ""))
    if grows or not asked.complete:
        return _unkept(render(request, "site/itinerary.html", context))
    if asked.is_simple:
        return HttpResponseRedirect(f"{localized('/check')}?{simple_query(asked)}")
    if request.META["QUERY_STRING"] != query(asked):
        return HttpResponseRedirect(f"{localized('/itinerary')}?{query(asked)}")
    answer = verdicts.itinerary_answer_from(edition.release, asked.question(edition.release), now=now)
    context |= _answer(asked, answer)
    return shows(answer, _unkept(render(request, "site/itinerary.html", context)))


def _begun(asked: ItineraryAsked) -> ItineraryAsked:
    """Return an itinerary that is still being filled in: nothing is missing yet."""
    return structs.replace(
        asked,
        problems=_not_missing(asked.problems),
        items=tuple(structs.replace(one, asked=_part_begun(one.asked)) for one in asked.items),
        flights=tuple(structs.replace(one, asked=_part_begun(one.asked)) for one in asked.flights),
    )


def _part_begun(part: Asked) -> Asked:
    return structs.replace(part, problems=_not_missing(part.problems))


def _not_missing(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(one for one in problems if one.kind != "missing")


def _answer(asked: ItineraryAsked, answer: ItineraryAnswer) -> dict[str, Any]:
    """Return the verdict of an itinerary as its page shows it."""
    last, units = answer.question.flights[-1].date, [item.unit for item in answer.question.items]
    goes = answer.outcome.verdict in {"allowed", "conditional"}
    unsaid = any("unknown" in {unit.condition, unit.capacity_label} for unit in units)
    flights = shown.flights(asked, answer)
    return {
        "answer": answer,
        "word": verdict_word(answer.outcome.verdict),
        "summary": wording.itinerary_summary(answer, active()),
        "asked": (
            say("itinerary.people", count=asked.passengers),
            say("answer.units", count=sum(unit.quantity for unit in units)),
            *(flight.title for flight in flights),
        ),
        "assumed": say("answer.assumed") if goes and unsaid else "",
        "holds": holds(last, answer.expires_at),
        "end_label": say(end_label(last, answer.expires_at)),
        "packing": shown.packing(answer),
        "flights": flights,
        "changes": shown.changes(answer),
        "items": shown.items(asked, answer),
    }


def _unkept(response: HttpResponse) -> HttpResponse:
    """Forbid every cache to store the question."""
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response
