"""POST /api/receipts: a receipt for an answer that was given without one.

The request and its answer are proved as `manage.py verdict verify` does, which needs no record. An id alone
finds the record of the verdict, for the partner that it was given to and for no one else.
"""

import datetime
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from django.http import HttpRequest, HttpResponse
from msgspec import UNSET, Meta, UnsetType

from compliance.api.protocol.bodies import encode, json_response, object_in, read_bytes
from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.fields import Fields, Report
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts.proof import NotToBeProved, prove_parsed
from compliance.api.verdicts.requests import RequestPart, whole
from compliance.records.receipts.attaching import receipt_of_statement
from compliance.records.receipts.canonical import canonical_json
from compliance.records.receipts.keyring import keyring
from compliance.records.verdict_log.finding import record_given_to
from compliance.records.verdict_log.models import Kind, SerialGiven, VerdictRecord
from rules import corpus
from rules.engine.vocabulary import Verdict

MAX_BYTES = 256 * 1024
"""A question with the largest answer that is given to one."""

REQUESTS_FOR_MUCH = 10
"""As how many requests a proof counts that takes long: of an itinerary, or by an earlier release."""

_ID = re.compile(r"(vdt|trip|itn)_[a-z2-7]{26}")

State = Literal["signed", "not_ours", "not_found", "no_key"]

MEANINGS: dict[State, str] = {
    "signed": (
        "This is ours, and `receipt` is its receipt. POST /api/receipts/check says whether it is still valid."
    ),
    "not_ours": "It is not proved that this answer was given to this request, so nothing is signed.",
    "not_found": (
        "No verdict with this id was given to a key of this partner, or its record is not yet or no longer "
        "stored. Send the request and its answer instead."
    ),
    "no_key": "This installation has no key, so it signs nothing.",
}


OF_A_RECORD = (
    "This is what is recorded of the verdict, and `receipt` is the receipt of that. A record is no answer: "
    "ask again before anyone relies on it."
)


class ReceiptRequest(RequestPart, kw_only=True):
    """The body of POST /api/receipts: either `request` and `answer`, or `id` alone."""

    request: (
        Annotated[dict[str, Any], Meta(description="The body that you sent, unchanged, with its options.")]
        | UnsetType
    ) = UNSET
    answer: (
        Annotated[
            dict[str, Any],
            Meta(description="The answer that you got, complete and unchanged; of a batch, of one item."),
        ]
        | UnsetType
    ) = UNSET
    id: (
        Annotated[
            str,
            Meta(
                pattern=whole(_ID.pattern),
                description="The id of a verdict, a trip or an itinerary that was given to a key of yours.",
            ),
        ]
        | UnsetType
    ) = UNSET


class VerdictRecordBody(msgspec.Struct):
    """What is recorded of a verdict. A receipt signs the canonical JSON of `{"verdict_record": {…}}`."""

    id: Annotated[str, Meta(description="The id of the verdict, the trip or the itinerary.")]
    segment_ids: Annotated[list[str], Meta(description="The ids of the flights of a trip.")]
    kind: Annotated[Kind, Meta(description="One flight, a trip or an itinerary.")]
    question: Annotated[
        dict[str, Any], Meta(description="What was asked, without a serial or a hash of one.")
    ]
    serial_given: Annotated[SerialGiven, Meta(description="Whether a serial or a hash of one was sent.")]
    verdict: Annotated[Verdict, Meta(description="The verdict as it was given.")]
    ruleset_version: Annotated[str, Meta(description="The ruleset that the verdict is based on.")]
    release_sha256: Annotated[str, Meta(description="The SHA-256 of that ruleset.")]
    language: Annotated[str, Meta(description="The language of the answer.")]
    generated_at: Annotated[datetime.datetime, Meta(description="When the verdict was given.")]
    expires_at: Annotated[datetime.datetime, Meta(description="When the verdict expired or expires.")]


class ReceiptBody(msgspec.Struct):
    """The answer of POST /api/receipts."""

    state: Annotated[State, Meta(description="Only with `signed` there is a receipt.")]
    meaning: Annotated[str, Meta(description="What the state means, and what to do.")]
    receipt: Annotated[
        str | None,
        Meta(description="The receipt, as `X-Service-Receipt` has it; null if nothing was signed."),
    ] = None
    signed_by: Annotated[str | None, Meta(description="The `kid` of the key that signed.")] = None
    differs: Annotated[
        list[str],
        Meta(description="The fields of the answer that its ruleset does not give again."),
    ] = []
    record: Annotated[
        VerdictRecordBody | None,
        Meta(description='For an id alone: the record. The receipt signs `{"verdict_record": record}`.'),
    ] = None


class _Sent(NamedTuple):
    """What a receipt is asked for: an answer with its request, or an id."""

    request: dict[str, Any] | None
    answer: dict[str, Any] | None
    verdict_id: str | None


class ReceiptsView(ServiceView):
    """A receipt, made later."""

    operation = Operation(
        operation_id="makeReceipt",
        tag="Verdicts",
        summary="Sign an answer that was given without a receipt",
        description=(
            "With `request` and `answer`: the id of the answer proves the question, the ruleset, the time "
            "and the verdict, and the ruleset gives every field again. Then the answer is signed, as it "
            "would have been with `Prefer: receipt`. A batch is signed item by item. An itinerary, and an "
            f"answer from an earlier ruleset, counts as {REQUESTS_FOR_MUCH} requests.\n\n"
            "With `id` alone, and a partner key: what is recorded of the verdict is signed, if it was given "
            "to a key of the same partner. For all other ids the state is `not_found`.\n\n"
            "Status 200 means that there is a result in `state`, not that anything was signed. A receipt "
            "never makes an answer valid again."
        ),
        body=ReceiptRequest,
        answer=ReceiptBody,
        errors=("MALFORMED_JSON", "BATCH_EXCEEDS_LIMIT", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200, whatever the state is."""
        sent = _sent(object_in(read_bytes(request, MAX_BYTES)))
        if sent.request is None or sent.answer is None:
            return json_response(self._of_record(request, sent.verdict_id or ""))
        if _takes_long(sent.answer):
            self.spend(request, REQUESTS_FOR_MUCH - 1)
        return json_response(_of_answer(sent.request, sent.answer))

    def _of_record(self, request: HttpRequest, verdict_id: str) -> ReceiptBody:
        key = caller_of(request).key
        record = None if key is None else record_given_to(key.partner, verdict_id)
        if record is None:
            return ReceiptBody("not_found", MEANINGS["not_found"])
        body = _record_body(record)
        return _signed({"verdict_record": msgspec.to_builtins(body)}, body)


def _takes_long(answer: dict[str, Any]) -> bool:
    is_earlier = answer.get("ruleset_version") != corpus.current().ruleset_version
    return is_earlier or "itinerary_verdict_id" in answer


def _of_answer(body: dict[str, Any], answer: dict[str, Any]) -> ReceiptBody:
    try:
        proof = prove_parsed(body, answer)
    except NotToBeProved as error:
        return ReceiptBody("not_ours", f"{MEANINGS['not_ours']} {error}")
    if not proof.holds:
        return ReceiptBody("not_ours", MEANINGS["not_ours"], differs=list(proof.differs))
    # A receipt signs numbers as JavaScript has them (RFC 8785), not as decimals.
    return _signed(msgspec.json.decode(encode(answer)))


def _signed(statement: Mapping[str, Any], record: VerdictRecordBody | None = None) -> ReceiptBody:
    signer, content = keyring().signer, canonical_json(statement)
    receipt = None if content is None else receipt_of_statement(content)
    if signer is None or receipt is None:
        return ReceiptBody("no_key", MEANINGS["no_key"])
    return ReceiptBody(
        "signed",
        MEANINGS["signed"] if record is None else OF_A_RECORD,
        receipt=receipt,
        signed_by=signer.key.public.kid,
        record=record,
    )


def _record_body(record: VerdictRecord) -> VerdictRecordBody:
    stored = {
        "id": record.verdict_id,
        "segment_ids": record.segment_ids,
        "kind": record.kind,
        "question": record.question,
        "serial_given": record.serial_given,
        "verdict": record.verdict,
        "ruleset_version": record.ruleset_version,
        "release_sha256": record.release_sha256,
        "language": record.language,
        "generated_at": record.generated.astimezone(datetime.UTC),
        "expires_at": record.expires.astimezone(datetime.UTC),
    }
    return msgspec.convert(stored, VerdictRecordBody)


def _sent(body: dict[str, Any]) -> _Sent:
    """Return what a receipt is asked for. Raises `ApiError`."""
    fields = Fields(body, Report())
    both = "request" in fields or "answer" in fields
    if both:
        fields.object("request")
        fields.object("answer")
        fields.expect_none_of(["id"], "conflict", "Send either request and answer, or the id alone.")
        verdict_id = None
    else:
        verdict_id = fields.text("id", _ID.fullmatch, "Send request and answer, or the id of a verdict.")
    fields.refuse_others()
    fields.report.check()
    return _Sent(body.get("request"), body.get("answer"), verdict_id)
