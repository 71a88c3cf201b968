"""POST /api/verify/batch: many questions about single flights at once, each answered as it would be alone."""

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
from compliance.api.verdicts.batch_request import MAX_BATCH_BYTES, OF_FLIGHTS, BatchRequest, batch_request
from compliance.api.verdicts.batch_work import BatchCountsBody, Work
from compliance.api.verdicts.one_of_many import asked_of
from compliance.api.verdicts.questions import Asked
from compliance.api.verdicts.stamps import RulesetVersion
from compliance.api.verdicts.verify import VerifyBody, verify_body
from rules.corpus import check_version
from rules.engine.facts import Question
from rules.verdicts import Answer

TOGETHER = 50
"""How many questions each step takes at a time.

The data of a step is then in the cache of the processor, which makes a batch a fifth faster.
"""


class BatchItemBody(msgspec.Struct):
    """The result of one question: an `answer` of POST /api/verify with status 200, or else a `problem`."""

    answer: Annotated[VerifyBody | None, Meta(description="Null if there is a problem.")]
    index: Annotated[int, Meta(description="The position of the question in `items`, counted from 0.")]
    problem: Annotated[ProblemBody | None, Meta(description="Null if there is an answer.")]
    ref: Annotated[
        str | None,
        Meta(description="Your name of the question; null if you sent none, or none that can be read."),
    ]
    status: Annotated[
        int, Meta(description="The HTTP status that the question would get as a single request.")
    ]


class BatchBody(msgspec.Struct):
    """The answer of POST /api/verify/batch. Its items are in the order of the questions."""

    counts: BatchCountsBody
    generated_at: datetime.datetime
    items: list[BatchItemBody]
    ruleset_version: RulesetVersion


class VerifyBatchView(ServiceView):
    """Many verdicts, each for one flight."""

    operation = Operation(
        operation_id="verifyBatch",
        tag="Verdicts",
        summary="May these power banks travel on these flights?",
        description=(
            f"Asks up to {OF_FLIGHTS.questions:,} questions of POST /api/verify at once, in a body of at "
            f"most {MAX_BATCH_BYTES // 2**20} MiB. Each item is the full answer of that operation, in the "
            "order of the questions. All items use one ruleset and were made in one second. Status 200 means "
            "that the batch was processed, not that anything is `allowed`: look at each item, and treat an "
            "item with a `problem` as *not allowed*.\n\n"
            "Every question counts as one request against your limit. If fewer requests are left than the "
            "batch has questions, the whole batch is refused and nothing is answered: with 429, or with "
            "`BATCH_EXCEEDS_LIMIT` if your limit never has room for so many.\n\n"
            'A receipt in `X-Service-Receipt` is for the whole answer: it signs `{"batch_sha256":"…"}`, '
            "the SHA-256 of the canonical JSON of the answer in hex digits."
        ),
        body=BatchRequest,
        answer=BatchBody,
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
        asked = batch_request(read_bytes(request, MAX_BATCH_BYTES), OF_FLIGHTS)
        now = timezone.now()
        release = self.place.release(now)
        check_version(release, asked.ruleset_version)
        work = _Work(self.place, request, release, now, asked)
        # Last: a batch that is refused as a whole costs one request.
        self.spend(request, len(asked.questions) - 1)
        for first in range(0, len(asked.questions), TOGETHER):
            work.answer(work.read(asked.questions[first : first + TOGETHER]))
        return work.give()


class _Work(Work[Question, Answer]):
    kind = "leg"

    def asked(self, body: dict[str, Any]) -> Asked[Question]:
        how = self.options
        return asked_of(body, self.release, now=self.now, language=how.language, citations=how.citations)

    def judged(self, question: Question) -> Answer:
        return self.place.answer_from(self.release, question, now=self.now)

    def body(self, answer: Answer, asked: Asked[Question]) -> VerifyBody:
        return verify_body(answer, asked.language, asked.citations)
