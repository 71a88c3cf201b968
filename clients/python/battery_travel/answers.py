"""What a client returns: an answer to ask for a green light, with the facts behind it."""

import datetime
import json
from collections.abc import Callable
from typing import Any, NoReturn

from battery_travel.instants import Clock
from battery_travel.judging import ReceiptState, expired_or_doubtful, understood
from battery_travel.questions import Question, TripQuestion
from battery_travel.reasons import WhyNot, why_not
from battery_travel.records import (
    Advice,
    Citation,
    Constraint,
    Device,
    NextStep,
    Problem,
    Record,
    Segment,
)
from battery_travel.replies import Reply
from battery_travel.retrying import retry_after_seconds


class Answer:
    """What is known about a question, including the case that nothing is.

    `clear_to_pack()` is the only green light. An answer has no truth value, so that `if answer:` cannot be
    mistaken for it. It belongs to this process and cannot be pickled. Keep `stored()` instead.
    """

    def __init__(
        self,
        reply: Reply,
        question: Question | TripQuestion,
        *,
        clock: Clock,
        sandbox: bool,
        receipt: ReceiptState,
    ) -> None:
        self._reply = reply
        self._question = question
        self._clock = clock
        self._understood = understood(reply, question, sandbox=sandbox, receipt=receipt)

    @property
    def clear_to_pack(self) -> Callable[[], bool]:
        """Say whether this unit may be packed for this journey at this moment. Call it, with parentheses.

        True only for the verdict `allowed`, before `expires_at`, with clocks that agree. Ask every time it
        matters: an answer from an hour ago may have expired. The traveler still has to meet `constraints`.
        """
        return _GreenLight(self)

    def why_not(self) -> WhyNot | None:
        """Return the reason not to pack it at this moment; None exactly if it is clear to pack."""
        found = self._understood
        if found.record is None:
            return found.refusal or why_not("malformed")
        return found.refusal or expired_or_doubtful(self._reply, found.record, self._clock())

    @property
    def question(self) -> Question | TripQuestion:
        """The question, as it was sent."""
        return self._question

    @property
    def problem(self) -> Problem | None:
        """The error of the service, if it described one."""
        return self._understood.problem

    @property
    def status(self) -> int:
        """The HTTP status; 0 if there is none."""
        return self._reply.status

    @property
    def retry_after_seconds(self) -> float | None:
        """How long the service asks the client to wait, if it does."""
        return retry_after_seconds(self._reply)

    @property
    def summary(self) -> str:
        """The answer in a sentence or two for the traveler; empty if there is no verdict."""
        record = self._record
        return "" if record is None else record.stamps.summary

    @property
    def device(self) -> Device | None:
        """The exact model."""
        record = self._record
        return None if record is None else record.device

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What the traveler has to meet or settle. For a trip, ask about each flight to get them."""
        record = self._record
        return () if record is None else record.constraints

    @property
    def warnings(self) -> tuple[Advice, ...]:
        """What the traveler should know."""
        record = self._record
        return () if record is None else record.warnings

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The evidence."""
        record = self._record
        return () if record is None else record.citations

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The flights of a trip."""
        record = self._record
        return () if record is None else record.segments

    @property
    def next_step(self) -> NextStep | None:
        """What the service suggests to do about a gap or an error."""
        record, problem = self._record, self.problem
        return record.next_step if record is not None else problem.next_step if problem is not None else None

    @property
    def verdict_id(self) -> str | None:
        """The id of this verdict, for support and audit."""
        record = self._record
        return None if record is None else record.stamps.verdict_id

    @property
    def ruleset_version(self) -> str | None:
        """The version of the rules behind the answer."""
        record = self._record
        return None if record is None else record.stamps.ruleset_version

    @property
    def generated_at(self) -> datetime.datetime | None:
        """When it was made."""
        record = self._record
        return None if record is None else record.stamps.generated_at

    @property
    def expires_at(self) -> datetime.datetime | None:
        """When it expires: from then on it counts as not allowed."""
        record = self._record
        return None if record is None else record.stamps.expires_at

    @property
    def receipt(self) -> str | None:
        """The signature of the service on this answer."""
        return self._reply.headers.get("x-service-receipt")

    def stored(self) -> dict[str, Any] | None:
        """Return the proof of the question and its answer; None if there was no verdict.

        It is for your records. It contains the verdict as stated, not whether it is still valid: for that,
        ask again. It contains the serial, if one was sent.
        """
        if self._record is None:
            return None
        return {
            "request": self._question.body(),
            "answer": json.loads(self._reply.content),
            "receipt": self.receipt,
        }

    @property
    def _record(self) -> Record | None:
        return self._understood.record

    def __repr__(self) -> str:
        """Return text for a log, without a serial."""
        refusal = self.why_not()
        return f"<{type(self).__name__} {self.verdict_id}: {refusal.code if refusal else 'clear to pack'}>"

    def __bool__(self) -> bool:
        raise TypeError("An answer is neither true nor false. Call answer.clear_to_pack().")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("An answer is valid only in this process. Store answer.stored(), and ask again.")


class _GreenLight:
    """The question whether an answer is clear, to be called. Without the parentheses it is an error."""

    __slots__ = ("_answer",)

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self) -> bool:
        return self._answer.why_not() is None

    def __bool__(self) -> bool:
        raise TypeError("The parentheses are missing: answer.clear_to_pack().")
