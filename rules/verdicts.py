"""The door: every verdict of the service leaves through here.

Pages, the API, the manifest and tools all call `answer_from`, `trip_answer_from` or `itinerary_answer_from`,
so they cannot disagree.
The caller takes a release once (`rules.corpus`), reads its question with it and passes both in. The engine
decides. The door adds what turns a verdict into an answer: the release it rests on, when it was given, how
long it is valid, and an id that proves it. `rules/wording` adds the words, in the reader's language.

The clock is a parameter: the caller takes `now` once. The same question, release and second give the same
answer.
"""

import datetime
import functools
from collections.abc import Mapping

import msgspec
from django.conf import settings

from catalog.cadence import Freshness
from rules.corpus import Published
from rules.engine import deciding
from rules.engine.corpus import Citation
from rules.engine.evaluate import evaluate_leg, judge_leg
from rules.engine.facts import Flight, Item, ItineraryQuestion, Question, TripQuestion
from rules.engine.itinerary import evaluate_itinerary
from rules.engine.outcomes import FlightVerdict, ItineraryVerdict, LegVerdict, Segment, TripVerdict
from rules.engine.trip import evaluate_trip, judge_trip
from rules.engine.verdict_ids import itinerary_verdict_id, trip_verdict_id, verdict_id
from rules.engine.vocabulary import Verdict

SHORTENED: Mapping[Freshness, int] = {"fresh": 1, "stale": 2, "very_stale": 4}
"""The divisor of an answer's validity: an answer that rests on old evidence ends sooner."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of one leg as it is given. Times are UTC, whole seconds."""

    question: Question
    outcome: LegVerdict
    release: Published
    verdict_id: str
    generated_at: datetime.datetime
    expires_at: datetime.datetime


class TripAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of a trip as it is given. `segment_ids` are the verdict ids of its legs, in order."""

    question: TripQuestion
    outcome: TripVerdict
    release: Published
    trip_verdict_id: str
    segment_ids: tuple[str, ...]
    generated_at: datetime.datetime
    expires_at: datetime.datetime


class ItineraryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of an itinerary as it is given."""

    question: ItineraryQuestion
    outcome: ItineraryVerdict
    release: Published
    itinerary_verdict_id: str
    generated_at: datetime.datetime
    expires_at: datetime.datetime


AnyAnswer = Answer | TripAnswer | ItineraryAnswer
"""An answer of the door, whatever was asked."""


def answer_from(release: Published, question: Question, *, now: datetime.datetime) -> Answer:
    """Answer a question about one leg by a release.

    Args:
        release: The release that answers.
        question: What is asked.
        now: The instant of asking, with its time zone.

    Raises:
        ModelNotFound, AirlineNotCovered, UnknownCountry: The release does not cover what the question names.

    """
    generated_at = whole_second(now)
    outcome = evaluate_leg(release.corpus, question, today=generated_at.date())
    return Answer(
        question=question,
        outcome=outcome,
        release=release,
        verdict_id=_leg_id(question, release, generated_at, outcome.verdict),
        generated_at=generated_at,
        expires_at=expiry(generated_at, outcome),
    )


def judge_from(release: Published, question: Question, *, today: datetime.date) -> tuple[Verdict, int]:
    """Return the verdict that `answer_from` gives on a day (UTC), and how many rules it applies.

    For pages that look for the strictest of many legs and then answer that one, and for the replay of an
    audit export. Reads no settings. Raises what `answer_from` raises.
    """
    return judge_leg(release.corpus, question, today=today)


def trip_answer_from(release: Published, question: TripQuestion, *, now: datetime.datetime) -> TripAnswer:
    """Answer a question about a whole trip by a release.

    Takes and raises the same as `answer_from`, but an uncovered airline is an error of its segment.
    """
    generated_at = whole_second(now)
    outcome = evaluate_trip(release.corpus, question, today=generated_at.date())
    return _trip_answer(release, question, outcome, generated_at)


def trip_answer_of(answer: ItineraryAnswer, question: TripQuestion) -> TripAnswer:
    """Return the answer that `trip_answer_from` gives, from that of the same trip as an itinerary.

    The itinerary has one item of a model, for one passenger, on the flights of the trip. For pages that need
    both: nothing is judged twice.
    """
    whole = answer.outcome
    outcome = TripVerdict(
        verdict=whole.verdict,
        device=whole.items[0].device,
        segments=tuple(
            Segment(leg, answer=one.items[0].answer if one.items else None, error=one.error)
            for leg, one in zip(question.legs, whole.flights, strict=True)
        ),
        citations=whole.citations,
        next_change=whole.next_change,
        freshness=whole.freshness,
        staler_on=whole.staler_on,
    )
    return _trip_answer(answer.release, question, outcome, answer.generated_at)


def _trip_answer(
    release: Published, question: TripQuestion, outcome: TripVerdict, generated_at: datetime.datetime
) -> TripAnswer:
    return TripAnswer(
        question=question,
        outcome=outcome,
        release=release,
        trip_verdict_id=trip_verdict_id(
            question,
            key=settings.VERDICT_KEY,
            release_sha256=release.sha256,
            generated_at=generated_at,
            verdict=outcome.verdict,
        ),
        segment_ids=tuple(
            _leg_id(leg_question(question, segment), release, generated_at, segment.verdict)
            for segment in outcome.segments
        ),
        generated_at=generated_at,
        expires_at=expiry(generated_at, outcome),
    )


def itinerary_answer_from(
    release: Published, question: ItineraryQuestion, *, now: datetime.datetime
) -> ItineraryAnswer:
    """Answer a question about several units, passengers and flights by a release.

    Takes and raises the same as `answer_from`, but an uncovered airline is an error of its flight.
    """
    generated_at = whole_second(now)
    outcome = evaluate_itinerary(release.corpus, question, today=generated_at.date())
    return ItineraryAnswer(
        question=question,
        outcome=outcome,
        release=release,
        itinerary_verdict_id=itinerary_verdict_id(
            question,
            key=settings.VERDICT_KEY,
            release_sha256=release.sha256,
            generated_at=generated_at,
            verdict=outcome.verdict,
        ),
        generated_at=generated_at,
        expires_at=expiry(generated_at, outcome),
    )


def flight_leg_ids(
    answer: ItineraryAnswer, flight: FlightVerdict, *, key: str | None = None
) -> dict[str, str]:
    """Return the verdict ids of the items of a flight, by their refs: those that can be asked about alone.

    Their answers are those of `answer_from`: the exact model and who flies are known, and nothing else is in
    the bag. `key` is another key than that of the service.
    """
    if flight.flight.operating_airline is None:
        return {}
    items = {item.ref: item for item in answer.question.items}
    return {
        one.ref: verdict_id(
            item_question(items[one.ref], flight.flight),
            key=key or settings.VERDICT_KEY,
            release_sha256=answer.release.sha256,
            generated_at=answer.generated_at,
            verdict=one.verdict,
        )
        for one in flight.items
        if one.is_alone and items[one.ref].label is None
    }


def item_question(item: Item, flight: Flight) -> Question:
    """Return the question about one item on one flight, as if a caller asked it alone."""
    return Question(
        unit=item.unit,
        leg=flight.leg,
        travel_date=flight.date,
        compartment_intent=item.compartment_intent,
    )


def deciding_citations(answer: Answer | ItineraryAnswer) -> tuple[Citation, ...]:
    """Return those citations of an answer that decide its verdict: of models, and of the deciding rules."""
    corpus = answer.release.corpus
    if isinstance(answer, Answer):
        own = corpus.device(answer.question.unit.model_id)
        return deciding.deciding_citations(corpus, own, answer.question, answer.outcome)
    items = {item.ref: item for item in answer.question.items}
    found: set[Citation] = set()
    for flight in answer.outcome.flights:
        for one in flight.items:
            item = items[one.ref]
            entry = None if item.label is not None else corpus.device(item.unit.model_id)
            asked = item_question(item, flight.flight)
            found.update(deciding.deciding_citations(corpus, entry, asked, one.answer))
    return tuple([citation for citation in answer.outcome.citations if citation in found])


def judge_trip_from(release: Published, question: TripQuestion, *, today: datetime.date) -> Verdict:
    """Return the verdict that `trip_answer_from` gives on a day (UTC). Raises the same errors."""
    return judge_trip(release.corpus, question, today=today)


def judge_itinerary_from(release: Published, question: ItineraryQuestion, *, today: datetime.date) -> Verdict:
    """Return the verdict that `itinerary_answer_from` gives on a day (UTC). Raises the same errors."""
    return evaluate_itinerary(release.corpus, question, today=today).verdict


def leg_question(trip: TripQuestion, segment: Segment) -> Question:
    """Return the question that one segment of a trip answers, as if a caller asked it alone."""
    return Question(
        unit=trip.unit,
        leg=segment.leg,
        travel_date=trip.travel_date,
        compartment_intent=trip.compartment_intent,
    )


def segment_answer(trip: TripAnswer, index: int) -> Answer | None:
    """Return the answer of one segment of a trip, counted from 0, as an answer of its own, or None.

    It expires with the trip.
    """
    segment = trip.outcome.segments[index]
    if segment.answer is None:
        return None
    return Answer(
        question=leg_question(trip.question, segment),
        outcome=segment.answer,
        release=trip.release,
        verdict_id=trip.segment_ids[index],
        generated_at=trip.generated_at,
        expires_at=trip.expires_at,
    )


def whole_second(now: datetime.datetime) -> datetime.datetime:
    """Return an instant as answers show it: UTC, whole seconds. Raises `ValueError` without a time zone."""
    if now.tzinfo is None:
        raise ValueError("a time without a time zone is not accepted")
    return now.astimezone(datetime.UTC).replace(microsecond=0)


def validity(freshness: Freshness) -> datetime.timedelta:
    """Return the longest validity of an answer with evidence of this freshness."""
    return _validity(settings.VERDICT_VALIDITY_HOURS, freshness)


@functools.cache
def _validity(hours: float, freshness: Freshness) -> datetime.timedelta:
    return datetime.timedelta(hours=hours) / SHORTENED[freshness]


def expiry(
    generated_at: datetime.datetime, outcome: LegVerdict | TripVerdict | ItineraryVerdict
) -> datetime.datetime:
    """Return when an answer ends.

    It ends when its validity is over. It ends earlier at the first midnight at which a rule in play changes
    or the evidence gets staler.
    """
    end = generated_at + validity(outcome.freshness)
    for day in (outcome.next_change, outcome.staler_on):
        if day is not None:
            end = min(end, datetime.datetime.combine(day, datetime.time(), datetime.UTC))
    return end


def _leg_id(question: Question, release: Published, generated_at: datetime.datetime, verdict: Verdict) -> str:
    return verdict_id(
        question,
        key=settings.VERDICT_KEY,
        release_sha256=release.sha256,
        generated_at=generated_at,
        verdict=verdict,
    )
