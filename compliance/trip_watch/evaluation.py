"""The content of a watched trip: its verdict by a release, and a fingerprint that shows when it changed.

The fingerprint covers the verdicts of the trip and its flights and the codes of all constraints; of an
itinerary also which units must stay and which may travel. Words, warnings, sources and dates are left out:
they can change without the verdict, and then a watch reports nothing. Called by the actions that make watches
and judge them again.
"""

import datetime
import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from aeo.itineraries.asked import names
from aeo.texts import airline_name, country_name, model_name, say, speaking
from aeo.web.formatting import bracketed, day
from compliance.trip_watch.questions import Watched
from rules import verdicts, wording
from rules.corpus import Published
from rules.engine.errors import Unanswerable
from rules.engine.facts import Item, ItineraryQuestion, Leg, TripQuestion
from rules.engine.vocabulary import Verdict
from rules.verdicts import ItineraryAnswer, TripAnswer


class Constraint(msgspec.Struct, frozen=True):
    """A constraint as the API shows it."""

    code: str
    message: str


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """A flight of a watched trip. `error` is a code of the API if nothing covers the flight, else empty."""

    index: int
    origin: str
    destination: str
    airline: str
    says: str
    verdict: Verdict
    error: str
    constraints: tuple[Constraint, ...]


class TripContent(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a state, in the language of the watch.

    `model` names the model, or all power banks of an itinerary; a lost model is named by its id.
    `error` is a code of the API if there is no answer at all; then there are no flights.
    """

    model: str
    summary: str
    error: str
    flights: tuple[Flight, ...]


class Judged(NamedTuple):
    """The verdict of a trip by one release."""

    verdict: Verdict
    fingerprint: str
    content: TripContent


def judge(release: Published, question: Watched, *, now: datetime.datetime, language: str) -> Judged:
    """Judge a trip. Missing data in the release makes the verdict insufficient, and the content says so."""
    with speaking(language):
        try:
            if isinstance(question, ItineraryQuestion):
                return _judge_itinerary(release, question, now, language)
            return _judge_trip(release, question, now, language)
        except Unanswerable as gap:
            return _unanswered(_names(release, question), gap.code, say("watch.gap"))


def failed(model_ids: Sequence[str], *, language: str) -> Judged:
    """Return the content for a trip that could not be judged because of an unexpected error."""
    with speaking(language):
        return _unanswered(model_ids, "INTERNAL_ERROR", say("watch.failed"))


def _judge_trip(release: Published, question: TripQuestion, now: datetime.datetime, language: str) -> Judged:
    answer = verdicts.trip_answer_from(release, question, now=now)
    flights = tuple(_segment(answer, index, language) for index in range(len(answer.outcome.segments)))
    names, summary = [model_name(answer.outcome.device)], wording.trip_summary(answer, language)
    return _judged(answer.outcome.verdict, _content(names, summary, flights=flights))


def _judge_itinerary(
    release: Published, question: ItineraryQuestion, now: datetime.datetime, language: str
) -> Judged:
    names = _names(release, question)
    named = tuple(replace(item, ref=name) for item, name in zip(question.items, names, strict=True))
    answer = verdicts.itinerary_answer_from(release, replace(question, items=named), now=now)
    flights = tuple(_flight(answer, index, language) for index in range(len(answer.outcome.flights)))
    content = _content(names, wording.itinerary_summary(answer, language), flights=flights)
    return _judged(answer.outcome.verdict, content, _what_travels(answer))


def _names(release: Published, question: Watched) -> tuple[str, ...]:
    items = question.items if isinstance(question, ItineraryQuestion) else [Item(unit=question.unit)]
    return names([(item.unit.model_id, item.label) for item in items], release)


def _unanswered(names: Sequence[str], error: str, why: str) -> Judged:
    return _judged("insufficient", _content(names, why, error=error))


def _content(
    names: Sequence[str], summary: str, *, error: str = "", flights: tuple[Flight, ...] = ()
) -> TripContent:
    return TripContent(model=", ".join(filter(None, names)), summary=summary, error=error, flights=flights)


def _judged(verdict: Verdict, content: TripContent, *also: object) -> Judged:
    return Judged(verdict, _fingerprint(verdict, content, *also), content)


def _segment(answer: TripAnswer, index: int, language: str) -> Flight:
    segment, said = answer.outcome.segments[index], []
    if segment.answer is not None:
        messages = wording.constraint_messages(segment.answer, language)
        said = list(zip(segment.answer.constraints, messages, strict=True))
    return Flight(
        index=index + 1,
        origin=segment.leg.origin,
        destination=segment.leg.destination,
        airline=segment.leg.airline,
        says=_says(answer.release, segment.leg, index),
        verdict=segment.verdict,
        error="" if segment.error is None else segment.error.code,
        constraints=tuple(Constraint(statement.code, message) for statement, message in said),
    )


def _flight(answer: ItineraryAnswer, index: int, language: str) -> Flight:
    one = answer.outcome.flights[index]
    leg = one.flight.leg
    return Flight(
        index=index + 1,
        origin=leg.origin,
        destination=leg.destination,
        airline=leg.airline,
        says=_says(answer.release, leg, index, one.flight.date),
        verdict=one.verdict,
        error="" if one.error is None else one.error.code,
        constraints=tuple(
            Constraint(said.statement.code, wording.flight_sentence(answer, said, language))
            for said in one.constraints
        ),
    )


def flights_in_words(release: Published, question: Watched) -> tuple[str, ...]:
    """Return the flights of a trip in the active language, those of an itinerary with their days."""
    if isinstance(question, ItineraryQuestion):
        flights = enumerate(question.flights)
        return tuple(_says(release, one.leg, index, one.date) for index, one in flights)
    return tuple(_says(release, leg, index) for index, leg in enumerate(question.legs))


def _says(release: Published, leg: Leg, index: int, date: datetime.date | None = None) -> str:
    airline = release.corpus.airlines.get(leg.airline)
    origin, destination = (_place(release, code) for code in (leg.origin, leg.destination))
    route = say("trip.flight", index=index + 1, origin=origin, destination=destination)
    named = leg.airline if airline is None else airline_name(airline)
    return say("watch.flight", route=route, airline=named) + (bracketed(day(date)) if date else "")


def _place(release: Published, code: str) -> str:
    """Return the name of a country; its code if the release does not have it any more."""
    country = release.corpus.countries.get(code)
    return code if country is None else country_name(code, country.name)


def _what_travels(answer: ItineraryAnswer) -> tuple[object, ...]:
    """Return what is to be done about each item of an itinerary that is not cleared.

    Items are named by their places: a name can change without the verdict.
    """
    packing = answer.outcome.packing
    places = {item.ref: place for place, item in enumerate(answer.question.items)}
    kept = packing.may_travel.shares if packing.may_travel else ()
    return (
        [(places[one.ref], one.quantity, one.because) for one in packing.stays],
        [places[ref] for ref in packing.move_to_cabin],
        [places[ref] for ref in packing.undecided],
        sorted((places[one.ref], one.quantity) for one in kept),
    )


def _fingerprint(verdict: Verdict, content: TripContent, *also: object) -> str:
    flights = [
        (one.verdict, one.error, sorted(constraint.code for constraint in one.constraints))
        for one in content.flights
    ]
    return hashlib.sha256(msgspec.json.encode((verdict, content.error, flights, *also))).hexdigest()
