"""The verdict of an itinerary: the strictest of its legs. A coverage error stays with its leg."""

import datetime
from itertools import chain

from catalog.cadence import stalest
from rules.engine.corpus import CatalogEntry, Corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import evaluate_leg_of, judge_leg
from rules.engine.facts import Leg, Question, TripQuestion
from rules.engine.outcomes import Segment, TripVerdict
from rules.engine.vocabulary import Verdict, strictest


def evaluate_trip(corpus: Corpus, question: TripQuestion, *, today: datetime.date) -> TripVerdict:
    """Decide a trip leg by leg; an uncovered airline stays in its segment.

    Raises `ModelNotFound` or `UnknownCountry`.
    """
    return evaluate_trip_of(corpus, corpus.device(question.unit.model_id), question, today=today)


def evaluate_trip_of(
    corpus: Corpus, entry: CatalogEntry, question: TripQuestion, *, today: datetime.date
) -> TripVerdict:
    """Decide a trip for a given unit, whether or not it is in the catalog. The question's model is ignored.

    Raises `UnknownCountry`.
    """
    segments = tuple(
        _segment(corpus, entry, question, leg, today, connecting=index > 0)
        for index, leg in enumerate(question.legs)
    )
    answers = [segment.answer for segment in segments if segment.answer is not None]
    return TripVerdict(
        verdict=strictest(segment.verdict for segment in segments),
        device=entry.device,
        segments=segments,
        citations=tuple(dict.fromkeys(chain.from_iterable(answer.citations for answer in answers))),
        next_change=min((day for segment in segments if (day := segment.next_change)), default=None),
        freshness=stalest(answer.freshness for answer in answers),
        staler_on=min((day for answer in answers if (day := answer.staler_on)), default=None),
    )


def judge_trip(corpus: Corpus, question: TripQuestion, *, today: datetime.date) -> Verdict:
    """Return the verdict that `evaluate_trip` gives, for comparing many trips. Raises the same errors."""
    corpus.device(question.unit.model_id)
    return strictest(_judge(corpus, question, leg, today) for leg in question.legs)


def _judge(corpus: Corpus, trip: TripQuestion, leg: Leg, today: datetime.date) -> Verdict:
    try:
        return judge_leg(corpus, _of_leg(trip, leg), today=today)[0]
    except AirlineNotCovered:
        return "insufficient"


def _of_leg(trip: TripQuestion, leg: Leg) -> Question:
    return Question(
        unit=trip.unit, leg=leg, travel_date=trip.travel_date, compartment_intent=trip.compartment_intent
    )


def _segment(
    corpus: Corpus,
    entry: CatalogEntry,
    trip: TripQuestion,
    leg: Leg,
    today: datetime.date,
    *,
    connecting: bool,
) -> Segment:
    question = _of_leg(trip, leg)
    try:
        answer = evaluate_leg_of(corpus, entry, question, today=today, connecting=connecting)
        return Segment(leg, answer=answer)
    except AirlineNotCovered as error:
        return Segment(leg, error=error)
