"""`Idempotency-Key`: a POST that creates something can be sent again, and creates it once.

As in draft-ietf-httpapi-idempotency-key-header. The header is optional. Its value is a text of 1 to 255
visible characters, with or without the quotation marks of the draft.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from compliance.api.protocol.bodies import spelled_response
from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.errors import ApiError, FieldError
from compliance.limits.addresses import client_network
from compliance.records.idempotency.actions import InProgress, KeyReused, Made, answer_once

HEADER = "Idempotency-Key"

OPEN_KEY = (
    "Keys of this partner may be in web pages, where many visitors send them. One could get the answer of "
    "another. Leave the header out."
)

_TEXT = r"[!#-+\--\[\]-~]{1,255}"
PATTERN = f'^("{_TEXT}"|{_TEXT})$'
"""Visible ASCII without a comma, a quotation mark and a backslash: a list of two keys is no key."""

_encode = msgspec.json.Encoder(decimal_format="number", order="deterministic").encode

_FORM = re.compile(f'"({_TEXT})"|({_TEXT})')


def created_once(request: HttpRequest, body: dict[str, Any], create: Callable[[], Made]) -> HttpResponse:
    """Answer with what `create` returns, JSON text; with a key that was answered before, as then.

    After the end of what was created, the key creates it anew.

    Raises `ApiError`. An error is not kept: the same key may be sent again with a corrected request.
    """
    key = _key(request)
    if key is None:
        return spelled_response(create().answer)
    caller = caller_of(request)
    if caller.key is not None and caller.key.allowed_origins:
        raise ApiError("VALIDATION_ERROR", OPEN_KEY, [FieldError(HEADER, "not_kept", OPEN_KEY)])
    who = f"address {client_network(request)}" if caller.key is None else f"partner {caller.key.partner}"
    asked = f"{request.path}\n".encode() + _encode(body)
    try:
        answer = answer_once(caller=who, key=key, request=asked, now=timezone.now(), act=create)
    except InProgress:
        raise ApiError("REQUEST_IN_PROGRESS", headers={"Retry-After": "1"}) from None
    except KeyReused:
        raise ApiError("IDEMPOTENCY_KEY_REUSED") from None
    return spelled_response(answer)


def _key(request: HttpRequest) -> str | None:
    """Return the key that was sent, without quotation marks. Raises `ApiError` for what is none."""
    sent = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if sent is None:
        return None
    found = _FORM.fullmatch(sent.strip())
    if found is None:
        why = "Send one key of 1 to 255 visible characters, such as a UUID."
        raise ApiError("VALIDATION_ERROR", why, [FieldError(HEADER, "wrong_form", why)])
    return found[1] or found[2]
