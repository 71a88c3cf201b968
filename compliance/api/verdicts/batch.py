"""POST /api/verify/batch: many questions about single flights at once, each answered as it would be alone.

One release and one instant answer all of them. The answer is sent as canonical JSON, so it is signed without
being encoded twice. Items are encoded a few at a time, so a thousand answers are never in memory as objects.
"""

import datetime
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.protocol.bodies import MAX_BODY_BYTES, read_bytes, too_large
from compliance.api.protocol.environment import Place
from compliance.api.protocol.errors import ProblemBody, problem_of
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts.batch_request import MAX_BATCH_BYTES, MAX_QUESTIONS, BatchRequest, batch_request
from compliance.api.verdicts.one_of_many import asked_of
from compliance.api.verdicts.questions import Asked
from compliance.api.verdicts.stamps import RulesetVersion
from compliance.api.verdicts.verify import VerifyBody, verify_body
from compliance.records.receipts.canonical import canonical, sorted_json
from rules.corpus import Published, check_version
from rules.engine.facts import Question
from rules.verdicts import Answer, whole_second

Value = TypeVar("Value")
Made = TypeVar("Made")

TOGETHER = 50
"""How many questions each step takes at a time."""


class BatchCountsBody(msgspec.Struct):
    """How many items have each verdict. `errors` counts items without a verdict."""

    allowed: int
    banned: int
    conditional: int
    errors: int
    insufficient: int


class BatchItemBody(msgspec.Struct):
    """The result of one question: an `answer` of POST /api/verify with status 200, or else a `problem`."""

    answer: Annotated[VerifyBody | None, Meta(description="Null if there is a problem.")]
    index: Annotated[int, Meta(description="The position of the question in `items`, counted from 0.")]
    problem: Annotated[ProblemBody | None, Meta(description="Null if there is an answer.")]
    status: Annotated[
        int, Meta(description="The HTTP status that the question would get as a single request.")
    ]


class BatchBody(msgspec.Struct):
    """The answer of POST /api/verify/batch. Its items are in the order of the questions."""

    counts: BatchCountsBody
    generated_at: datetime.datetime
    items: list[BatchItemBody]
    ruleset_version: RulesetVersion


class _SpelledItem(msgspec.Struct, gc=False):
    """An item whose answer or problem already is canonical JSON."""

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
            f"{MAX_BATCH_BYTES // 2**20} MiB. Each item is the full answer of that operation, in the order "
            "of the questions. All items use one ruleset and were made in one second. Status 200 means that "
            "the batch was processed, not that anything is `allowed`: look at each item, and treat an item "
            "with a `problem` as *not allowed*.\n\n"
            "Every question counts as one request against your limit. If fewer requests are left than the "
            "batch has questions, the whole batch is refused and nothing is answered.\n\n"
            'The receipt in `X-Service-Receipt` is for the whole answer: it signs `{"batch_sha256":"…"}`, '
            "the SHA-256 of the canonical JSON of the answer in hex digits."
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
        """Answer with 200, whatever the items are."""
        asked = batch_request(read_bytes(request, MAX_BATCH_BYTES))
        now = timezone.now()
        release = self.place.release(now)
        check_version(release, asked.ruleset_version)
        # Last: a batch that is refused as a whole costs one request.
        self.spend(request, len(asked.questions) - 1)
        work = _Work(self.place, request, release, now, asked.language)
        items = work.items(asked.questions)
        body = _SpelledBatch(work.counts(), whole_second(now), items, release.ruleset_version)
        return work.batch.give(sorted_json(body))


class _Spelled(NamedTuple):
    """An answer, its language, and its canonical JSON."""

    answer: Answer
    language: str
    content: bytes


class _Work:
    """The work on the questions of a batch. Each step takes some of them before the next step does.

    The data of a step is then in the cache of the processor, which makes a batch a fifth faster.
    """

    def __init__(
        self,
        place: Place,
        request: HttpRequest,
        release: Published,
        now: datetime.datetime,
        language: str,
    ) -> None:
        self.batch = place.batch(request)
        self._place = place
        self._request, self._release, self._now, self._language = request, release, now, language
        self._errors = 0

    def items(self, questions: Sequence[msgspec.Raw]) -> list[_SpelledItem]:
        """Return the items of the questions, in their order. An error concerns only its own item."""
        items: list[_SpelledItem] = []
        for first in range(0, len(questions), TOGETHER):
            asked = self._each(self._read, questions[first : first + TOGETHER])
            spelled = self._each(self._spell, self._each(self._judge, asked))
            items += [self._item(index, one) for index, one in enumerate(spelled, start=first)]
        return items

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

    def _each(
        self, step: Callable[[Value], Made], values: Iterable[Value | HttpResponse]
    ) -> list[Made | HttpResponse]:
        """Return the result of a step for each value, or the error of the value, in this step or before."""
        made: list[Made | HttpResponse] = []
        for value in values:
            if isinstance(value, HttpResponse):
                made.append(value)
                continue
            try:
                made.append(step(value))
            except Exception as error:
                made.append(problem_of(self._request, self._place.explained(error)))
        return made

    def _read(self, question: msgspec.Raw) -> Asked[Question]:
        body = bytes(question)
        if len(body) > MAX_BODY_BYTES:
            raise too_large(MAX_BODY_BYTES)
        return asked_of(body, self._release, now=self._now, language=self._language)

    def _judge(self, asked: Asked[Question]) -> tuple[Answer, str]:
        return self._place.answer_from(self._release, asked.question, now=self._now), asked.language

    def _spell(self, judged: tuple[Answer, str]) -> _Spelled:
        return _Spelled(*judged, canonical(self._place.marked(verify_body(*judged))))

    def _item(self, index: int, spelled: _Spelled | HttpResponse) -> _SpelledItem:
        if isinstance(spelled, HttpResponse):
            self._errors += 1
            problem = sorted_json(msgspec.json.decode(spelled.content))
            return _SpelledItem(None, index, msgspec.Raw(problem), spelled.status_code)
        self.batch.add(spelled.answer, spelled.language)
        return _SpelledItem(msgspec.Raw(spelled.content), index, None, HTTPStatus.OK)
