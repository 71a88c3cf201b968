"""The headers of answers, as the contract describes them."""

from http import HTTPStatus
from typing import Any

from compliance.api.contract.schemas import Schema, reference
from compliance.api.protocol.caching import MAX_AGE_SECONDS, STALE_WHILE_REVALIDATE_SECONDS
from compliance.records.receipts.attaching import HEADER as RECEIPT


def _header(description: str, schema: Schema, example: Any, *, required: bool = False) -> Schema:
    return {"description": description, "required": required, "schema": schema, "example": example}


_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SECONDS: Schema = {"type": "integer", "minimum": 1}

COMPONENTS: dict[str, Schema] = {
    "RequestId": _header(
        "Names this request in our logs: tell it to support. Send your own in the same header, 8 to 64 "
        "letters, digits, dots, hyphens and underscores, and it is kept.",
        _TEXT,
        "0b7c9b1d4d3f4c0c8f6d1f0a6c8a1e55",
        required=True,
    ),
    "RateLimitLimit": _header("How many requests one window of your limit takes.", _COUNT, 60),
    "RateLimitRemaining": _header("How many of them are left in this window.", _COUNT, 59),
    "RateLimitReset": _header("In how many seconds the next window begins.", _SECONDS, 42),
    "RateLimitPolicy": _header("The limit and the length of its window in seconds.", _TEXT, "60;w=60"),
    "RetryAfter": _header("In how many seconds to ask again.", _SECONDS, 30, required=True),
    "SupportTerms": _header(
        "For partners: where the terms of support are.",
        _TEXT,
        '<https://partner.example/terms>; rel="terms-of-service"',
    ),
    "NotStored": _header(
        "Nobody stores this answer on its way.", {"const": "no-store"}, "no-store", required=True
    ),
    "CacheControl": _header(
        f"How long the answer may be kept: {MAX_AGE_SECONDS} seconds, and {STALE_WHILE_REVALIDATE_SECONDS} "
        "more while a new one is fetched. `public` for anonymous callers, `private` for others, `no-store` "
        "where a serial was sent.",
        _TEXT,
        f"public, max-age={MAX_AGE_SECONDS}, stale-while-revalidate={STALE_WHILE_REVALIDATE_SECONDS}",
        required=True,
    ),
    "ETag": _header(
        "Changes with the ruleset, the day and how much you may see. Send it back in `If-None-Match`.",
        _TEXT,
        '"3f9f6b7d1c0a4b0e8d5c2a1f6e7b8c9d"',
    ),
    "LastModified": _header("Since when the answer could be so.", _TEXT, "Sat, 21 Nov 2026 00:00:00 GMT"),
    "Receipt": _header(
        "Proves that the answer is ours: a detached JSON Web Signature (RFC 7515, appendix F; `EdDSA`) over "
        "its canonical JSON (RFC 8785). The keys are at `/.well-known/jwks.json`. Keep it with the answer; "
        "POST /api/receipts/check tells later whether that still holds. Absent where an installation has no "
        "key.",
        {"type": "string", "pattern": r"^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]{86}$"},
        "eyJhbGciOiJFZERTQSIsImtpZCI6Ii1tWjFsa1RPZDNkS2h0MDF5Z2prbUpfemtWMnpxRThZblhSMXRsQ19kUlEifQ.."
        "qSCca6Rygy_bx798qicGBE-4-FUby--ymd4PEgvBZhpbsBSZkuzD_fMXiUOn-O_7laketmpMFRpLYkLtJ-30Ag",
    ),
    "Allow": _header("The methods that are allowed here.", _TEXT, "GET, HEAD, OPTIONS", required=True),
    "Authenticate": _header("How to send a key.", _TEXT, "Bearer", required=True),
}

_ALWAYS = {"X-Request-ID": "RequestId"}
_SIGNED = {RECEIPT: "Receipt"}
_LIMITS = {
    "RateLimit-Limit": "RateLimitLimit",
    "RateLimit-Remaining": "RateLimitRemaining",
    "RateLimit-Reset": "RateLimitReset",
    "RateLimit-Policy": "RateLimitPolicy",
    "Link": "SupportTerms",
}
_CACHING = {"Cache-Control": "CacheControl", "ETag": "ETag", "Last-Modified": "LastModified"}
_NEVER_STORED = {"Cache-Control": "NotStored"}

_OF_STATUS = {
    HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": "Authenticate"},
    HTTPStatus.METHOD_NOT_ALLOWED: {"Allow": "Allow"},
    HTTPStatus.TOO_MANY_REQUESTS: {"Retry-After": "RetryAfter"},
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "RetryAfter"},
}


def of_answer(*, cached: bool, signed: bool = False) -> dict[str, Schema]:
    """Return the headers of an answer; `cached` marks reads, `signed` marks verdicts."""
    return _references(
        _ALWAYS | (_SIGNED if signed else {}) | (_CACHING if cached else _NEVER_STORED) | _LIMITS
    )


def of_error(status: HTTPStatus) -> dict[str, Schema]:
    """Return the headers of an error."""
    return _references(_ALWAYS | _NEVER_STORED | _OF_STATUS.get(status, {}) | _LIMITS)


def _references(names: dict[str, str]) -> dict[str, Schema]:
    return {header: reference("headers", name) for header, name in names.items()}
