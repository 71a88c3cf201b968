"""What happens to every verdict that the API gives, whichever endpoint was asked."""

import msgspec
from django.http import HttpRequest, HttpResponse

from compliance import verdict_log
from compliance.accounting import note_verdict
from compliance.api.bodies import json_response
from compliance.api.callers import caller_of
from compliance.receipts.giving import put_receipt
from rules.verdicts import Answer, TripAnswer


def give(
    request: HttpRequest, answer: Answer | TripAnswer, body: msgspec.Struct, language: str
) -> HttpResponse:
    """Return an answer of the door as the answer to a request; `body` says it in the caller's language.

    Raises `NotRecorded` where no record can be written and the settings ask for one.
    """
    response = json_response(body)
    put_receipt(response, body)
    # Last but the counting: what is recorded was given.
    verdict_log.record(answer, channel="api", language=language, partner=_partner(request))
    note_verdict(response, answer, "api")
    return response


def _partner(request: HttpRequest) -> str:
    key = caller_of(request).key
    return "" if key is None else key.public_id
