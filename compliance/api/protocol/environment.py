"""Where the operations of the API run: which release answers, and what happens to a verdict.

There are two places: the service itself, described here, and the sandbox
(`compliance.channels.sandbox.environment`). Views, readers, engine and texts are the same in both. A view
gets from its place the few things that differ.
"""

import datetime
from typing import TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from compliance.api.protocol import limits
from compliance.api.protocol.callers import Caller
from compliance.api.protocol.sending import Batch, give
from compliance.operations.accounting import Kind
from rules import corpus, verdicts
from rules.corpus import Published
from rules.engine.facts import ItineraryQuestion, Question, TripQuestion
from rules.engine.outcomes import FlightVerdict
from rules.verdicts import Answer, AnyAnswer, ItineraryAnswer, TripAnswer

AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)


class Place:
    """The service: the published release answers, and every verdict is recorded."""

    limit_group = limits.GROUP
    """Requests of one group are counted together."""

    def rate(self, caller: Caller) -> str:
        """Return how many requests a caller may send."""
        return limits.rate_of(caller)

    def release(self, now: datetime.datetime) -> Published:
        """Return the release that answers at an instant. Raises the errors of `corpus.current`."""
        return corpus.current()

    def answer_from(self, release: Published, question: Question, *, now: datetime.datetime) -> Answer:
        """Answer a question about one leg. Raises as `verdicts.answer_from` does."""
        return verdicts.answer_from(release, question, now=now)

    def trip_answer_from(
        self, release: Published, question: TripQuestion, *, now: datetime.datetime
    ) -> TripAnswer:
        """Answer a question about a whole trip. Raises as `verdicts.trip_answer_from` does."""
        return verdicts.trip_answer_from(release, question, now=now)

    def itinerary_answer_from(
        self, release: Published, question: ItineraryQuestion, *, now: datetime.datetime
    ) -> ItineraryAnswer:
        """Answer a question about an itinerary. Raises as `verdicts.itinerary_answer_from` does."""
        return verdicts.itinerary_answer_from(release, question, now=now)

    def leg_ids(self, answer: ItineraryAnswer, flight: FlightVerdict) -> dict[str, str]:
        """Return the verdict ids of the items of a flight, as `verdicts.flight_leg_ids` does."""
        return verdicts.flight_leg_ids(answer, flight)

    def give(
        self, request: HttpRequest, answer: AnyAnswer, body: msgspec.Struct, language: str
    ) -> HttpResponse:
        """Return an answer as the response to a request; `body` is its text in the caller's language."""
        return give(request, answer, body, language)

    def marked(self, body: AnyBody) -> AnyBody:
        """Return the body of an answer, marked with its origin."""
        return body

    def batch(self, request: HttpRequest, kind: Kind) -> Batch:
        """Return an object that sends many answers of one kind as the response to one request."""
        return Batch(request, kind)

    def explained(self, error: Exception) -> Exception:
        """Return the error as the caller gets it."""
        return error


SERVICE = Place()
