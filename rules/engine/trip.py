"""The verdict of an itinerary: the strictest of its legs, with coverage errors kept where they arose."""

import datetime
from itertools import chain

import msgspec

from catalog.cadence import Freshness, stalest
from rules.engine.corpus import CatalogEntry, Citation, Corpus
from rules.engine.errors import AirlineNotCovered
from rules.engine.evaluate import LegVerdict, evaluate_leg_of, judge_leg
from rules.engine.facts import Device, Leg, Question, TripQuestion
from rules.engine.vocabulary import Verdict, strictest


class Segment(msgspec.Struct, frozen=True):
    """One leg of a trip: its answer, or the reason why there is none (which counts as insufficient)."""

    leg: Leg
    answer: LegVerdict | None = None
    error: AirlineNotCovered | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the leg."""
        return "insufficient" if self.answer is None else self.answer.verdict

    @property
    def next_change(self) -> datetime.date | None:
        """The first day after today on which a rule that counts here starts or no longer holds."""
        known = self.answer or self.error
        return None if known is None else known.next_change


class TripVerdict(msgspec.Struct, frozen=True):
    """The verdict of a trip. `citations` are those of all segments, each once.

    `freshness` is that of the segment with the stalest evidence; `staler_on` is the first day on which that
    of any segment gets worse.
    """

    verdict: Verdict
    device: Device
    segments: tuple[Segment, ...]
    citations: tuple[Citation, ...]
    next_change: datetime.date | None
    freshness: Freshness
    staler_on: datetime.date | None


def evaluate_trip(corpus: Corpus, question: TripQuestion, *, today: datetime.date) -> TripVerdict:
    """Decide a trip leg by leg; an uncovered airline stays in its segment.

    Raises `ModelNotFound` or `UnknownCountry`.
    """
    return evaluate_trip_of(corpus, corpus.device(question.unit.model_id), question, today=today)


def evaluate_trip_of(
    corpus: Corpus, entry: CatalogEntry, question: TripQuestion, *, today: datetime.date
) -> TripVerdict:
    """Decide a trip for a unit at hand, of the catalog or not, whatever model the question names.

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
    """Return the verdict that `evaluate_trip` gives, for comparing many trips. Raises what it raises."""
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
