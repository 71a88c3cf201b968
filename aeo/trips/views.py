"""/trip and /card: the answer to a whole trip, and its card to show at a counter.

The address is the trip. Each trip has one spelling, and other spellings are redirected. The server stores
nothing; the script of the card stores saved cards in the browser.
"""

import datetime
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from aeo import editions
from aeo.asking import Asked
from aeo.asking.names.suggestions import suggest_models
from aeo.checker.answer import assumed, end_label, holds, question_words, route
from aeo.checker.document import Context, lines, link, programs, recall, send, unanswered, unkept
from aeo.itineraries import document
from aeo.itineraries.card import About
from aeo.itineraries.card import card as card_of
from aeo.itineraries.document import answered
from aeo.itineraries.flights import energy_of, refusal
from aeo.itineraries.stated import cautions
from aeo.pages.answers import in_form
from aeo.pages.record import Bullets, Code, Line, Page, Section
from aeo.texts import active, model_name, say
from aeo.trips.form import trip_form
from aeo.trips.itinerary import Itinerary, query, read
from aeo.trips.shown import as_itinerary, flights_of, guided_flights, helping
from aeo.web.addresses import address
from aeo.web.caching import conditional, of_edition, public, shows
from aeo.web.formatting import day, joined, verdict_word
from aeo.web.languages import localized
from aeo.web.negotiation import preferred
from aeo.web.parameters import takes_any
from rules import verdicts, wording
from rules.answers.guidance import Rating, TripGuidance, trip_guidance_from
from rules.corpus import Published
from rules.engine.matching import plain
from rules.verdicts import ItineraryAnswer, TripAnswer
from rules.wording.advice import refused_as
from rules.wording.guidance import guidance_notes, trip_guidance_summary

PROGRAM = "POST /api/trips/verify"

WORKER = Path(settings.BASE_DIR) / "compliance" / "static" / "site" / "card_worker.js"


@public
@takes_any
def trip(request: HttpRequest) -> HttpResponseBase:
    """Answer for a trip, or show the form and what it lacks."""
    if "q" in request.GET:
        # Sentences are read, and asked about, in one place.
        return HttpResponseRedirect(f"{localized('/check')}?{request.GET.urlencode()}")
    now = timezone.now()
    edition = editions.current(now)
    itinerary = read(request.GET, edition.release, edition.today)
    more = "more" in request.GET
    form = trip_form(itinerary, edition.release, edition.today, more=more)
    context = {"form": form.unit, "trip": form, "url": address("/trip"), "itinerary": itinerary}
    if not itinerary.begun:
        context |= {"indexed": True, "description": say("trip.description")}
        version = of_edition(request, edition, preferred(request), vary=("Accept",))
        return conditional(
            request,
            version,
            lambda: in_form(request, lambda: render(request, "site/trip.html", context), _begin),
        )
    if more or not itinerary.complete:
        context["choices"] = _choices(request, itinerary, edition.release)
        return send(request, "site/trip.html", context, _unanswered)
    if request.META["QUERY_STRING"] != query(itinerary):
        return HttpResponseRedirect(f"{localized('/trip')}?{query(itinerary)}")
    if itinerary.rating is not None:
        context |= _question(itinerary.asked)
        context |= _guidance(itinerary, itinerary.rating, edition.release, now)
        return send(request, "site/trip.html", context, _answered)
    whole = as_itinerary(itinerary, edition.release, now)
    answer = verdicts.trip_answer_of(whole, itinerary.question)
    context |= _question(itinerary.asked) | _answer(itinerary, answer, whole)
    return shows(answer, send(request, "site/trip.html", context, _answered))


@public
@takes_any
def card(request: HttpRequest) -> HttpResponseBase:
    """Show the card of a trip. Guidance has none; for an incomplete question, show the form."""
    now = timezone.now()
    edition = editions.current(now)
    itinerary = read(request.GET, edition.release, edition.today)
    written = query(itinerary)
    if not itinerary.complete or itinerary.rating is not None or "q" in request.GET:
        # The form refuses what it does not read, so it gets all of it.
        return HttpResponseRedirect(f"{localized('/trip')}?{request.GET.urlencode()}")
    if request.META["QUERY_STRING"] != written:
        return HttpResponseRedirect(f"{localized('/card')}?{written}")
    whole = as_itinerary(itinerary, edition.release, now)
    answer = verdicts.trip_answer_of(whole, itinerary.question)
    shown = card_of(_about(itinerary, answer), whole, flights_of(itinerary, whole, answer))
    unit = assumed(answer.outcome.verdict, answer.question.unit)
    context = {"card": shown, "assumed": unit, "trip": f"{localized('/trip')}?{written}"}
    return shows(answer, unkept(render(request, "site/card.html", context)))


def _about(itinerary: Itinerary, answer: TripAnswer) -> About:
    """Return what the card of a trip is about."""
    device, question = answer.outcome.device, answer.question
    watt_hour = device.watt_hour
    figure = say("card.watt_hour.unknown")
    if watt_hour is not None:
        figure = say("card.watt_hour", watt_hour=plain(watt_hour))
    return About(
        url=f"{address('/card')}?{query(itinerary)}",
        title=model_name(device),
        heading=model_name(device),
        facts=(
            figure,
            say("answer.units", count=question.unit.quantity),
            day(question.travel_date),
            say(f"answer.bag.{question.compartment_intent}"),
        ),
        answer=answer,
        answer_id=answer.trip_verdict_id,
        summary=partial(wording.trip_summary, answer),
        now=wording.advice(answer, active()),
    )


def _begin() -> Page:
    """Return how a trip is asked, in place of the empty form."""
    example = "model=anker-a1289&airline=EK&from=AE&via=GB&to=US"
    asked = Section(say("trip.form"), (Code(f"{address('/trip')}?{example}"),))
    return Page(
        path="/trip",
        title=say("trip.title"),
        lead=say("trip.lead"),
        sections=(asked,),
        crumbs=(),
        about=(programs(PROGRAM),),
    )


def _unanswered(context: Context) -> Page:
    itinerary: Itinerary = context["itinerary"]
    path = f"/trip?{query(itinerary)}"
    return unanswered(path, say("trip.title"), itinerary.problems, program=PROGRAM)


def _answered(context: Context) -> Page:
    """Return the answer as a record."""
    sections = [
        *lines("answer.now", context["now"]),
        document.energy(context["energy"]),
        *document.flights(context["flights"]),
        *recall(context.get("recall_check")),
        *_helps(context),
    ]
    path = f"/trip?{query(context['itinerary'])}"
    return answered(path, context["title"], context, sections, program=PROGRAM)


def _helps(context: Context) -> Iterator[Section]:
    """Yield what would give a milder verdict, or that nothing would."""
    said: list[Line] = []
    for one in context.get("helping", ()):
        path = f"{localized('/trip')}?{one.query}"
        said.append((joined([*one.changes, one.then]), " ", link(say("trip.helps.link"), path)))
    if nothing := context.get("nothing"):
        said.append((nothing,))
    if said:
        yield Section(say("answer.helps"), (Bullets(tuple(said)),))


def _question(asked: Asked) -> Context:
    """Return the question as the page of an answer repeats it."""
    return {"asked": question_words(asked), "route": route(asked)}


def _limits(answer: TripAnswer | TripGuidance) -> dict[str, str]:
    """Return the limits of an answer for a page: an intact unit, and its end."""
    travel_date, expires_at = answer.question.travel_date, answer.expires_at
    return {
        "assumed": assumed(answer.outcome.verdict, answer.question.unit),
        "holds": holds(travel_date, expires_at),
        "end_label": say(end_label(travel_date, expires_at)),
    }


def _answer(itinerary: Itinerary, answer: TripAnswer, whole: ItineraryAnswer) -> Context:
    """Return the verdict of a trip as its page shows it."""
    found, nothing, recall_check = helping(itinerary, answer)
    return _limits(answer) | {
        "answer": answer,
        "word": verdict_word(answer.outcome.verdict),
        "title": say("trip.answer", model=model_name(answer.outcome.device)),
        "summary": wording.trip_summary(answer, active()),
        "cautions": cautions(whole),
        "now": wording.advice(answer, active()),
        "answer_id": answer.trip_verdict_id,
        "flights": flights_of(itinerary, whole, answer),
        "energy": energy_of(whole),
        "refusal": refusal(whole, refused_as(answer), itinerary.ends),
        "helping": found,
        "nothing": nothing,
        "recall_check": recall_check,
        "card": f"{localized('/card')}?{query(itinerary)}",
    }


def _guidance(itinerary: Itinerary, rating: Rating, release: Published, now: datetime.datetime) -> Context:
    """Return what a trip's page shows about a unit known only by its label."""
    guided = trip_guidance_from(release, rating, itinerary.question, now=now)
    whole = as_itinerary(itinerary, release, now)
    return _limits(guided) | {
        "answer": guided,
        "word": verdict_word(guided.outcome.verdict),
        "title": say("answer.guidance"),
        "summary": trip_guidance_summary(guided, active()),
        "cautions": cautions(whole),
        "now": wording.advice(guided, active()),
        "notes": guidance_notes(guided.rating, active()),
        "flights": guided_flights(itinerary, whole, guided),
        "energy": energy_of(whole),
        "refusal": refusal(whole, refused_as(guided), itinerary.ends),
    }


def _choices(request: HttpRequest, itinerary: Itinerary, release: Published) -> list[dict[str, str]]:
    """Return the models that may be meant if none is named, each with the address that names it."""
    typed = itinerary.asked.typed["model"]
    if itinerary.asked.model_id or not typed:
        return []
    choices = []
    for one in suggest_models(release, typed):
        parameters = request.GET.copy()
        parameters["model"] = one.value
        path = f"{localized('/trip')}?{parameters.urlencode()}"
        choices.append({"path": path, "label": one.label, "detail": one.detail})
    return choices


@public
def offline(request: HttpRequest) -> HttpResponseBase:
    """Show the page that a browser keeps for cards that it does not have."""
    return unkept(render(request, "site/card_offline.html"))


@public
def worker(request: HttpRequest) -> HttpResponseBase:
    """Give the service worker of cards. It is at the root, because it covers cards of all languages."""
    response = HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response
