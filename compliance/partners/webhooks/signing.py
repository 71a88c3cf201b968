"""The secret and the signature of a webhook, in the form of Standard Webhooks 1.0. Pure.

HMAC-SHA256 signs three texts, joined by full stops: the id of the delivery, the seconds since 1970 of this
try, and the body. A receiver who checks all three notices a request that was altered, invented, or recorded
and sent again later. Libraries for many languages verify these headers; `docs/webhooks.md` shows it.

A secret is derived from the key of this service and the id of the webhook. So no table contains one, and a
new VERDICT_KEY makes all of them invalid: then nothing is sent until the webhook is registered again.
"""

import base64
import datetime
import hashlib
import hmac
import secrets

ID_HEADER, TIME_HEADER, SIGNATURE_HEADER = "webhook-id", "webhook-timestamp", "webhook-signature"
ONCE_HEADER = "idempotency-key"
"""The id of the delivery again, for receivers whose servers know this header. It is a quoted text there."""

PREFIX = "whsec_"

_PURPOSE = b"webhook secret\n"
"""No other text that is digested with the same key begins like this."""


def make_id() -> str:
    """Return the id of a new webhook."""
    return f"whk_{base64.b32encode(secrets.token_bytes(10)).decode().lower()}"


def secret_of(webhook_id: str, *, key: str) -> str:
    """Return the secret of a webhook as the partner receives it."""
    derived = hmac.digest(key.encode(), _PURPOSE + webhook_id.encode(), "sha256")
    return PREFIX + base64.b64encode(derived).decode()


def digest(secret: str) -> str:
    """Return the stored form of a secret: its SHA-256, as 64 lower-case hex digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def signed_headers(secret: str, delivery_id: str, body: bytes, *, now: datetime.datetime) -> dict[str, str]:
    """Return the headers of one try to deliver a body."""
    seconds = str(int(now.timestamp()))
    return {
        ID_HEADER: delivery_id,
        ONCE_HEADER: f'"{delivery_id}"',
        TIME_HEADER: seconds,
        SIGNATURE_HEADER: f"v1,{_signature(secret, delivery_id, seconds, body)}",
    }


def _signature(secret: str, delivery_id: str, seconds: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = b".".join((delivery_id.encode(), seconds.encode(), body))
    return base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
