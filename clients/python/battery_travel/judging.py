"""The one decision of this package: does this answer permit packing?

All other modules only bring answers here. Each check has its own reason to refuse. An answer that passes all
of them has the verdict `allowed`, from the service, for the question that was asked, and in time. There is no
other way through, and no setting creates one.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from battery_travel import itineraries
from battery_travel.devices import is_about, is_settled
from battery_travel.instants import Instant
from battery_travel.lookups import Lookup, Result
from battery_travel.questions import AnyQuestion, ItineraryQuestion, Question, TripQuestion
from battery_travel.reading import (
    Malformed,
    itinerary_record,
    parsed,
    problem,
    trip_record,
    verify_record,
)
from battery_travel.reasons import WhyNot, why_not
from battery_travel.records import Packing, Problem, Record
from battery_travel.replies import Reply

T = TypeVar("T")

ReceiptState = Literal["not_asked_for", "good", "missing", "invalid"]

CLOCK_TOLERANCE: Final = datetime.timedelta(seconds=120)
"""How much clocks may disagree. Beyond that, it is unknown what has expired."""

OK: Final = 200
TOO_MANY_REQUESTS: Final = 429

OUTCOMES: Final = ["recall.not_affected", "verdict.allowed"]
"""The outcome steps of a path without any objection."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The meaning of a reply: a record of a verdict, a problem, or neither."""

    record: Record | None = None
    problem: Problem | None = None
    refusal: WhyNot | None = None
    """The reason against it that applies at any time. Time can only add reasons."""
    passengers: Mapping[int, WhyNot | None] = field(default_factory=dict[int, "WhyNot | None"])
    """The same for each passenger of an itinerary alone."""


def understood(reply: Reply, question: AnyQuestion, *, sandbox: bool, receipt: ReceiptState) -> Understood:
    """Return the meaning of a reply to a question, with any reason against it."""
    if reply.failure is not None:
        return Understood(refusal=why_not(reply.failure))
    if reply.status != OK:
        return _failed(reply)
    try:
        record = _record(_body(reply), question)
    except Malformed as error:
        return Understood(refusal=why_not("malformed", str(error), error.field))

    def refusal(passenger: int | None = None) -> WhyNot | None:
        return next(_objections(reply, record, question, sandbox, receipt, passenger), None)

    passengers = question.numbers() if isinstance(question, ItineraryQuestion) else ()
    return Understood(
        record, refusal=refusal(), passengers={number: refusal(number) for number in passengers}
    )


def looked_up(reply: Reply, read: Callable[[Any], Result[T]], *, sandbox: bool) -> Lookup[T]:
    """Return what a reply says of a look-up, which `read` reads from its body or raises `Malformed`."""
    refusal, problem = None, None
    result: Result[T] | None = None
    if reply.failure is not None:
        refusal = why_not(reply.failure)
    elif reply.status != OK:
        failed = _failed(reply)
        refusal, problem = failed.refusal, failed.problem
    else:
        try:
            result = read(_body(reply))
        except Malformed as error:
            refusal = why_not("malformed", str(error), error.field)
        else:
            if _is_made_up(reply, result.ruleset_version or "") and sandbox is not True:
                result, refusal = None, why_not("sandbox")
    return Lookup(reply, result, refusal, problem)


def expired_or_doubtful(reply: Reply, record: Record, now: Instant) -> WhyNot | None:
    """Return why an answer is no longer valid at a moment of this machine; None if it is valid.

    Two clocks count: the one of this machine, and the service's own (its `Date` and the seconds since). The
    later of both decides. If they disagree, nothing is known.
    """
    date = reply.date()
    if date is None:
        return why_not("clock_in_doubt", "The answer has no `Date`.")
    if not reply.sent.wall - CLOCK_TOLERANCE <= date <= reply.received.wall + CLOCK_TOLERANCE:
        return why_not("clock_in_doubt")
    gone_by_the_wall = now.wall - reply.sent.wall
    gone = datetime.timedelta(seconds=now.monotonic - reply.sent.monotonic)
    if gone < datetime.timedelta(0) or gone_by_the_wall < gone - CLOCK_TOLERANCE:
        return why_not("clock_in_doubt", "The clock of this machine was set back.")
    if max(now.wall, date + max(gone, gone_by_the_wall)) >= record.stamps.expires_at:
        return why_not("expired")
    if reply.headers.get("age", "0") != "0":
        return why_not("not_fresh")
    if not date - CLOCK_TOLERANCE <= record.stamps.generated_at <= date + CLOCK_TOLERANCE:
        return why_not("not_fresh")
    return None


def _failed(reply: Reply) -> Understood:
    """Return the meaning of an answer without a verdict."""
    try:
        reported = problem(reply.status, parsed(reply.content))
    except Malformed:
        reported = None
    if reply.status == TOO_MANY_REQUESTS:
        return Understood(problem=reported, refusal=why_not("rate_limited"))
    if reply.status >= 500:
        return Understood(problem=reported, refusal=why_not("server_error"))
    if reported is None or reply.status < 400:
        return Understood(refusal=why_not("unexpected_status"))
    return Understood(problem=reported, refusal=_refused(reported))


def _refused(reported: Problem) -> WhyNot:
    """Return the reason of a refusal, with what the service says about each wrong field of the question."""
    named = (f"`{error['field']}` ({error['code']}): {error['message']}" for error in reported.errors)
    more = " ".join([f"{reported.code}: {reported.detail}", *named])
    return why_not("refused", more, reported.errors[0]["field"] if reported.errors else None)


def _record(body: Any, question: AnyQuestion) -> Record:
    """Return the answer to a question of its kind. Raises `Malformed`."""
    match question:
        case Question():
            return verify_record(body)
        case TripQuestion():
            return trip_record(body)
        case _:
            return itinerary_record(body)


def _is_made_up(reply: Reply, ruleset_version: str) -> bool:
    """Return whether a reply comes from a sandbox."""
    return "x-sandbox" in reply.headers or ruleset_version.startswith("sandbox")


def _body(reply: Reply) -> Any:
    """Return the JSON of a reply. Raises `Malformed`."""
    if media_type(reply) != "application/json":
        raise Malformed("It is not marked as JSON.")
    return parsed(reply.content)


def media_type(reply: Reply) -> str:
    """Return the type of a body, without its parameters; empty if there is none."""
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _objections(
    reply: Reply,
    record: Record,
    question: AnyQuestion,
    sandbox: bool,
    receipt: ReceiptState,
    passenger: int | None,
) -> Iterator[WhyNot]:
    """Yield everything against an answer that does not depend on time, the most important first.

    With a passenger of an itinerary, everything that is against this one.
    """
    if not _answers(record, question):
        yield why_not("other_question")
    match record.stamps.verdict if passenger is None else _verdict_on(record, passenger):
        case "conditional" | "banned" | "insufficient" as verdict:
            yield why_not(verdict)
        case "allowed":
            if not _is_consistent(record, question, passenger):
                yield why_not("contradictory")
        case _:
            yield why_not("unknown_verdict")
    # Settings may be texts, and the text `false` is true in Python.
    if sandbox is not True and _is_made_up(reply, record.stamps.ruleset_version):
        yield why_not("sandbox")
    if receipt == "missing":
        yield why_not("receipt_missing")
    if receipt == "invalid":
        yield why_not("receipt_invalid")


def _verdict_on(record: Record, passenger: int) -> str:
    """Return the verdict on what a passenger carries; for one who carries nothing, that of the itinerary."""
    bags = () if record.packing is None else record.packing.bags
    return next((bag.verdict for bag in bags if bag.passenger == passenger), record.stamps.verdict)


def _answers(record: Record, question: AnyQuestion) -> bool:
    """Return whether an answer can belong to a question. An answer repeats only parts of its question."""
    if isinstance(question, ItineraryQuestion):
        return record.packing is not None and itineraries.answers(record, record.packing, question)
    if record.device is None or record.device.model_id != question.model_id:
        return False
    if isinstance(question, TripQuestion):
        flown = [(one.index, one.origin, one.destination, one.airline) for one in record.segments]
        asked = [
            (index, leg.origin, leg.destination, leg.airline) for index, leg in enumerate(question.legs, 1)
        ]
        return flown == asked != []
    return is_about(record.body["device_resolved"], question.serial)


def _is_consistent(record: Record, question: AnyQuestion, passenger: int | None) -> bool:
    """Return whether nothing else in an answer contradicts its verdict `allowed`."""
    if isinstance(question, ItineraryQuestion):
        return record.packing is not None and _is_packed(record, record.packing, question, passenger)
    if isinstance(question, TripQuestion):
        return (
            record.device is not None
            and record.device.watt_hour is not None
            and all(segment.obstacle is None and segment.error is None for segment in record.segments)
            and all(
                one["verdict"]["ruleset_version"] == record.stamps.ruleset_version
                for one in record.body["segments"]
            )
        )
    path = record.body["verdict_path"]
    return (
        path[-1:] == ["verdict.allowed"]
        and [step for step in path if step.startswith(("recall.", "verdict."))] == OUTCOMES
        and is_settled(record.body["device_resolved"], question.serial)
        and _keeps_its_constraints(record, question)
    )


def _is_packed(record: Record, packing: Packing, question: ItineraryQuestion, passenger: int | None) -> bool:
    """Return whether nothing is against what one passenger carries, or all of them."""
    numbers = [bag.passenger for bag in packing.bags] if passenger is None else [passenger]
    return itineraries.agrees(record, packing) and all(
        itineraries.is_sound(record, packing, question, number) for number in numbers
    )


def _keeps_its_constraints(record: Record, question: Question) -> bool:
    """Return whether the unit meets the constraints that can be checked from the question."""
    for constraint in record.constraints:
        at_most = itineraries.MAX_UNITS.fullmatch(constraint.code)
        if at_most and int(at_most[1]) < question.quantity:
            return False
        if constraint.code == "carry_on_only" and question.compartment_intent == "checked":
            return False
    return True
