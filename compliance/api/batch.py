"""POST /api/verify/batch: many questions about single flights at once, each answered as it would be alone.

One release and one instant answer all of them. The answer is canonical JSON as it stands, so it is signed
without being spelled twice, and each item is spelled before the next question is read, so a thousand answers
are never held as objects.
"""

import datetime
from http import HTTPStatus
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.answering import answered, check_version
from compliance.api.batch_request import MAX_BATCH_BYTES, MAX_QUESTIONS, BatchRequest, batch_request
from compliance.api.bodies import MAX_BODY_BYTES, read_bytes, too_large
from compliance.api.errors import ProblemBody, problem_of
from compliance.api.giving import Batch
from compliance.api.operations import Operation
from compliance.api.stamps import RulesetVersion
from compliance.api.verify import VerifyBody, verify_body
from compliance.api.views import ServiceView
from compliance.receipts.canonical import canonical, sorted_json
from rules import corpus
from rules.corpus import Published
from rules.verdicts import whole_second


class BatchCountsBody(msgspec.Struct):
    """How many items have each verdict, and how many have none: `errors`."""

    allowed: int
    banned: int
    conditional: int
    errors: int
    insufficient: int


class BatchItemBody(msgspec.Struct):
    """What POST /api/verify answers to one question: an `answer` with status 200, or else a `problem`."""

    answer: Annotated[VerifyBody | None, Meta(description="Null where there is a problem.")]
    index: Annotated[int, Meta(description="The place of the question in `items`, counted from 0.")]
    problem: Annotated[ProblemBody | None, Meta(description="Null where there is an answer.")]
    status: Annotated[int, Meta(description="The HTTP status that the question would have had alone.")]


class BatchBody(msgspec.Struct):
    """The answer of POST /api/verify/batch. Its items are in the order of the questions."""

    counts: BatchCountsBody
    generated_at: datetime.datetime
    items: list[BatchItemBody]
    ruleset_version: RulesetVersion


class _SpelledItem(msgspec.Struct):
    """An item whose answer or problem is canonical JSON already."""

    answer: msgspec.Raw | None
    index: int
    problem: msgspec.Raw | None
    status: int


class _SpelledBatch(msgspec.Struct):
    """`BatchBody` of such items."""

    counts: BatchCountsBody
    generated_at: datetime.datetime
    items: list[_SpelledItem]
    ruleset_version: str


class VerifyBatchView(ServiceView):
    """Many verdicts, each for one flight."""

    operation = Operation(
        operation_id="verifyBatch",
        tag="Verdicts",
        summary="May these power banks travel on these flights?",
        description=(
            f"Asks up to {MAX_QUESTIONS:,} questions of POST /api/verify at once, in a body of at most "
            f"{MAX_BATCH_BYTES // 2**20} MiB. Each item is what that operation answers, in full and in the "
            "order of the questions; all of them rest on one ruleset and were made in one second. "
            "Status 200 says that the batch was worked off, not that anything is `allowed`: look at each "
            "item, and count one that has a `problem` as *not allowed*.\n\n"
            "Every question counts as a request of your limit. A batch for which not enough is left is "
            "refused as a whole, before anything is answered.\n\n"
            "The receipt in `X-Service-Receipt` is for the answer as a whole: it signs "
            '`{"batch_sha256":"…"}`, the SHA-256 of the canonical JSON of the answer in hex digits.'
        ),
        body=BatchRequest,
        answer=BatchBody,
        signed=True,
        errors=(
            "MALFORMED_JSON",
            "RULESET_VERSION_NOT_CURRENT",
            "BODY_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
        ),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200 whatever the items are."""
        asked = batch_request(read_bytes(request, MAX_BATCH_BYTES))
        self.spend(request, len(asked.questions) - 1)
        now, release = timezone.now(), corpus.current()
        check_version(release, asked.ruleset_version)
        work = _Work(request, release, now, asked.language)
        items = [work.item(index, question) for index, question in enumerate(asked.questions)]
        body = _SpelledBatch(work.counts(), whole_second(now), items, release.ruleset_version)
        return work.batch.give(sorted_json(body))


class _Work:
    """What the items of a batch share while they are made."""

    def __init__(
        self, request: HttpRequest, release: Published, now: datetime.datetime, language: str
    ) -> None:
        self.batch = Batch(request)
        self._request, self._release, self._now, self._language = request, release, now, language
        self._errors = 0

    def item(self, index: int, question: msgspec.Raw) -> _SpelledItem:
        """Return the item of a question. Never fails: whatever is wrong concerns this item alone."""
        try:
            body = bytes(question)
            if len(body) > MAX_BODY_BYTES:
                raise too_large(MAX_BODY_BYTES)
            one = answered(body, self._release, now=self._now, language=self._language)
            spelled = msgspec.Raw(canonical(verify_body(*one)))
        except Exception as error:
            self._errors += 1
            told = problem_of(self._request, error)
            problem = msgspec.Raw(sorted_json(msgspec.json.decode(told.content)))
            return _SpelledItem(None, index, problem, told.status_code)
        self.batch.add(*one)
        return _SpelledItem(spelled, index, None, HTTPStatus.OK)

    def counts(self) -> BatchCountsBody:
        """Return how many items have each verdict."""
        counts = self.batch.counts
        return BatchCountsBody(
            allowed=counts["allowed"],
            banned=counts["banned"],
            conditional=counts["conditional"],
            errors=self._errors,
            insufficient=counts["insufficient"],
        )
