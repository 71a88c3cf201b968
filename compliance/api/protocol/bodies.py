"""The body of a request: from bytes to one JSON object; and the reverse for answers.

Bad bytes end here with a documented error: too many (413), of another type (415), not JSON (400). Called by
the views.
"""

import json
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from compliance.api.protocol.digests import FIELD as DIGEST
from compliance.api.protocol.digests import is_of
from compliance.api.protocol.errors import ApiError, FieldError

Value = TypeVar("Value")

MAX_BODY_BYTES = 64 * 1024

_HOLDERS = (dict, list)
"""JSON values that contain other values."""

_UNREADABLE = (RecursionError, UnicodeDecodeError, msgspec.DecodeError)


def exact(number: str) -> Decimal | float:
    """Read a number with a point or an exponent; a float only if its exponent is beyond all bounds."""
    try:
        return Decimal(number)
    except InvalidOperation:
        return float(number)


decode = msgspec.json.Decoder(float_hook=exact).decode
"""Decode JSON without a check of its form, with exact numbers."""

encode = msgspec.json.Encoder(decimal_format="number").encode
"""Encode an answer as JSON; the same answer always has the same bytes."""


def json_response(body: msgspec.Struct) -> HttpResponse:
    """Return an answer as JSON. No cache stores it unless a view says so: it may echo a serial, or expire."""
    return spelled_response(encode(body))


def spelled_response(content: bytes) -> HttpResponse:
    """Return an answer that already is JSON text, as `json_response` does."""
    return HttpResponse(content, content_type="application/json", headers={"Cache-Control": "no-store"})


def read_object(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in the body of a request. Raises `ApiError`."""
    return object_in(read_bytes(request, MAX_BODY_BYTES))


def read_bytes(request: HttpRequest, most: int) -> bytes:
    """Return the JSON bytes in the body of a request, up to a limit. Raises `ApiError`."""
    _check_type(request)
    return _read(request, most)


def object_in(body: bytes) -> dict[str, Any]:
    """Return the JSON object in some bytes. Raises `ApiError`."""
    value = parse(body)
    if not isinstance(value, dict):
        raise _no_object()
    return value


def decoded(body: bytes, read: Callable[[bytes], Value]) -> Value:
    """Return what a decoder reads from the JSON object in some bytes; it may read only a part.

    It does not notice a repeated name. Raises `ApiError`.
    """
    try:
        return read(body)
    except msgspec.ValidationError:
        raise _no_object() from None
    except _UNREADABLE as error:
        raise _unreadable(body, error) from None


def parse(body: bytes) -> Any:
    """Decode JSON strictly: UTF-8 without a byte order mark, no NaN, no repeated name. Raises `ApiError`.

    A number with a point or an exponent is a `Decimal` (`exact`), because a rounded figure can be milder.
    """
    try:
        value = decode(body)
    except _UNREADABLE as error:
        raise _unreadable(body, error) from None
    # A colon follows each name. So if there are as many colons as names, no name is repeated.
    if body.count(b":") != _names(value):
        _refuse_repeated_names(body)
    return value


def _unreadable(body: bytes, error: Exception) -> ApiError:
    match error:
        case _ if not body.strip():
            return _malformed("The body is empty.")
        case RecursionError():
            return _malformed("It is nested too deeply.")
        case UnicodeDecodeError():
            return _malformed("It is not UTF-8.")
    return _malformed(f"{error}.")


def _check_type(request: HttpRequest) -> None:
    content_type = request.content_type
    charset = (request.content_params or {}).get("charset", "utf-8").lower()
    encoding = request.META.get("HTTP_CONTENT_ENCODING", "identity").lower()
    # The server unpacks chunks, and no other coding.
    transfer = request.META.get("HTTP_TRANSFER_ENCODING", "chunked").lower()
    plain = (encoding, transfer) == ("identity", "chunked")
    if content_type != "application/json" or charset not in {"utf-8", "utf8"} or not plain:
        raise ApiError("UNSUPPORTED_MEDIA_TYPE")


def _read(request: HttpRequest, most: int) -> bytes:
    """Read the body, and never more than the limit, whatever length the request declares."""
    if _declared_bytes(request) > most:
        raise too_large(most)
    environ = getattr(request, "environ", {})
    # Django reads as many bytes as Content-Length says, so none of a chunked body. If the server marks where
    # the body ends, it is read directly.
    stream = environ["wsgi.input"] if environ.get("wsgi.input_terminated") else request
    try:
        body: bytes = stream.read(most + 1)
    # Each server raises its own exceptions for a body that breaks off or is badly chunked.
    except Exception:
        raise _malformed("The body could not be read to its end.") from None
    if len(body) > most:
        raise too_large(most)
    if (digest := request.META.get("HTTP_CONTENT_DIGEST")) is not None and is_of(digest, body) is False:
        raise _altered()
    return body


def too_large(most: int) -> ApiError:
    """Return the error of a body that is longer than so many bytes."""
    return ApiError("BODY_TOO_LARGE", f"A request body has at most {most // 1024} KiB here.")


def _altered() -> ApiError:
    why = (
        f"The body does not have the digest of `{DIGEST}`: it was altered on its way, or the digest is wrong."
    )
    return ApiError("VALIDATION_ERROR", why, [FieldError(DIGEST, "other_digest", why)])


def _declared_bytes(request: HttpRequest) -> int:
    """Return the length that a request declares for its body; 0 if it declares no valid length."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _names(value: Any) -> int:
    """Count the names in all objects of a value."""
    count, left = 0, [value]
    for item in left:
        # Most values are not containers, and are skipped.
        if isinstance(item, dict):
            count += len(item)
            left += [one for one in item.values() if isinstance(one, _HOLDERS)]
        elif isinstance(item, list):
            left += [one for one in item if isinstance(one, _HOLDERS)]
    return count


def _refuse_repeated_names(body: bytes) -> None:
    """Raise `ApiError` if an object names a field twice: its two readings could get two verdicts."""

    def collect(pairs: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise _malformed("An object names a field twice.")

    try:
        json.loads(body, object_pairs_hook=collect)
    except RecursionError:
        raise _malformed("It is nested too deeply.") from None


def _no_object() -> ApiError:
    why = "The body must be a JSON object: {…}."
    return ApiError("VALIDATION_ERROR", why, [FieldError("body", "wrong_type", why)])


def _malformed(reason: str) -> ApiError:
    why = f"{reason} Send one JSON object, in UTF-8, as the body."
    return ApiError("MALFORMED_JSON", why, [FieldError("body", "malformed_json", why)])
