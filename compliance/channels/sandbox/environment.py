"""The sandbox as an environment of the API: its release, and what happens to an answer.

The one engine judges questions, by the sandbox's own release. Answers are marked as sandbox answers. Their
ids use a key of their own, so that none is ever proved as real. They have no receipt and are not recorded.
"""

import datetime
import hashlib
from collections import Counter

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from msgspec.structs import replace

from compliance.api.protocol.bodies import encode, json_response, spelled_response
from compliance.api.protocol.callers import Caller
from compliance.api.protocol.environment import AnyBody, Place
from compliance.api.protocol.errors import PROBLEMS, ApiError
from compliance.api.protocol.prefixes import API
from compliance.api.protocol.sending import Batch
from compliance.api.verdicts.itineraries import ItineraryBody
from compliance.api.verdicts.trips import TripBody
from compliance.api.verdicts.verify import VerifyBody
from compliance.channels.sandbox import release as world
from compliance.channels.sandbox import reserved_models
from compliance.channels.sandbox.faults import Fields
from compliance.operations.accounting import Kind
from rules import verdicts
from rules.corpus import Published
from rules.engine.facts import ItineraryQuestion, Question, TripQuestion
from rules.engine.outcomes import FlightVerdict
from rules.engine.verdict_ids import itinerary_verdict_id, trip_verdict_id, verdict_id
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer, AnyAnswer, ItineraryAnswer, TripAnswer, flight_leg_ids, leg_question

MARK = "Sandbox:"
"""The beginning of every answer's summary, in every language."""

EXPIRED = "sandbox-expired"
EXPIRED_FOR = datetime.timedelta(hours=1)

WHY = {
    "MODEL_NOT_FOUND": (
        f"{MARK} it has no real models, only those that GET /sandbox/api/devices lists. Send real questions "
        "to POST /api/verify."
    ),
    "AIRLINE_NOT_COVERED": (
        f"{MARK} it has no real airlines, only those that GET /sandbox/api/airlines lists, and this airline "
        "has no rule in force. Send real questions to POST /api/verify."
    ),
}
"""Why something is not found, by the code of the error."""


class Sandbox(Place):
    """The sandbox: nothing in it is real."""

    limit_group = "sandbox"

    def rate(self, caller: Caller) -> str:
        """Return the rate of anonymous callers, also for a partner."""
        return str(settings.SANDBOX_RATE)

    def release(self, now: datetime.datetime) -> Published:
        """Return the release of the day."""
        return world.release(now.astimezone(datetime.UTC).date())

    def answer_from(self, release: Published, question: Question, *, now: datetime.datetime) -> Answer:
        """Answer a question about one leg, alone or in a batch. Raises the error of its model."""
        reserved_models.refuse(question.unit.model_id)
        answer = verdicts.answer_from(release, question, now=_answered_at(question, now))
        return replace(answer, verdict_id=_leg_id(question, answer, answer.outcome.verdict))

    def trip_answer_from(
        self, release: Published, question: TripQuestion, *, now: datetime.datetime
    ) -> TripAnswer:
        """Answer a question about a whole trip. Raises the error of its model."""
        reserved_models.refuse(question.unit.model_id)
        answer = verdicts.trip_answer_from(release, question, now=_answered_at(question, now))
        return replace(
            answer,
            trip_verdict_id=trip_verdict_id(
                question,
                key=_id_key(),
                release_sha256=release.sha256,
                generated_at=answer.generated_at,
                verdict=answer.outcome.verdict,
            ),
            segment_ids=tuple(
                _leg_id(leg_question(question, segment), answer, segment.verdict)
                for segment in answer.outcome.segments
            ),
        )

    def itinerary_answer_from(
        self, release: Published, question: ItineraryQuestion, *, now: datetime.datetime
    ) -> ItineraryAnswer:
        """Answer a question about an itinerary. Raises the error of the first item that has one."""
        for model_id in _model_ids(question):
            reserved_models.refuse(model_id)
        answer = verdicts.itinerary_answer_from(release, question, now=_answered_at(question, now))
        return replace(
            answer,
            itinerary_verdict_id=itinerary_verdict_id(
                question,
                key=_id_key(),
                release_sha256=release.sha256,
                generated_at=answer.generated_at,
                verdict=answer.outcome.verdict,
            ),
        )

    def leg_ids(self, answer: ItineraryAnswer, flight: FlightVerdict) -> dict[str, str]:
        """Return the verdict ids of the items of a flight, by the sandbox's own key."""
        return flight_leg_ids(answer, flight, key=_id_key())

    def give(
        self, request: HttpRequest, answer: AnyAnswer, body: msgspec.Struct, language: str
    ) -> HttpResponse:
        """Return a marked answer, or in its place the fault of the first model that has one."""
        body = self.marked(body)
        faulty = [name for name in _model_ids(answer.question) if name in reserved_models.FAULTY]
        if not faulty:
            return json_response(body)
        model_id = faulty[0]
        fault = reserved_models.FAULTY[model_id]
        fields = msgspec.json.decode(encode(body))
        return fault(fields if model_id == reserved_models.SLOW else _as_a_permission(fields))

    def marked(self, body: AnyBody) -> AnyBody:
        """Return a body whose summary begins with the mark."""
        if not isinstance(body, VerifyBody | TripBody | ItineraryBody):
            raise TypeError("the sandbox gives verdicts")
        body.summary = f"{MARK} {body.summary}"
        return body

    def batch(self, request: HttpRequest, kind: Kind) -> Batch:
        """Return an object that sends many answers and records none.

        Faults of single answers do not happen in it.
        """
        return _Unrecorded()

    def explained(self, error: Exception) -> Exception:
        """Return an error that also says why nothing real is found here, and that links nowhere else."""
        code = getattr(error, "code", None)
        if code not in PROBLEMS or not PROBLEMS[code].suggested.path.startswith(API):
            return error
        suggested = PROBLEMS[code].suggested
        return ApiError(
            code,
            WHY.get(code, getattr(error, "detail", "")),
            getattr(error, "errors", ()),
            suggested=suggested._replace(path=f"/sandbox{suggested.path}"),
        )


SANDBOX = Sandbox()


class _Unrecorded(Batch):
    """Many answers of the sandbox."""

    def __init__(self) -> None:
        self.counts = Counter()

    def add(self, answer: AnyAnswer, language: str) -> None:
        self.counts[answer.outcome.verdict] += 1

    def give(self, content: bytes) -> HttpResponse:
        return spelled_response(content)


def _as_a_permission(fields: Fields) -> Fields:
    """Return an answer with the verdict that a careless client hopes for."""
    return {
        **{name: value for name, value in fields.items() if name != "suggested_next_step"},
        "verdict": "allowed",
    }


def _model_ids(question: Question | TripQuestion | ItineraryQuestion) -> list[str]:
    """Return the models that a question names."""
    if isinstance(question, ItineraryQuestion):
        return [item.unit.model_id for item in question.items]
    return [question.unit.model_id]


def _answered_at(
    question: Question | TripQuestion | ItineraryQuestion, now: datetime.datetime
) -> datetime.datetime:
    """Return when a question counts as answered: now, or so long ago that the answer has expired."""
    if EXPIRED in _model_ids(question):
        return now - verdicts.validity("fresh") - EXPIRED_FOR
    return now


def _leg_id(question: Question, answer: Answer | TripAnswer, verdict: Verdict) -> str:
    return verdict_id(
        question,
        key=_id_key(),
        release_sha256=answer.release.sha256,
        generated_at=answer.generated_at,
        verdict=verdict,
    )


def _id_key() -> str:
    """Return the key of the sandbox's ids. It does not reveal the key of the service."""
    return hashlib.sha256(f"sandbox\n{settings.VERDICT_KEY}".encode()).hexdigest()
