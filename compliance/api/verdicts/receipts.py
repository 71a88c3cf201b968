"""POST /api/receipts/check: is this stored answer ours, and is it still valid?"""

import datetime
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from compliance.api.protocol.bodies import json_response, read_object
from compliance.api.protocol.fields import Fields, Report
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts.requests import RequestPart
from compliance.records.receipts import check as receipt_check
from compliance.records.receipts.attaching import HEADER
from compliance.records.receipts.check import ReceiptStatus
from rules import corpus

MAX_RECEIPT_CHARACTERS = 2048
"""Ours have about 160."""

MEANINGS: dict[ReceiptStatus, str] = {
    "valid": "This answer is ours and still valid. Meet its constraints, and ask again when it expires.",
    "superseded": (
        "This answer is ours, but a later ruleset is current now. Ask again before anyone relies on it."
    ),
    "expired": "This answer is ours, but it has expired: treat it as not allowed. Ask again.",
    "not_ours": (
        "No key of ours has signed this answer: it was changed, or it was never ours. Treat it as not "
        "allowed, and ask again."
    ),
}


class ReceiptCheckRequest(RequestPart, kw_only=True):
    """The body of POST /api/receipts/check. A field that is not listed here is refused, never ignored."""

    answer: Annotated[
        dict[str, Any],
        Meta(
            description=(
                "Your stored answer, complete and unchanged. The order of its fields and white space do not "
                "matter."
            )
        ),
    ]
    receipt: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_RECEIPT_CHARACTERS,
            description=f"The value of the header `{HEADER}` that came with the answer.",
        ),
    ]


class ReceiptCheckBody(msgspec.Struct):
    """The answer of POST /api/receipts/check."""

    standing: Annotated[
        ReceiptStatus,
        Meta(description="An answer that is both expired and superseded is `expired`."),
    ]
    meaning: Annotated[str, Meta(description="What the state means, and what to do.")]
    signed_by: Annotated[
        str | None,
        Meta(description="The `kid` of the key that signed the answer; null if it is `not_ours`."),
    ]
    current_ruleset_version: Annotated[str, Meta(description="The current ruleset.")]
    checked_at: datetime.datetime


class ReceiptCheckView(ServiceView):
    """The check of one stored answer."""

    operation = Operation(
        operation_id="checkReceipt",
        tag="Verdicts",
        summary="Is this stored answer ours, and is it still valid?",
        description=(
            f"A verdict that was asked for with `Prefer: receipt` has a receipt in the header `{HEADER}`: a "
            "detached JSON Web Signature (RFC 7515, appendix F) with `EdDSA` over the canonical JSON (RFC "
            "8785) of the answer. Anyone can verify it offline with the keys of `/.well-known/jwks.json`. "
            "This operation is for callers without a library; it also says whether the answer is still "
            "valid.\n\n"
            "Status 200 means that the check gave a result in `standing`, not that the result is good: only "
            "`valid` is good."
        ),
        body=ReceiptCheckRequest,
        answer=ReceiptCheckBody,
        errors=("MALFORMED_JSON", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200, whatever the status is."""
        now, current = timezone.now(), corpus.current().ruleset_version
        answer, receipt = receipt_request(read_object(request))
        checked = receipt_check.check(answer, receipt, now=now, current=current)
        return json_response(
            ReceiptCheckBody(
                standing=checked.status,
                meaning=MEANINGS[checked.status],
                signed_by=None if checked.signed_by is None else checked.signed_by.kid,
                current_ruleset_version=current,
                checked_at=now.replace(microsecond=0),
            )
        )


def receipt_request(body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the answer and the receipt in a request. Raises `ApiError`."""
    fields = Fields(body, Report())
    fields.object("answer")
    receipt = fields.text(
        "receipt",
        lambda text: 1 <= len(text) <= MAX_RECEIPT_CHARACTERS,
        f"Send the value of the header `{HEADER}`: 1 to {MAX_RECEIPT_CHARACTERS} characters.",
    )
    fields.refuse_others()
    fields.report.check()
    return body["answer"], receipt
