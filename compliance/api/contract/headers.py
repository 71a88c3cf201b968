"""The headers of answers, as the contract describes them."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from compliance.api.contract.schemas import Schema, reference
from compliance.api.protocol.caching import MAX_AGE_SECONDS, STALE_WHILE_REVALIDATE_SECONDS
from compliance.api.protocol.digests import FIELD as DIGEST
from compliance.api.protocol.preferences import APPLIED, PREFERENCE
from compliance.api.protocol.signatures import AS_IT_IS, ASK, INPUT, SIGNATURE
from compliance.records.receipts.attaching import HEADER as RECEIPT
from compliance.records.receipts.message_signatures import LEAST


def _header(description: str, schema: Schema, example: Any, *, required: bool = False) -> Schema:
    return {"description": description, "required": required, "schema": schema, "example": example}


_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SECONDS: Schema = {"type": "integer", "minimum": 1}

COMPONENTS: dict[str, Schema] = {
    "RequestId": _header(
        "The id of this request in our logs: give it to support. You may send your own id in the same "
        "header: 8 to 64 letters, digits, dots, hyphens and underscores. It is then used instead.",
        _TEXT,
        "0b7c9b1d4d3f4c0c8f6d1f0a6c8a1e55",
        required=True,
    ),
    "RateLimitPolicy": _header(
        "Your limit, as in draft-ietf-httpapi-ratelimit-headers-11: its name, `q` requests in `w` seconds.",
        _TEXT,
        '"api";q=60;w=60',
    ),
    "RateLimit": _header(
        "What is left of it: `r` requests within the next `t` seconds, when the next window begins.",
        _TEXT,
        '"api";r=59;t=42',
    ),
    "RateLimitLimit": _header("How many requests your limit allows in one window.", _COUNT, 60),
    "RateLimitRemaining": _header("How many requests are left in this window.", _COUNT, 59),
    "RateLimitReset": _header("Seconds until the next window begins.", _SECONDS, 42),
    "RetryAfter": _header(
        "Wait this many seconds, then send the request again.", _SECONDS, 30, required=True
    ),
    "SupportTerms": _header(
        "For partners: the address of the support terms.",
        _TEXT,
        '<https://partner.example/terms>; rel="terms-of-service"',
    ),
    "RetryAfterInProgress": _header(
        "With `REQUEST_IN_PROGRESS`: wait this many seconds, then send the request again.", _SECONDS, 30
    ),
    "NotStored": _header("No cache may store this answer.", {"const": "no-store"}, "no-store", required=True),
    "CacheControl": _header(
        f"How long the answer may be cached: {MAX_AGE_SECONDS} seconds, and "
        f"{STALE_WHILE_REVALIDATE_SECONDS} more while a new answer is fetched. `public` for anonymous "
        "callers, `private` for others, `no-store` if a serial was sent.",
        _TEXT,
        f"public, max-age={MAX_AGE_SECONDS}, stale-while-revalidate={STALE_WHILE_REVALIDATE_SECONDS}",
        required=True,
    ),
    "ETag": _header(
        "Changes with the ruleset, the day and what you may see. Each compression of an answer has its own, "
        "with `-gzip` or `-br` at the end. Send any of them back in `If-None-Match`.",
        _TEXT,
        '"3f9f6b7d1c0a4b0e8d5c2a1f6e7b8c9d"',
    ),
    "LastModified": _header(
        "The answer has not changed since this time.", _TEXT, "Sat, 21 Nov 2026 00:00:00 GMT"
    ),
    "Receipt": _header(
        "Proves that the answer is ours: a detached JSON Web Signature (RFC 7515, appendix F; `EdDSA`) over "
        "its canonical JSON (RFC 8785). The keys are at `/.well-known/jwks.json`. Store it with the answer; "
        "POST /api/receipts/check later says whether the answer is still valid. Only for requests that ask "
        "for it by `Prefer: receipt`, and for partners who agreed to it. Absent if the installation has no "
        "key.",
        {"type": "string", "pattern": r"^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]{86}$"},
        "eyJhbGciOiJFZERTQSIsImtpZCI6Ii1tWjFsa1RPZDNkS2h0MDF5Z2prbUpfemtWMnpxRThZblhSMXRsQ19kUlEifQ.."
        "qSCca6Rygy_bx798qicGBE-4-FUby--ymd4PEgvBZhpbsBSZkuzD_fMXiUOn-O_7laketmpMFRpLYkLtJ-30Ag",
    ),
    "PreferenceApplied": _header(
        "The request asked for a receipt by `Prefer`, and the answer has it (RFC 7240).",
        {"const": PREFERENCE},
        PREFERENCE,
    ),
    "ContentDigest": _header(
        f"The SHA-256 of the content as it was sent (RFC 9530), in answers that were asked for with `{ASK}`.",
        _TEXT,
        "sha-256=:FvY3clMuqDtN+53bCPrVqEvvlNBDV0DCdn/fGpCJTO8=:",
    ),
    "SignatureInput": _header(
        f"What a signature covers, as `{ASK}` asked for it, and when it was made by which key (RFC 9421).",
        _TEXT,
        f"sig1=({' '.join(LEAST)});created=1795253415;"
        'keyid="-mZ1lkTOd3dKht01ygkmBJ_zkV2zqE8anXR1tlC_dRQ";alg="ed25519"',
    ),
    "Signature": _header(
        f"The signature, Ed25519, under the label of `{ASK}` (RFC 9421). The keys are at "
        "`/.well-known/jwks.json`.",
        _TEXT,
        "sig1=:sqDQi6QqUPNVLHc3eRHkl6fWO/VIr87ocDNK6hfPlRNGmsWgGUZcZqFI43p6mEpMHAAGcmmsSNo+ByKpjcexBQ==:",
    ),
    "NotStoredSigned": _header(
        f"No cache may store this answer. With `no-transform` where `{ASK}` asked for a signature, so that "
        "the bytes stay as they were signed.",
        {"enum": ["no-store", AS_IT_IS]},
        "no-store",
        required=True,
    ),
    "Allow": _header("The methods that this address allows.", _TEXT, "GET, HEAD, OPTIONS", required=True),
    "Authenticate": _header("How to send a key.", _TEXT, "Bearer", required=True),
    "DocumentCacheControl": _header(
        "How long the document may be cached, also by shared caches.",
        _TEXT,
        "public, max-age=300, stale-while-revalidate=3600, stale-if-error=3600",
        required=True,
    ),
    "DocumentETag": _header(
        "Changes with the document. Send it back in `If-None-Match`.",
        _TEXT,
        '"11c9c9b687b3c63d90da049fdac04bbd85d93b53bb9afb187f3f7b6a8ec8dd35"',
        required=True,
    ),
    "ContentHash": _header(
        "The SHA-256 of the content, 64 lower-case hex digits.",
        {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "11c9c9b687b3c63d90da049fdac04bbd85d93b53bb9afb187f3f7b6a8ec8dd35",
        required=True,
    ),
    "SchemaHash": _header(
        "The SHA-256 of the schema, 64 lower-case hex digits.",
        {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "5f0c2a3a5e0c6c0b1a7d4a9d6f3b8e2c1d0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b",
        required=True,
    ),
    "RelatedDocument": _header(
        "Related documents: with `describedby`, the schema.",
        _TEXT,
        '</aeo-manifest.schema.json>; rel="describedby"',
        required=True,
    ),
    "ReprDigest": _header(
        "The SHA-256 of the whole file (RFC 9530).",
        _TEXT,
        "sha-256=:FvY3clMuqDtN+53bCPrVqEvvlNBDV0DCdn/fGpCJTO8=:",
        required=True,
    ),
    "Attachment": _header(
        "The name of the file.", _TEXT, 'attachment; filename="devices-2026-11-20.csv"', required=True
    ),
    "Location": _header("The address to ask.", _TEXT, "/datasets/2026-11-20/devices.csv", required=True),
}

_ALWAYS = {"X-Request-ID": "RequestId"}
_SIGNED = {
    RECEIPT: "Receipt",
    APPLIED: "PreferenceApplied",
    DIGEST: "ContentDigest",
    INPUT: "SignatureInput",
    SIGNATURE: "Signature",
    "Cache-Control": "NotStoredSigned",
}
_LIMITS = {
    "RateLimit-Policy": "RateLimitPolicy",
    "RateLimit": "RateLimit",
    "RateLimit-Limit": "RateLimitLimit",
    "RateLimit-Remaining": "RateLimitRemaining",
    "RateLimit-Reset": "RateLimitReset",
    "Link": "SupportTerms",
}
_CACHING = {"Cache-Control": "CacheControl", "ETag": "ETag", "Last-Modified": "LastModified"}
_NEVER_STORED = {"Cache-Control": "NotStored"}

_OF_STATUS = {
    HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": "Authenticate"},
    HTTPStatus.METHOD_NOT_ALLOWED: {"Allow": "Allow"},
    HTTPStatus.CONFLICT: {"Retry-After": "RetryAfterInProgress"},
    HTTPStatus.TOO_MANY_REQUESTS: {"Retry-After": "RetryAfter"},
    HTTPStatus.SERVICE_UNAVAILABLE: {"Retry-After": "RetryAfter"},
}


def of_answer(*, cached: bool, signed: bool = False) -> dict[str, Schema]:
    """Return the headers of an answer; `cached` marks reads, `signed` marks verdicts."""
    return _references(
        _ALWAYS | (_CACHING if cached else _NEVER_STORED) | (_SIGNED if signed else {}) | _LIMITS
    )


_OF_DOCUMENTS = {
    "X-Service-Content-Hash": "ContentHash",
    "X-Service-Schema-Hash": "SchemaHash",
    "Link": "RelatedDocument",
    "Repr-Digest": "ReprDigest",
    "Content-Disposition": "Attachment",
}


def of_document(own: Iterable[str] = ()) -> dict[str, Schema]:
    """Return the headers of a document; `own` are the names of those that only some have."""
    return _references(
        {
            **_ALWAYS,
            "Cache-Control": "DocumentCacheControl",
            "ETag": "DocumentETag",
            **{name: _OF_DOCUMENTS[name] for name in own},
        }
    )


def of_redirect() -> dict[str, Schema]:
    """Return the headers of an answer that leads to another address."""
    return _references({**_ALWAYS, "Location": "Location"})


def of_error(status: HTTPStatus) -> dict[str, Schema]:
    """Return the headers of an error."""
    return _references(_ALWAYS | _NEVER_STORED | _OF_STATUS.get(status, {}) | _LIMITS)


def _references(names: dict[str, str]) -> dict[str, Schema]:
    return {header: reference("headers", name) for header, name in names.items()}
