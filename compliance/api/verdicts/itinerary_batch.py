"""POST /api/itineraries/verify/batch: many itineraries at once, each answered as it would be alone."""

import datetime
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.protocol.bodies import read_bytes
from compliance.api.protocol.errors import ProblemBody
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts.batch_request import (
    MAX_BATCH_BYTES,
    OF_ITINERARIES,
    ItineraryBatchRequest,
    batch_request,
)
from compliance.api.verdicts.batch_work import BatchCountsBody, Work
from compliance.api.verdicts.itineraries import (
    UNITS_TO_A_REQUEST,
    ItineraryBody,
    itinerary_body,
    requests_of,
)
from compliance.api.verdicts.one_of_many import asked_of_itinerary
from compliance.api.verdicts.questions import Asked
from compliance.api.verdicts.stamps import RulesetVersion
from rules.corpus import check_version
from rules.engine.facts import ItineraryQuestion
from rules.verdicts import ItineraryAnswer


class ItineraryBatchItemBody(msgspec.Struct):
    """The result of one itinerary: an `answer` with status 200, or else a `problem`."""

    answer: Annotated[ItineraryBody | None, Meta(description="Null if there is a problem.")]
    index: Annotated[int, Meta(description="The position of the itinerary in `items`, counted from 0.")]
    problem: Annotated[ProblemBody | None, Meta(description="Null if there is an answer.")]
    ref: Annotated[
        str | None,
        Meta(description="Your name of the itinerary; null if you sent none, or none that can be read."),
    ]
    status: Annotated[
        int, Meta(description="The HTTP status that the itinerary would get as a single request.")
    ]


class ItineraryBatchBody(msgspec.Struct):
    """The answer of POST /api/itineraries/verify/batch. Its items are in the order of the itineraries."""

    counts: BatchCountsBody
    generated_at: datetime.datetime
    items: list[ItineraryBatchItemBody]
    ruleset_version: RulesetVersion


class ItinerariesBatchView(ServiceView):
    """Many verdicts, each for one itinerary."""

    operation = Operation(
        operation_id="verifyItineraryBatch",
        tag="Verdicts",
        summary="May these travelers take their power banks on all their flights?",
        description=(
            f"Asks up to {OF_ITINERARIES.questions} questions of POST /api/itineraries/verify at once, in a "
            f"body of at most {MAX_BATCH_BYTES // 2**20} MiB. Each item is the full answer of that "
            "operation, in the order of the questions; itineraries do not count together. All items use one "
            "ruleset and were made in one second. Status 200 means that the batch was processed, not that "
            "anything is `allowed`: look at each item, and treat an item with a `problem` as *not "
            "allowed*.\n\n"
            "The batch counts as many requests against your limit as its itineraries do alone: each as one "
            f"for every {UNITS_TO_A_REQUEST} units on a flight, and one with a `problem` as at least one. If "
            "fewer requests are left, the whole batch is refused and nothing is answered: with 429, or with "
            "`BATCH_EXCEEDS_LIMIT` if your limit never has room for so many.\n\n"
            'A receipt in `X-Service-Receipt` is for the whole answer: it signs `{"batch_sha256":"…"}`, '
            "the SHA-256 of the canonical JSON of the answer in hex digits."
        ),
        body=ItineraryBatchRequest,
        answer=ItineraryBatchBody,
        signed=True,
        errors=(
            "MALFORMED_JSON",
            "BATCH_EXCEEDS_LIMIT",
            "RULESET_VERSION_NOT_CURRENT",
            "BODY_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
        ),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200, whatever the items are."""
        asked = batch_request(read_bytes(request, MAX_BATCH_BYTES), OF_ITINERARIES)
        now = timezone.now()
        release = self.place.release(now)
        check_version(release, asked.ruleset_version)
        work = _Work(self.place, request, release, now, asked)
        questions = work.read(asked.questions)
        # Only after reading is it known how much is asked. A batch that is refused here costs one request.
        self.spend(request, sum(map(_cost, questions)) - 1)
        for question in questions:
            work.answer([question])
        return work.give()


class _Work(Work[ItineraryQuestion, ItineraryAnswer]):
    kind = "itinerary"

    def asked(self, body: dict[str, Any]) -> Asked[ItineraryQuestion]:
        how = self.options
        return asked_of_itinerary(
            body, self.release, now=self.now, language=how.language, citations=how.citations
        )

    def judged(self, question: ItineraryQuestion) -> ItineraryAnswer:
        return self.place.itinerary_answer_from(self.release, question, now=self.now)

    def body(self, answer: ItineraryAnswer, asked: Asked[ItineraryQuestion]) -> ItineraryBody:
        leg_ids = [self.place.leg_ids(answer, flight) for flight in answer.outcome.flights]
        return itinerary_body(answer, leg_ids, asked.language, asked.citations)


def _cost(asked: Asked[ItineraryQuestion] | HttpResponse) -> int:
    """Return as how many requests an itinerary counts, or one that cannot be read."""
    return 1 if isinstance(asked, HttpResponse) else requests_of(asked.question)
