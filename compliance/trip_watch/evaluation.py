"""The content of a watched trip: its verdict by a release, and a fingerprint that shows when it changed.

The fingerprint covers the verdicts of the trip and its flights and the codes of all constraints. Words,
warnings, sources and dates are left out: they can change without the verdict, and then a watch reports
nothing. Called by the actions that make watches and judge them again.
"""

import datetime
import hashlib
from typing import NamedTuple

import msgspec
from django.utils.translation import override

from aeo.texts import airline_name, country_name, model_name, say
from rules import verdicts, wording
from rules.corpus import Published
from rules.engine.errors import Unanswerable
from rules.engine.facts import Leg, TripQuestion
from rules.engine.vocabulary import Verdict
from rules.verdicts import TripAnswer


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
    """The content of a state, in the language of the watch. `model` is a name, or the id of a lost model.

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


def judge(release: Published, question: TripQuestion, *, now: datetime.datetime, language: str) -> Judged:
    """Judge a trip. Missing data in the release makes the verdict insufficient, and the content says so."""
    with override(language):
        try:
            answer = verdicts.trip_answer_from(release, question, now=now)
        except Unanswerable as gap:
            return _unanswered(question.unit.model_id, gap.code, say("watch.gap"))
        content = TripContent(
            model=model_name(answer.outcome.device),
            summary=wording.trip_summary(answer, language),
            error="",
            flights=tuple(_flight(answer, index, language) for index in range(len(answer.outcome.segments))),
        )
    verdict = answer.outcome.verdict
    return Judged(verdict, _fingerprint(verdict, content), content)


def failed(model_id: str, *, language: str) -> Judged:
    """Return the content for a trip that could not be judged because of an unexpected error."""
    with override(language):
        return _unanswered(model_id, "INTERNAL_ERROR", say("watch.failed"))


def _unanswered(model_id: str, error: str, why: str) -> Judged:
    content = TripContent(model=model_id, summary=why, error=error, flights=())
    return Judged("insufficient", _fingerprint("insufficient", content), content)


def _flight(answer: TripAnswer, index: int, language: str) -> Flight:
    segment = answer.outcome.segments[index]
    origin, destination, airline = _names(answer.release, segment.leg)
    route = say("trip.flight", index=index + 1, origin=origin, destination=destination)
    constraints: tuple[Constraint, ...] = ()
    if segment.answer is not None:
        said = wording.constraint_messages(segment.answer, language)
        constraints = tuple(
            Constraint(statement.code, message)
            for statement, message in zip(segment.answer.constraints, said, strict=True)
        )
    return Flight(
        index=index + 1,
        origin=segment.leg.origin,
        destination=segment.leg.destination,
        airline=segment.leg.airline,
        says=say("watch.flight", route=route, airline=airline),
        verdict=segment.verdict,
        error="" if segment.error is None else segment.error.code,
        constraints=constraints,
    )


def _names(release: Published, leg: Leg) -> tuple[str, str, str]:
    """Return the names of both ends of a flight and of its airline; the code if the airline is unknown."""
    countries, airline = release.corpus.countries, release.corpus.airlines.get(leg.airline)
    return (
        country_name(leg.origin, countries[leg.origin].name),
        country_name(leg.destination, countries[leg.destination].name),
        leg.airline if airline is None else airline_name(airline),
    )


def _fingerprint(verdict: Verdict, content: TripContent) -> str:
    flights = [
        (one.verdict, one.error, sorted(constraint.code for constraint in one.constraints))
        for one in content.flights
    ]
    return hashlib.sha256(msgspec.json.encode((verdict, content.error, flights))).hexdigest()
