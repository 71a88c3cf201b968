"""/itinerary: the answer about several power banks, people and flights, and the form that grows with them.

The address is the question, and the server stores nothing. A question about one exact model of one person on
one flight belongs to `/check`.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from msgspec import structs

from aeo import editions
from aeo.asking import Asked, Problem
from aeo.asking.asked import CONFIRMED
from aeo.asking.filling import ALWAYS_NEEDED
from aeo.asking.reading import MAX_CHARACTERS
from aeo.checker.answer import assumed, end_label, holds
from aeo.checker.dangerous import dangerous
from aeo.checker.document import Context, lines, send, unanswered, understood, unkept
from aeo.checker.general import general_pages
from aeo.checker.unused import unused_words
from aeo.editions import Edition
from aeo.itineraries import document, shown
from aeo.itineraries.asked import ItineraryAsked
from aeo.itineraries.card import About
from aeo.itineraries.card import card as card_of
from aeo.itineraries.document import answered
from aeo.itineraries.flights import energy_of, flights, refusal, refused_as
from aeo.itineraries.form import itinerary_form, progress_of
from aeo.itineraries.hearing import Heard, heard
from aeo.itineraries.reading import read
from aeo.itineraries.stated import cautions
from aeo.itineraries.undated import undated, with_needed_dates
from aeo.itineraries.writing import query, simple_query
from aeo.itineraries.written import BUTTONS, without_unknown, written
from aeo.pages.record import Page
from aeo.texts import active, say
from aeo.web.addresses import address
from aeo.web.caching import public, shows
from aeo.web.formatting import listed, verdict_word
from aeo.web.languages import localized
from aeo.web.parameters import takes_any
from rules import verdicts, wording
from rules.verdicts import ItineraryAnswer

PROGRAM = "POST /api/itineraries/verify"

WITH_FIELDS = frozenset(
    ("model", "airline", "operator", "flight_number", "place", "return", "people", "number", "when")
)
"""The subjects of words for which the form of an itinerary has fields."""


@public
@takes_any
def itinerary(request: HttpRequest) -> HttpResponseBase:
    """Answer for an itinerary, or show the form and what it lacks."""
    known = without_unknown(request.GET)
    if not known:
        return HttpResponseRedirect(localized("/"))
    now = timezone.now()
    edition = editions.current(now)
    said = _sentence(request, edition)
    if said and not said.waits:
        return HttpResponseRedirect(f"{localized('/itinerary')}?{said.parameters.urlencode()}")
    asked, context = _form(request, edition, said)
    if context["grows"] or not asked.complete:
        if known.keys() != request.GET.keys():
            return HttpResponseRedirect(f"{localized('/itinerary')}?{known.urlencode()}")
        context |= _leads(edition, asked, said, confirms=context["confirms"])
        return send(request, "site/itinerary.html", context, _unanswered)
    if asked.is_simple:
        return HttpResponseRedirect(f"{localized('/check')}?{simple_query(asked)}")
    if request.META["QUERY_STRING"] != query(asked):
        return HttpResponseRedirect(f"{localized('/itinerary')}?{query(asked)}")
    answer = verdicts.itinerary_answer_from(edition.release, asked.question(edition.release), now=now)
    dated = with_needed_dates(asked, answer)
    if not dated.complete:
        form = itinerary_form(dated, edition.release, edition.today)
        context |= {"itinerary": dated, "form": form}
        context |= _leads(edition, dated, said, confirms=context["confirms"])
        return send(request, "site/itinerary.html", context, _unanswered)
    context |= answer_context(asked, answer)
    return shows(answer, send(request, "site/itinerary.html", context, _answered))


def _form(request: HttpRequest, edition: Edition, said: Heard | None) -> tuple[ItineraryAsked, Context]:
    """Return what is asked, and the form that shows it. While the form `grows`, nothing is answered."""
    confirmed = request.GET.get("confirmed") == CONFIRMED
    grows = any(name in request.GET for name in BUTTONS) or (said is not None and not confirmed)
    found = written(request.GET if said is None or confirmed else said.parameters)
    # A part of the address that is not read may be a fact of the unit.
    needed = said.needed if said else ALWAYS_NEEDED if confirmed or found.unread else frozenset()
    asked = read(found, edition.release, edition.today, needed)
    if grows:
        asked = _begun(asked)
    added = "" if found.full else request.GET.get("add", "")
    form = itinerary_form(asked, edition.release, edition.today, added)
    confirms = confirmed or said is not None
    return asked, {
        "itinerary": asked,
        "grows": grows,
        "sentence": request.GET.get("q", ""),
        "confirms": confirms,
        "progress": progress_of(form) if confirms else None,
        "unused": unused_words(said.unused, WITH_FIELDS) if said else (),
        "notes": undated(asked),
        "form": form,
    }


def _leads(edition: Edition, asked: ItineraryAsked, said: Heard | None, *, confirms: bool) -> Context:
    """Return what to do with a damaged unit, and for a sentence the pages that it leads to."""
    parts = [*_parts(asked)]
    general = general_pages(edition, parts, said.unused if said else ()) if confirms else ()
    return {"dangerous": dangerous(edition, parts), "general": general}


def _parts(asked: ItineraryAsked) -> Iterator[Asked]:
    """Yield what is asked about each power bank and each flight."""
    yield from (item.asked for item in asked.items)
    yield from (flown.asked for flown in asked.flights)


def _unanswered(context: Context) -> Page:
    asked: ItineraryAsked = context["itinerary"]
    title = say("itinerary.form.title")
    path, more = f"/itinerary?{query(asked)}", understood(context)
    return unanswered(path, title, asked.problems, program=PROGRAM, more=more)


def _answered(context: Context) -> Page:
    """Return the answer as a record."""
    sections = [
        *document.packing(context["packing"]),
        *lines("itinerary.changes", context["changes"]),
        *document.flights(context["flights"]),
        document.energy(context["energy"]),
        *document.items(context["items"]),
    ]
    path, title = f"/itinerary?{query(context['itinerary'])}", say("itinerary.title")
    return answered(path, title, context, sections, program=PROGRAM)


@public
@takes_any
def card(request: HttpRequest) -> HttpResponseBase:
    """Show the card of an itinerary; for an incomplete question, the form."""
    now = timezone.now()
    edition = editions.current(now)
    asked = read(written(request.GET), edition.release, edition.today)
    if not asked.complete or asked.is_simple or "q" in request.GET:
        # The form refuses what it does not read, so it gets all of it.
        return HttpResponseRedirect(f"{localized('/itinerary')}?{request.GET.urlencode()}")
    if request.META["QUERY_STRING"] != query(asked):
        return HttpResponseRedirect(f"{localized('/itinerary/card')}?{query(asked)}")
    answer = verdicts.itinerary_answer_from(edition.release, asked.question(edition.release), now=now)
    if not with_needed_dates(asked, answer).complete:
        return HttpResponseRedirect(f"{localized('/itinerary')}?{query(asked)}")
    shown_card = card_of(_about(asked, answer), answer, flights(answer, asked.ends))
    context = {"card": shown_card, "assumed": _assumed(answer)}
    context["trip"] = f"{localized('/itinerary')}?{query(asked)}"
    return shows(answer, unkept(render(request, "site/card.html", context)))


def _about(asked: ItineraryAsked, answer: ItineraryAnswer) -> About:
    """Return what the card of an itinerary is about."""
    units = sum(item.unit.quantity for item in answer.question.items)
    return About(
        url=f"{address('/itinerary/card')}?{query(asked)}",
        title=listed(item.ref for item in answer.question.items),
        heading=say("itinerary.title"),
        facts=(say("itinerary.people", count=asked.passengers), say("answer.units", count=units)),
        answer=answer,
        answer_id=answer.itinerary_verdict_id,
        summary=partial(wording.itinerary_summary, answer),
        packing=shown.packing(answer),
    )


def _sentence(request: HttpRequest, edition: Edition) -> Heard | None:
    """Return what the sentence of an address says; None if it has none."""
    text = request.GET.get("q", "")[:MAX_CHARACTERS].strip()
    return heard(text, edition.release, edition.today) if text else None


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


def answer_context(asked: ItineraryAsked, answer: ItineraryAnswer) -> Context:
    """Return the verdict of an itinerary as pages show it."""
    last, units = answer.question.flights[-1].date, [item.unit for item in answer.question.items]
    on_flights = flights(answer, asked.ends)
    return {
        "answer": answer,
        "answer_id": answer.itinerary_verdict_id,
        "word": verdict_word(answer.outcome.verdict),
        "summary": wording.itinerary_summary(answer, active()),
        "cautions": cautions(answer),
        "asked": (
            say("itinerary.people", count=asked.passengers),
            say("answer.units", count=sum(unit.quantity for unit in units)),
            *(flight.title for flight in on_flights),
        ),
        "assumed": _assumed(answer),
        "card": f"{localized('/itinerary/card')}?{query(asked)}",
        "holds": holds(last, answer.expires_at),
        "end_label": say(end_label(last, answer.expires_at)),
        "packing": shown.packing(answer),
        "energy": energy_of(answer),
        "flights": on_flights,
        "refusal": refusal(answer, refused_as(answer), asked.ends),
        "changes": shown.changes(answer),
        "items": shown.items(asked, answer),
    }


def _assumed(answer: ItineraryAnswer) -> str:
    """Return what the answer assumes about units that may travel; empty if nothing."""
    verdict = answer.outcome.verdict
    return next(filter(None, (assumed(verdict, item.unit) for item in answer.question.items)), "")
