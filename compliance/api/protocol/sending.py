"""What happens to every verdict that the API gives, at each endpoint."""

from collections import Counter

import msgspec
from django.http import HttpRequest, HttpResponse

from compliance.api.protocol.bodies import json_response, spelled_response
from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.preferences import note_applied, wants_receipt
from compliance.api.protocol.signatures import put_signatures, wanted_signatures
from compliance.operations.accounting import Kind, note_verdict, note_verdicts
from compliance.records.receipts.attaching import put_batch_receipt, put_receipt
from compliance.records.verdict_log import recording
from rules.engine.vocabulary import Verdict
from rules.verdicts import AnyAnswer


def give(request: HttpRequest, answer: AnyAnswer, body: msgspec.Struct, language: str) -> HttpResponse:
    """Return an answer of the door as the response to a request; `body` is its text in the caller's language.

    Raises `NotRecorded` if no record can be written and the settings require one, and `ApiError` for a
    signature that cannot be made.
    """
    signatures = wanted_signatures(request)
    response = json_response(body)
    put_signatures(request, response, signatures)
    if wants_receipt(request, caller_of(request)):
        put_receipt(response, body)
        note_applied(request, response)
    # Last except for the counting: a recorded answer was given.
    recording.record(answer, channel="api", language=language, partner=_partner(request))
    note_verdict(response, answer, "api")
    return response


class Batch:
    """Many answers of the door, all of one kind, that leave as one response to a request."""

    def __init__(self, request: HttpRequest, kind: Kind) -> None:
        self._kind, self._request = kind, request
        # Before any work: one that cannot be made refuses the whole batch.
        self._signatures = wanted_signatures(request)
        self.counts: Counter[Verdict] = Counter()
        self._records = recording.Together(channel="api", partner=_partner(request))

    def add(self, answer: AnyAnswer, language: str) -> None:
        """Note one of the answers."""
        self.counts[answer.outcome.verdict] += 1
        self._records.add(answer, language)

    def give(self, content: bytes) -> HttpResponse:
        """Return them as `content`, canonical JSON with all of them. Raises the errors of `give`."""
        response = spelled_response(content)
        put_signatures(self._request, response, self._signatures)
        if wants_receipt(self._request, caller_of(self._request)):
            put_batch_receipt(response, content)
            note_applied(self._request, response)
        self._records.write()
        note_verdicts(self._kind, self.counts, "api")
        return response


def _partner(request: HttpRequest) -> str:
    key = caller_of(request).key
    return "" if key is None else key.public_id
