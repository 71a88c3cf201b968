"""Judges a recorded question again: by its own release at its own instant, and by today's release now.

Both paths are shown next to each other, step by step, in the words of each release, so that differences can
be seen and explained. Reads only. Called by `manage.py verdict replay`, by the page of a record in the admin,
and by tests.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import starmap, zip_longest

import msgspec
from msgspec.structs import replace

from compliance.records.verdict_log.entries import recall_status_of_itinerary, recall_status_of_trip
from compliance.records.verdict_log.models import VerdictRecord
from rules import corpus, verdicts
from rules.corpus import CorpusUnavailable, Published
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.facts import ItineraryQuestion, Leg, Question, TripQuestion, default_ref
from rules.engine.outcomes import LegVerdict
from rules.verdicts import ItineraryAnswer, TripAnswer
from rules.wording import coverage_message, itinerary_summary, steps, summary, trip_summary

LANGUAGE = "en"
"""The language of staff."""


@dataclass(frozen=True)
class Step:
    """A step of a path: its code for programs, and its sentence. The flight of a trip is a step as well."""

    step: str
    says: str


@dataclass(frozen=True)
class Side:
    """The result of one release.

    If it cannot judge the question, `verdict` is empty and `says` has the reason.
    """

    ruleset_version: str
    judged_as_of: datetime.datetime
    verdict: str
    says: str
    recall_status: str = ""
    path: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two matching steps; one side is none if only the other has the step."""

    own: Step | None
    today: Step | None

    @property
    def differs(self) -> bool:
        """Say whether the step differs between the sides, even in a word."""
        return self.own != self.today


@dataclass(frozen=True)
class Replay:
    """A record and the results of judging its question again.

    The serial is not stored. If it had decided the recall status, both sides are for a unit without a known
    serial (`serial_decided`).
    """

    record: VerdictRecord
    own: Side
    today: Side

    @property
    def serial_decided(self) -> bool:
        """Say whether the replay lacks the serial that decided."""
        given = self.record.serial_given != "none"
        return given and bool(self.own.path) and self.own.recall_status != self.record.recall_status

    @property
    def agrees(self) -> bool:
        """Say whether the question's own release gives the recorded verdict."""
        return self.own.verdict == self.record.verdict

    @property
    def pairs(self) -> list[Pair]:
        """Both paths in order, step next to step."""
        return list(_pairs(self.own.path, self.today.path))


def replay(record: VerdictRecord, *, now: datetime.datetime) -> Replay:
    """Judge a recorded question again. Raises `django.db.Error`."""
    question = asked(record)
    own = _side(
        record.release_sha256, record.ruleset_version, question, record.generated.astimezone(datetime.UTC)
    )
    return Replay(record, own, today=_side("", "", question, now))


AnyQuestion = Question | TripQuestion | ItineraryQuestion

_QUESTIONS: dict[str, type[AnyQuestion]] = {
    "leg": Question,
    "trip": TripQuestion,
    "itinerary": ItineraryQuestion,
}


def asked(record: VerdictRecord) -> AnyQuestion:
    """Return the question of a record, without a serial. Its items are named by their places."""
    question = msgspec.convert(record.question, _QUESTIONS[record.kind])
    if not isinstance(question, ItineraryQuestion):
        return question
    items = tuple(replace(item, ref=default_ref(place)) for place, item in enumerate(question.items))
    return replace(question, items=items)


def _side(sha256: str, ruleset_version: str, question: AnyQuestion, now: datetime.datetime) -> Side:
    """Judge by a release of the ledger, or by the current one if no digest is given."""
    try:
        release = corpus.past(sha256) if sha256 else corpus.current()
    except CorpusUnavailable as error:
        return Side(ruleset_version, now, "", f"{error}.")
    try:
        match question:
            case Question():
                return _of_leg(release, question, now)
            case TripQuestion():
                return _of_trip(release, question, now)
            case ItineraryQuestion():
                return _of_itinerary(release, question, now)
    except ModelNotFound as error:
        why = f"The model {error.name} is not in this release."
    except AirlineNotCovered as error:
        why = f"No rule of airline {error.name} is in force on the travel date in this release."
    except UnknownCountry as error:
        why = f"The country {error.name} is not in this release."
    return Side(release.ruleset_version, now, "", why)


def _of_leg(release: Published, question: Question, now: datetime.datetime) -> Side:
    answer = verdicts.answer_from(release, question, now=now)
    return Side(
        release.ruleset_version,
        answer.generated_at,
        answer.outcome.verdict,
        summary(answer, LANGUAGE),
        answer.outcome.recall_status,
        _words(release, answer.outcome),
    )


def _of_trip(release: Published, question: TripQuestion, now: datetime.datetime) -> Side:
    answer = verdicts.trip_answer_from(release, question, now=now)
    return Side(
        release.ruleset_version,
        answer.generated_at,
        answer.outcome.verdict,
        trip_summary(answer, LANGUAGE),
        recall_status_of_trip(answer),
        tuple(_flights(release, answer)),
    )


def _of_itinerary(release: Published, question: ItineraryQuestion, now: datetime.datetime) -> Side:
    answer = verdicts.itinerary_answer_from(release, question, now=now)
    return Side(
        release.ruleset_version,
        answer.generated_at,
        answer.outcome.verdict,
        itinerary_summary(answer, LANGUAGE),
        recall_status_of_itinerary(answer),
        tuple(_items_on_flights(release, answer)),
    )


def _items_on_flights(release: Published, answer: ItineraryAnswer) -> Iterator[Step]:
    """Return the path of each item on each flight."""
    for one in answer.outcome.flights:
        leg = one.flight.leg
        yield Step(f"flight.{leg.origin}-{leg.destination}", _flight(leg))
        if one.error is not None:
            yield Step("airline.not_covered", coverage_message(leg.airline, LANGUAGE))
        for item in one.items:
            yield Step(item.ref, f"{item.ref}:")
            yield from _words(release, item.answer)


def _flights(release: Published, answer: TripAnswer) -> Iterator[Step]:
    for segment in answer.outcome.segments:
        yield Step(f"flight.{segment.leg.origin}-{segment.leg.destination}", _flight(segment.leg))
        if segment.answer is None:
            yield Step("airline.not_covered", coverage_message(segment.leg.airline, LANGUAGE))
        else:
            yield from _words(release, segment.answer)


def _flight(leg: Leg) -> str:
    return f"{leg.origin} to {leg.destination} with {leg.airline}:"


def _words(release: Published, outcome: LegVerdict) -> tuple[Step, ...]:
    return tuple(Step(step.step, step.says) for step in steps(release, outcome, LANGUAGE))


def _pairs(own: tuple[Step, ...], today: tuple[Step, ...]) -> Iterator[Pair]:
    """Match steps by name, in the order of both paths."""
    names = [step.step for step in own], [step.step for step in today]
    for _, first, last, start, stop in SequenceMatcher(None, *names, autojunk=False).get_opcodes():
        yield from starmap(Pair, zip_longest(own[first:last], today[start:stop]))
