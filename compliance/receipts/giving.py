"""Puts its receipt on an answer, for the one place that gives verdicts (`compliance.api.giving`)."""

import msgspec
from django.http import HttpResponse

from compliance.receipts.canonical import batch_payload, canonical
from compliance.receipts.jws import sign
from compliance.receipts.keyring import keyring

HEADER = "X-Service-Receipt"


def put_receipt(response: HttpResponse, body: msgspec.Struct) -> None:
    """Say in a header who answers for a body. An installation without a key says nothing."""
    signer = keyring().signer
    if signer is not None:
        response.headers[HEADER] = sign(canonical(body), signer.header, signer.key.private)


def put_batch_receipt(response: HttpResponse, content: bytes) -> None:
    """Say in a header who answers for a batch, whose content is canonical JSON."""
    signer = keyring().signer
    if signer is not None:
        response.headers[HEADER] = sign(batch_payload(content), signer.header, signer.key.private)
