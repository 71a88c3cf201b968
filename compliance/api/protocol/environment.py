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
from rules import corpus, verdicts
from rules.corpus import Published
from rules.engine.facts import Question, TripQuestion
from rules.verdicts import Answer, TripAnswer

AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)


class Place:
    """The service: the published release answers, and every verdict is signed and recorded."""

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

    def give(
        self, request: HttpRequest, answer: Answer | TripAnswer, body: msgspec.Struct, language: str
    ) -> HttpResponse:
        """Return an answer as the response to a request; `body` is its text in the caller's language."""
        return give(request, answer, body, language)

    def marked(self, body: AnyBody) -> AnyBody:
        """Return the body of an answer, marked with its origin."""
        return body

    def batch(self, request: HttpRequest) -> Batch:
        """Return an object that sends many answers as the response to one request."""
        return Batch(request)

    def explained(self, error: Exception) -> Exception:
        """Return the error as the caller gets it."""
        return error


SERVICE = Place()
