"""The work on the questions of a batch, whatever kind of questions they are.

One release and one instant answer all of them. The answer is sent as canonical JSON, so it is signed without
being encoded twice. Answers are encoded as soon as they are judged, so a thousand answers are never in memory
as objects.
"""

import datetime
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from compliance.api.protocol.bodies import MAX_BODY_BYTES, object_in, parse, too_large
from compliance.api.protocol.environment import Place
from compliance.api.protocol.errors import ApiError, problem_of
from compliance.api.verdicts.batch_request import AskedBatch, taken_ref
from compliance.api.verdicts.questions import AnyQuestion, Asked
from compliance.operations.accounting import Kind
from compliance.records.receipts.canonical import canonical, sorted_json
from rules.corpus import Published
from rules.verdicts import Answer, AnyAnswer, ItineraryAnswer, whole_second

Given = TypeVar("Given", Answer, ItineraryAnswer)
Value = TypeVar("Value")
Made = TypeVar("Made")


class BatchCountsBody(msgspec.Struct):
    """How many items have each verdict. `errors` counts items without a verdict."""

    allowed: int
    banned: int
    conditional: int
    errors: int
    insufficient: int


class _SpelledItem(msgspec.Struct, gc=False):
    """An item whose answer or problem already is canonical JSON."""

    answer: msgspec.Raw | None
    index: int
    problem: msgspec.Raw | None
    ref: str | None
    status: int


class _SpelledBatch(msgspec.Struct):
    """`BatchBody` of such items."""

    counts: BatchCountsBody
    generated_at: datetime.datetime
    items: list[_SpelledItem]
    ruleset_version: str


class _Spelled(NamedTuple):
    """An answer, its language, and its canonical JSON."""

    answer: AnyAnswer
    language: str
    content: bytes


class Work(Generic[AnyQuestion, Given]):
    """The work on one batch. Its kind of question says how one is read, judged and worded.

    An error concerns only its own question.
    """

    kind: ClassVar[Kind]

    def __init__(
        self,
        place: Place,
        request: HttpRequest,
        release: Published,
        now: datetime.datetime,
        options: AskedBatch,
    ) -> None:
        self.place, self.release, self.now, self.options = place, release, now, options
        self._request = request
        self._batch = place.batch(request, self.kind)
        self._refs: list[str | None] = []
        self._items: list[_SpelledItem] = []
        self._errors = 0

    def asked(self, body: dict[str, Any]) -> Asked[AnyQuestion]:
        """Read a question without its `ref`. Raises `ApiError`, and the errors of a pinned release."""
        raise NotImplementedError

    def judged(self, question: AnyQuestion) -> Given:
        """Answer a question. Raises as the door does."""
        raise NotImplementedError

    def body(self, answer: Given, asked: Asked[AnyQuestion]) -> msgspec.Struct:
        """Return an answer in the form that it has alone."""
        raise NotImplementedError

    def read(self, questions: Sequence[msgspec.Raw]) -> list[Asked[AnyQuestion] | HttpResponse]:
        """Return the questions in their order; in place of a wrong one, its problem."""
        return self._each(self._read, questions)

    def answer(self, questions: Sequence[Asked[AnyQuestion] | HttpResponse]) -> None:
        """Answer the next questions."""
        for spelled in self._each(self._spell, self._each(self._judge, questions)):
            self._items.append(self._item(len(self._items), spelled))

    def give(self) -> HttpResponse:
        """Return all answers as one response."""
        given = self._batch.counts
        counts = BatchCountsBody(
            allowed=given["allowed"],
            banned=given["banned"],
            conditional=given["conditional"],
            errors=self._errors,
            insufficient=given["insufficient"],
        )
        body = _SpelledBatch(counts, whole_second(self.now), self._items, self.release.ruleset_version)
        return self._batch.give(sorted_json(body))

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
                made.append(problem_of(self._request, self.place.explained(error)))
        return made

    def _read(self, question: msgspec.Raw) -> Asked[AnyQuestion]:
        # A question that cannot be read has no name.
        self._refs.append(None)
        text = bytes(question)
        if len(text) > MAX_BODY_BYTES:
            raise too_large(MAX_BODY_BYTES)
        body = object_in(text)
        self._refs[-1] = taken_ref(body)
        try:
            return self.asked(body)
        except ApiError as error:
            if error.corrected is not None:
                error.corrected = self._whole(error.corrected)
            raise

    def _whole(self, corrected: dict[str, Any]) -> dict[str, Any]:
        """Return a corrected question with its name, and with what the batch says for all questions."""
        how, ref = self.options, self._refs[-1]
        asked: dict[str, Any] = {"language": how.language, "citations": how.citations}
        usual = {"language": settings.LANGUAGE_CODE, "citations": "full"}
        own = {name: value for name, value in (corrected.get("options") or {}).items() if value is not None}
        options = {name: value for name, value in asked.items() if value != usual[name]} | own
        version = corrected.get("ruleset_version") or how.ruleset_version
        return {
            **({} if ref is None else {"ref": ref}),
            **corrected,
            **({"options": options} if options else {}),
            **({} if version is None else {"ruleset_version": version}),
        }

    def _judge(self, asked: Asked[AnyQuestion]) -> tuple[Given, Asked[AnyQuestion]]:
        return self.judged(asked.question), asked

    def _spell(self, judged: tuple[Given, Asked[AnyQuestion]]) -> _Spelled:
        answer, asked = judged
        return _Spelled(answer, asked.language, canonical(self.place.marked(self.body(answer, asked))))

    def _item(self, index: int, spelled: _Spelled | HttpResponse) -> _SpelledItem:
        ref = self._refs[index]
        if isinstance(spelled, HttpResponse):
            self._errors += 1
            problem = sorted_json(parse(spelled.content))
            return _SpelledItem(None, index, msgspec.Raw(problem), ref, spelled.status_code)
        self._batch.add(spelled.answer, spelled.language)
        return _SpelledItem(msgspec.Raw(spelled.content), index, None, ref, HTTPStatus.OK)
