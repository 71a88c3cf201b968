"""A trip's answer, ready to show: its flights as those of an itinerary of one item, and what would help.

All texts are in the active language. Called by the views of the trip and its card.
"""

import datetime

import msgspec
from msgspec.structs import replace

from aeo.asking import Typed
from aeo.checker.recall_check import RecallCheckShown, recall_check_shown
from aeo.itineraries.flights import FlightShown, flights
from aeo.texts import active
from aeo.trips.itinerary import Itinerary, query
from aeo.web.languages import localized
from rules import verdicts, wording
from rules.answers.alternatives import alternatives
from rules.answers.guidance import TripGuidance
from rules.corpus import Published
from rules.engine.facts import TripQuestion
from rules.engine.vocabulary import ListAnswer
from rules.verdicts import ItineraryAnswer, TripAnswer
from rules.wording import alternatives_words


class Helping(msgspec.Struct, frozen=True):
    """Changes that help together, a sentence each, their result, and the parameters of the changed trip."""

    changes: tuple[str, ...]
    then: str
    query: str


def as_itinerary(itinerary: Itinerary, release: Published, now: datetime.datetime) -> ItineraryAnswer:
    """Answer a trip as an itinerary of one item: it gives the same verdict on each flight, with its rules."""
    return verdicts.itinerary_answer_from(release, itinerary.of_one_item(release), now=now)


def flights_of(itinerary: Itinerary, whole: ItineraryAnswer, trip: TripAnswer) -> tuple[FlightShown, ...]:
    """Return the flights of a trip, each with its own summary and the id under which the trip answered it."""
    (item,) = whole.question.items
    return tuple(
        replace(flight, says=_says(trip, index), ids=((item.ref, trip.segment_ids[index]),))
        for index, flight in enumerate(flights(whole, itinerary.ends))
    )


def guided_flights(
    itinerary: Itinerary, whole: ItineraryAnswer, guided: TripGuidance
) -> tuple[FlightShown, ...]:
    """Return the flights of a trip with a power bank known only by its label, and all ways to find it out."""
    return tuple(
        replace(flight, settle=_open_points(guided, index))
        for index, flight in enumerate(flights(whole, itinerary.ends))
    )


def _open_points(guided: TripGuidance, index: int) -> tuple[str, ...]:
    segment = guided.outcome.segments[index]
    if segment.guidance is None:
        return ()
    return wording.open_points(guided.release, guided.question, segment.leg, segment.guidance, active())


def _says(trip: TripAnswer, index: int) -> str:
    alone = verdicts.segment_answer(trip, index)
    return "" if alone is None else wording.summary(alone, active())


def helping(
    itinerary: Itinerary, answer: TripAnswer
) -> tuple[tuple[Helping, ...], str, RecallCheckShown | None]:
    """Return what would give a milder verdict, a text if nothing would, and what a recall asks."""
    if answer.outcome.verdict == "allowed":
        return (), "", None
    alternative = alternatives(answer)
    said = alternatives_words(alternative, active())
    found = tuple(
        Helping(one.changes, one.then, query(_asking(itinerary, one.alternative.question)))
        for one in said.helping
    )
    recall_check = recall_check_shown(
        alternative.recall_check,
        answer.release,
        itinerary.asked.model_id,
        lambda result: f"{localized('/trip')}?{query(_with_recall(itinerary, result))}",
    )
    return found, said.nothing or "", recall_check


def _with_recall(itinerary: Itinerary, result: ListAnswer) -> Itinerary:
    return replace(itinerary, asked=replace(itinerary.asked, recall_check=result))


def _asking(itinerary: Itinerary, question: object) -> Itinerary:
    """Return an itinerary for a changed question."""
    if not isinstance(question, TripQuestion):
        raise TypeError("what helps a trip is a trip")
    asked, unit = itinerary.asked, question.unit
    values = dict(asked.typed.values)
    if question.travel_date != asked.travel_date:
        values["date"] = question.travel_date.isoformat()
    changed = replace(
        asked,
        typed=Typed(values, asked.typed.via),
        travel_date=question.travel_date,
        compartment=question.compartment_intent,
        quantity=unit.quantity,
        ccc_mark=unit.ccc_mark,
        capacity_label=unit.capacity_label,
        condition=unit.condition,
        recall_check=unit.recall_check,
    )
    return replace(itinerary, asked=changed)
