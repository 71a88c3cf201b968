"""What a client returns: an answer to ask for a green light, with the facts behind it."""

import datetime
import functools
import json
from collections.abc import Callable
from typing import Any

from battery_travel.instants import Clock
from battery_travel.judging import ReceiptState, expired_or_doubtful, understood
from battery_travel.lights import Light
from battery_travel.questions import AnyQuestion, ItineraryQuestion
from battery_travel.reasons import WhyNot, why_not
from battery_travel.received import Received
from battery_travel.records import (
    Advice,
    Citation,
    Constraint,
    Device,
    NextStep,
    Record,
    Segment,
    Share,
)
from battery_travel.replies import Reply


class Answer(Received, Light):
    """What is known about a question, including the case that nothing is. Keep `stored()`."""

    def __init__(
        self,
        reply: Reply,
        question: AnyQuestion,
        *,
        clock: Clock,
        sandbox: bool,
        receipt: ReceiptState,
    ) -> None:
        self._reply = reply
        self._question = question
        self._clock = clock
        self._understood = understood(reply, question, sandbox=sandbox, receipt=receipt)
        self._problem = self._understood.problem

    def why_not(self) -> WhyNot | None:
        """Return the reason not to pack it at this moment; None exactly if it is clear to pack."""
        return self._why_not(self._understood.refusal)

    @property
    def question(self) -> AnyQuestion:
        """The question, as it was sent."""
        return self._question

    @property
    def summary(self) -> str:
        """The answer in a sentence or two for the traveler; empty if there is no verdict."""
        record = self._record
        return "" if record is None else record.stamps.summary

    @property
    def device(self) -> Device | None:
        """The exact model; none for an itinerary."""
        record = self._record
        return None if record is None else record.device

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What the travelers have to meet or settle, on all flights together."""
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
        """The flights of a trip or an itinerary."""
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
        """The signature of the service on this answer, if the client asks for receipts."""
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

    def _why_not(self, refusal: WhyNot | None) -> WhyNot | None:
        """Return a reason that applies at any time, or else one of this moment."""
        record = self._record
        if record is None:
            return self._understood.refusal or why_not("malformed")
        return refusal or expired_or_doubtful(self._reply, record, self._clock())

    @property
    def _record(self) -> Record | None:
        return self._understood.record

    def __repr__(self) -> str:
        """Return text for a log, without a serial."""
        refusal = self.why_not()
        return f"<{type(self).__name__} {self.verdict_id}: {refusal.code if refusal else 'clear to pack'}>"


class ItineraryAnswer(Answer):
    """What is known about an itinerary. The answer is clear only if each passenger is."""

    _question: ItineraryQuestion

    @property
    def passengers(self) -> tuple["Passenger", ...]:
        """Each passenger of the question, with what they carry by this answer and a light of their own."""
        return tuple(
            Passenger(number, self._carried_by(number), functools.partial(self._why_not_for, number))
            for number in self._question.numbers()
        )

    def _carried_by(self, number: int) -> tuple[Share, ...]:
        """Return what one passenger carries; nothing if there is no verdict."""
        packing = None if self._record is None else self._record.packing
        bags = () if packing is None else packing.bags
        return next((bag.shares for bag in bags if bag.passenger == number), ())

    def _why_not_for(self, number: int) -> WhyNot | None:
        """Return the reason against what one passenger carries."""
        return self._why_not(self._understood.passengers.get(number, why_not("malformed")))


class Passenger(Light):
    """One passenger of an itinerary. The light is about `items` and nothing else."""

    def __init__(self, number: int, items: tuple[Share, ...], ask: Callable[[], WhyNot | None]) -> None:
        self._number = number
        self._items = items
        self._ask = ask

    @property
    def number(self) -> int:
        """The number of the passenger, counted from 1."""
        return self._number

    @property
    def items(self) -> tuple[Share, ...]:
        """What this passenger carries; nothing if there is no verdict."""
        return self._items

    def why_not(self) -> WhyNot | None:
        """Return the reason not to pack `items` at this moment; None exactly if they are clear to pack."""
        return self._ask()

    def __repr__(self) -> str:
        refusal = self.why_not()
        return f"<{type(self).__name__} {self.number}: {refusal.code if refusal else 'clear to pack'}>"
