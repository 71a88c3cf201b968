"""Checks a stored answer: whether it was ours, and whether it is still valid.

An answer that is ours but has expired counts as *expired*, even if its release was also replaced: the answer
itself gave that end, which is the stronger reason to ask again.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from catalog.signing_keys import PublicKey
from compliance.records.receipts.canonical import batch_payload, canonical_json
from compliance.records.receipts.jws import signer_of
from compliance.records.receipts.keyring import keyring

ReceiptStatus = Literal["valid", "superseded", "expired", "not_ours"]


@dataclass(frozen=True)
class Checked:
    """The status of an answer, and the key that signed it; none if it is not ours."""

    status: ReceiptStatus
    signed_by: PublicKey | None


def check(answer: Mapping[str, Any], receipt: str, *, now: datetime.datetime, current: str) -> Checked:
    """Check an answer against its receipt.

    Args:
        answer: The answer as the client parsed it.
        receipt: The value of `X-Service-Receipt` that came with it.
        now: The instant of asking, with its time zone.
        current: The ruleset version that answers now.

    It never raises: input that cannot be an answer of ours is `not_ours`.

    """
    payload = canonical_json(answer)
    if payload is not None and _is_batch(answer):
        payload = batch_payload(payload)
    key = None if payload is None else signer_of(payload, receipt, keyring().by_header)
    # The signed content of a batch's receipt is no answer itself.
    if key is None or "ruleset_version" not in answer:
        return Checked("not_ours", None)
    # From here on it is an answer that we made, so its fields exist.
    if datetime.datetime.fromisoformat(_end(answer)) <= now:
        return Checked("expired", key)
    return Checked("valid" if answer["ruleset_version"] == current else "superseded", key)


def _is_batch(answer: Mapping[str, Any]) -> bool:
    """Say whether an answer is that of a batch. An itinerary has items, too, but no counts."""
    return "items" in answer and "counts" in answer


def _end(answer: Mapping[str, Any]) -> str:
    """Return when an answer of ours ends; a batch ends with the first of its items."""
    if not _is_batch(answer):
        end: str = answer["expires_at"]
        return end
    ends = [item["answer"]["expires_at"] for item in answer["items"] if item["answer"] is not None]
    return min(ends, default=answer["generated_at"])
