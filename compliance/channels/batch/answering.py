"""Answers of a run: each row as the API would have answered it alone at the instant of the run.

The body is read as the items of a batch are, answered by the door and worded by the view; errors come from
the API's table. There is one difference: what repeats a serial is left out, since files are kept: the
recalls' result for it (`serial_evaluation`), and `corrected_request`. The serial still decides.
"""

import datetime
from collections.abc import Sequence

import msgspec
from django.http import HttpRequest

from compliance.api.protocol.bodies import encode, object_in
from compliance.api.protocol.errors import ApiError, ProblemBody, problem_of
from compliance.api.verdicts.itineraries import ItineraryBody, itinerary_body
from compliance.api.verdicts.one_of_many import asked_of, asked_of_itinerary
from compliance.api.verdicts.requests import ItineraryVerifyRequest
from compliance.api.verdicts.verify import DeviceResolvedBody, VerifyBody, verify_body
from compliance.channels.batch.rows import COLUMNS, Row
from rules import verdicts, wording
from rules.corpus import Published
from rules.engine.verdict_ids import timestamp

FLAT = (
    "verdict",
    "verdict_id",
    "ruleset_version",
    "generated_at",
    "expires_at",
    "summary",
    "constraint_codes",
    "error_code",
    "error_detail",
)
"""The columns of an answer in a flat file. Codes of constraints are separated by spaces."""


class Answerer:
    """Answers rows from one release, as of one instant; `flat` for files with columns.

    A row is a body of POST /api/verify.
    """

    address = "/api/verify"
    fields: frozenset[str] = frozenset(
        (*COLUMNS, "trip", "options", *FLAT, *VerifyBody.__struct_fields__, *ProblemBody.__struct_fields__)
    )
    """The names in questions and answers, which a caller's column must not have."""

    def __init__(self, release: Published, *, now: datetime.datetime, flat: bool) -> None:
        self.release, self.now, self._flat = release, now, flat

    def answer(self, row: Row, number: int) -> bytes:
        """Return the answer to a row, counted from 1: a JSON object, or an array for a flat file.

        Never fails.
        """
        try:
            if row.refusal is not None:
                raise row.refusal
            return self._answered(row.body)
        # Any error concerns only this row; the API's own handler describes and logs it.
        except Exception as error:
            return self._refused(error, number)

    def _answered(self, body: bytes) -> bytes:
        asked = asked_of(object_in(body), self.release, now=self.now)
        answer, language = verdicts.answer_from(self.release, asked.question, now=self.now), asked.language
        if not self._flat:
            said = verify_body(answer, language, asked.citations)
            _leave_out_serials(said.device_resolved)
            return encode(said)
        outcome = answer.outcome
        return msgspec.json.encode(
            (
                outcome.verdict,
                answer.verdict_id,
                answer.release.ruleset_version,
                timestamp(answer.generated_at),
                timestamp(answer.expires_at),
                wording.summary(answer, language),
                " ".join(statement.code for statement in outcome.constraints),
                None,
                None,
            )
        )

    def _refused(self, error: Exception, number: int) -> bytes:
        if isinstance(error, ApiError):
            error.corrected = None
        request = HttpRequest()
        request.path = self.address
        request.META["HTTP_X_REQUEST_ID"] = f"row-{number:08}"
        problem = problem_of(request, error).content
        if not self._flat:
            return problem
        problem_body = msgspec.json.decode(problem, type=ProblemBody)
        named = [
            f"{one.field}: {one.message}"
            for one in problem_body.errors
            if one.field not in {"request", "body"}
        ]
        detail = "; ".join(named) or problem_body.detail
        return msgspec.json.encode((*[None] * (len(FLAT) - 2), problem_body.code, detail))


class ItineraryAnswerer(Answerer):
    """Answers rows that are bodies of POST /api/itineraries/verify. Their files have no columns."""

    address = "/api/itineraries/verify"
    fields = frozenset(
        (
            *ItineraryVerifyRequest.__struct_fields__,
            *ItineraryBody.__struct_fields__,
            *ProblemBody.__struct_fields__,
        )
    )

    def _answered(self, body: bytes) -> bytes:
        asked = asked_of_itinerary(object_in(body), self.release, now=self.now)
        answer = verdicts.itinerary_answer_from(self.release, asked.question, now=self.now)
        leg_ids = [verdicts.flight_leg_ids(answer, flight) for flight in answer.outcome.flights]
        said = itinerary_body(answer, leg_ids, asked.language, asked.citations)
        for item in said.items:
            if item.device_resolved is not None:
                _leave_out_serials(item.device_resolved)
        return encode(said)


def _leave_out_serials(device: DeviceResolvedBody) -> None:
    for recall in device.recalls:
        recall.serial_evaluation = None


def line(row: Row, answer: bytes, keep: Sequence[str], *, flat: bool) -> bytes:
    """Return the line of a row: the caller's columns unchanged, and then the answer."""
    if not keep:
        return answer + b"\n"
    kept = {name: row.kept.get(name) for name in keep}
    before = msgspec.json.encode(list(kept.values()) if flat else kept)
    return before[:-1] + b"," + answer[1:] + b"\n"
