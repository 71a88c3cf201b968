"""A trip's answer, ready to show: each flight with what decides about it, and what would help.

All texts are in the active language. Called by the view of the trip and by `aeo.trips.card`.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from aeo.asking import Point, Typed
from aeo.checker.recall_check import RecallCheckShown, recall_check_shown
from aeo.texts import active, airline_name, country_name
from aeo.trips.itinerary import Itinerary, query
from aeo.web.formatting import verdict_word
from aeo.web.languages import localized
from rules import verdicts, wording
from rules.answers.alternatives import alternatives
from rules.answers.guidance import TripGuidance
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Leg, TripQuestion
from rules.engine.vocabulary import Verdict
from rules.verdicts import TripAnswer
from rules.wording import alternatives_words
from rules.wording.guidance import guidance_constraint_messages, guidance_warning_messages


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """A flight of a trip, with what must be settled first.

    For a flight without coverage, `uncovered` says so and the rest is empty.
    """

    index: int
    origin: str
    destination: str
    airline: str
    verdict: Verdict
    word: str
    verdict_id: str = ""
    says: str = ""
    settle: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    uncovered: str = ""


class Helping(msgspec.Struct, frozen=True):
    """Changes that help together, a sentence each, their result, and the parameters of the changed trip."""

    changes: tuple[str, ...]
    then: str
    query: str


def flights(answer: TripAnswer, places: Sequence[Point]) -> tuple[Flight, ...]:
    """Return the flights of a trip in order, between the named places."""
    return tuple(_flight(answer, places, index) for index in range(len(answer.outcome.segments)))


def _flight(answer: TripAnswer, places: Sequence[Point], index: int) -> Flight:
    alone, language = verdicts.segment_answer(answer, index), active()
    flight = replace(
        _named(answer, places, index, covered=alone is not None), verdict_id=answer.segment_ids[index]
    )
    if alone is None:
        return flight
    return replace(
        flight,
        says=wording.summary(alone, language),
        settle=wording.open_points(
            alone.release, alone.question, alone.question.leg, alone.outcome, language
        ),
        constraints=tuple(wording.constraint_messages(alone.outcome, language)),
        warnings=tuple(wording.warning_messages(alone.outcome, language)),
        citations=alone.outcome.citations,
    )


def guided_flights(guided: TripGuidance, places: Sequence[Point]) -> tuple[Flight, ...]:
    """Return the flights of a trip with a power bank known only by its label. None has an id."""
    return tuple(_guided(guided, places, index) for index in range(len(guided.outcome.segments)))


def _guided(guided: TripGuidance, places: Sequence[Point], index: int) -> Flight:
    segment, language = guided.outcome.segments[index], active()
    guidance = segment.guidance
    flight = _named(guided, places, index, covered=guidance is not None)
    if guidance is None:
        return flight
    return replace(
        flight,
        settle=wording.open_points(guided.release, guided.question, segment.leg, guidance, language),
        constraints=tuple(guidance_constraint_messages(guidance, language)),
        warnings=tuple(guidance_warning_messages(guidance, language)),
        citations=guidance.citations,
    )


def _named(trip: TripAnswer | TripGuidance, places: Sequence[Point], index: int, *, covered: bool) -> Flight:
    """Return a flight with its names and its verdict, and with a text if it is not covered."""
    segment = trip.outcome.segments[index]
    *_, airline = names(trip.release, segment.leg)
    return Flight(
        index=index + 1,
        origin=places[index].shown,
        destination=places[index + 1].shown,
        airline=airline,
        verdict=segment.verdict,
        word=verdict_word(segment.verdict),
        uncovered="" if covered else wording.coverage_message(segment.leg.airline, active()),
    )


def names(release: Published, leg: Leg) -> tuple[str, str, str]:
    """Return the names of both ends of a flight and of its airline; the code if the airline is unknown."""
    countries, airline = release.corpus.countries, release.corpus.airlines.get(leg.airline)
    return (
        country_name(leg.origin, countries[leg.origin].name),
        country_name(leg.destination, countries[leg.destination].name),
        leg.airline if airline is None else airline_name(airline),
    )


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
        answer,
        lambda check_outcome: f"{localized('/trip')}?{query(_asking(itinerary, check_outcome.question))}",
    )
    return found, said.nothing or "", recall_check


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


def strictest_first(answer: TripAnswer) -> Iterator[int]:
    """Yield the indexes of the segments, those that decide the trip's verdict first."""
    verdict, segments = answer.outcome.verdict, answer.outcome.segments
    yield from sorted(range(len(segments)), key=lambda index: segments[index].verdict != verdict)
