"""The one decision of this package: does this answer permit packing?

All other modules only bring answers here. Each check has its own reason to refuse. An answer that passes all
of them has the verdict `allowed`, from the service, for the question that was asked, and in time. There is no
other way through, and no setting creates one.
"""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from battery_travel.instants import Instant
from battery_travel.questions import Question, TripQuestion
from battery_travel.reading import Malformed, parsed, problem, trip_record, verify_record
from battery_travel.reasons import WhyNot, why_not
from battery_travel.records import Problem, Record
from battery_travel.replies import Reply

ReceiptState = Literal["not_asked_for", "good", "missing", "invalid"]

CLOCK_TOLERANCE: Final = datetime.timedelta(seconds=120)
"""How much clocks may disagree. Beyond that, it is unknown what has expired."""

OK: Final = 200
TOO_MANY_REQUESTS: Final = 429

RECALL_CHECKS: Final = frozenset({"model_match", "pattern"})
"""The ways to check a recall after which nothing else needs a check."""

OUTCOMES: Final = ["recall.not_affected", "verdict.allowed"]
"""The outcome steps of a path without any objection."""

_MAX_UNITS = re.compile(r"max_units_(?:over_100wh_)?([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Understood:
    """The meaning of a reply: a record of a verdict, a problem, or neither."""

    record: Record | None = None
    problem: Problem | None = None
    refusal: WhyNot | None = None
    """The reason against it that applies at any time. Time can only add reasons."""


def understood(
    reply: Reply, question: Question | TripQuestion, *, sandbox: bool, receipt: ReceiptState
) -> Understood:
    """Return the meaning of a reply to a question, with any reason against it."""
    if reply.failure is not None:
        return Understood(refusal=why_not(reply.failure))
    if reply.status != OK:
        return _failed(reply)
    try:
        if _media_type(reply) != "application/json":
            raise Malformed("It is not marked as JSON.")
        body = parsed(reply.content)
        record = verify_record(body) if isinstance(question, Question) else trip_record(body)
    except Malformed as error:
        return Understood(refusal=why_not("malformed", str(error)))
    return Understood(record, refusal=next(_objections(reply, record, question, sandbox, receipt), None))


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
    return Understood(problem=reported, refusal=why_not("refused", f"{reported.code}: {reported.detail}"))


def _media_type(reply: Reply) -> str:
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _objections(
    reply: Reply, record: Record, question: Question | TripQuestion, sandbox: bool, receipt: ReceiptState
) -> Iterator[WhyNot]:
    """Yield everything against an answer that does not depend on time, the most important first."""
    if not _answers(record, question):
        yield why_not("other_question")
    match record.stamps.verdict:
        case "conditional" | "banned" | "insufficient" as verdict:
            yield why_not(verdict)
        case "allowed":
            if not (_is_consistent(record, question) and _keeps_its_constraints(record, question)):
                yield why_not("contradictory")
        case _:
            yield why_not("unknown_verdict")
    # Settings may be texts, and the text `false` is true in Python.
    if sandbox is not True and (
        "x-sandbox" in reply.headers or record.stamps.ruleset_version.startswith("sandbox")
    ):
        yield why_not("sandbox")
    if receipt == "missing":
        yield why_not("receipt_missing")
    if receipt == "invalid":
        yield why_not("receipt_invalid")


def _answers(record: Record, question: Question | TripQuestion) -> bool:
    """Return whether an answer can belong to a question. An answer repeats only parts of its question."""
    if record.device.model_id != question.model_id:
        return False
    if isinstance(question, TripQuestion):
        flown = [(one.index, one.origin, one.destination, one.airline) for one in record.segments]
        asked = [
            (index, leg.origin, leg.destination, leg.airline) for index, leg in enumerate(question.legs, 1)
        ]
        return flown == asked != []
    # Each recall gives the serial number that it is about, or nothing if none was sent.
    evaluated = [recall.get("serial_evaluation") for recall in record.body["device_resolved"]["recalls"]]
    if question.serial is None:
        return all(one is None for one in evaluated)
    return all(isinstance(one, dict) and one.get("provided_serial") == question.serial for one in evaluated)


def _is_consistent(record: Record, question: Question | TripQuestion) -> bool:
    """Return whether nothing else in an answer contradicts its verdict `allowed`."""
    if record.device.watt_hour is None:
        return False
    if isinstance(question, TripQuestion):
        return all(segment.obstacle is None and segment.error is None for segment in record.segments) and all(
            one["verdict"]["ruleset_version"] == record.stamps.ruleset_version
            for one in record.body["segments"]
        )
    device, path = record.body["device_resolved"], record.body["verdict_path"]
    return (
        path[-1:] == ["verdict.allowed"]
        and [step for step in path if step.startswith(("recall.", "verdict."))] == OUTCOMES
        and device["recall_status"] == "not_affected"
        and device["recall_check_method"] in RECALL_CHECKS
        and all(
            recall["serial_evaluation"].get("match_status") == "not_affected"
            for recall in device["recalls"]
            if question.serial is not None
        )
    )


def _keeps_its_constraints(record: Record, question: Question | TripQuestion) -> bool:
    """Return whether the unit meets the constraints that can be checked from the question."""
    for constraint in record.constraints:
        at_most = _MAX_UNITS.fullmatch(constraint.code)
        if at_most and int(at_most[1]) < question.quantity:
            return False
        if constraint.code == "carry_on_only" and question.compartment_intent == "checked":
            return False
    return True
