"""Adds receipts to answers whose callers want one. Called by the API and by the tools of agents."""

import msgspec
from django.http import HttpResponse

from compliance.records.receipts.canonical import batch_payload, canonical
from compliance.records.receipts.jws import sign
from compliance.records.receipts.keyring import keyring

HEADER = "X-Service-Receipt"


def put_receipt(response: HttpResponse, body: msgspec.Struct) -> None:
    """Put the receipt of a body into a header. An installation without a key adds nothing."""
    receipt = receipt_of(body)
    if receipt is not None:
        response.headers[HEADER] = receipt


def receipt_of(body: msgspec.Struct) -> str | None:
    """Return the proof that a body was ours; none if this installation has no key."""
    # What nobody can sign is not written in its canonical form either.
    return None if keyring().signer is None else receipt_of_statement(canonical(body))


def receipt_of_statement(content: bytes) -> str | None:
    """Return the receipt of a statement that is canonical JSON; none if this installation has no key."""
    signer = keyring().signer
    return None if signer is None else sign(content, signer.header, signer.key.private)


def put_batch_receipt(response: HttpResponse, content: bytes) -> None:
    """Put the receipt of a batch, whose content is canonical JSON, into a header."""
    put_statement_receipt(response, batch_payload(content))


def put_statement_receipt(response: HttpResponse, content: bytes) -> None:
    """Put the receipt of a statement that is canonical JSON into a header."""
    receipt = receipt_of_statement(content)
    if receipt is not None:
        response.headers[HEADER] = receipt
