"""Asks the engine the question of each case, on some content."""

from collections.abc import Iterable, Iterator

import msgspec

from rules.cases.given import Given
from rules.cases.reading import Case
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.errors import Unanswerable
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Device, ItineraryQuestion, Question
from rules.engine.itinerary import evaluate_itinerary
from rules.engine.matching import Statement
from rules.engine.outcomes import ItineraryVerdict, LegVerdict, Packing, Segment
from rules.engine.trip import evaluate_trip
from rules.engine.vocabulary import strictest


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine answered: a verdict with the answers of its units, or why there is none.

    `packing` is that of an itinerary.
    """

    verdict: str | None = None
    error: str | None = None
    answers: tuple[LegVerdict, ...] = ()
    constraints: tuple[Statement, ...] = ()
    warnings: tuple[Statement, ...] = ()
    segments: tuple[str, ...] = ()
    packing: Packing | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The paths of the answers, one after the other."""
        return tuple(step for answer in self.answers for step in answer.path)


def outcomes(known: Content | Corpus, cases: Iterable[Case]) -> Iterator[tuple[Case, Outcome]]:
    """Ask every case on some content, which may be indexed already, in the order of the cases."""
    asked = tuple(cases)
    corpus = known if isinstance(known, Corpus) else Corpus(known)
    corpus = corpus.also(_units(corpus.content, asked))
    for case in asked:
        try:
            yield case, _ask(corpus, case.given)
        except Unanswerable as error:
            yield case, Outcome(error=error.code)


def concerning(content: Content, case: Case) -> Content:
    """Return the part of some content that can affect a case: its airlines, its models, and all places."""
    given = case.given
    flown = {leg.airline for leg in given.flights()}
    for segment in given.segments or ():
        flown |= {segment.operating_airline or "", segment.marketing_airline or ""}
    models = {unit.model_id for unit in given.units()}
    return msgspec.structs.replace(
        content,
        airlines=tuple(one for one in content.airlines if one.airline in flown),
        devices=tuple(one for one in content.devices if one.model_id in models),
        recalls=tuple(one for one in content.recalls if one.model_id in models),
        rules=tuple(one for one in content.rules if one.airline is None or one.airline in flown),
    )


def _ask(corpus: Corpus, given: Given) -> Outcome:
    question, today = given.question(), given.today or given.on
    if isinstance(question, Question):
        return _of_legs(Segment(question.leg, evaluate_leg(corpus, question, today=today)))
    if isinstance(question, ItineraryQuestion):
        return _of_itinerary(evaluate_itinerary(corpus, question, today=today))
    return _of_legs(*evaluate_trip(corpus, question, today=today).segments)


def _of_legs(*segments: Segment) -> Outcome:
    answers = tuple(segment.answer for segment in segments if segment.answer is not None)
    return Outcome(
        verdict=strictest(segment.verdict for segment in segments),
        answers=answers,
        constraints=tuple(one for answer in answers for one in answer.constraints),
        warnings=tuple(one for answer in answers for one in answer.warnings),
        segments=tuple(segment.error.code if segment.error else segment.verdict for segment in segments),
    )


def _of_itinerary(itinerary: ItineraryVerdict) -> Outcome:
    flights = itinerary.flights
    return Outcome(
        verdict=itinerary.verdict,
        answers=tuple(item.answer for flight in flights for item in flight.items),
        constraints=tuple(said.statement for flight in flights for said in flight.constraints),
        warnings=tuple(said.statement for flight in flights for said in flight.warnings),
        segments=tuple(flight.error.code if flight.error else flight.verdict for flight in flights),
        packing=itinerary.packing,
    )


def _units(content: Content, cases: Iterable[Case]) -> tuple[Device, ...]:
    """Return a device for each rating that the cases ask about, with evidence that counts as read."""
    read = tuple(source.id for source in content.sources if source.citable)
    units = {
        unit.rated_model_id(): Device(
            model_id=unit.rated_model_id(),
            brand="Verdict case",
            model_name="Unit without a rating" if unit.watt_hour is None else f"{unit.watt_hour} Wh unit",
            watt_hour=unit.watt_hour,
            watt_hour_basis=unit.basis,
            sources=read[:1],
        )
        for case in cases
        for unit in case.given.units()
        if unit.basis is not None
    }
    return tuple(units.values())
