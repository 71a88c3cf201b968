"""Errors in the contract: one response for each status, with every code that can come with it.

An operation lists its statuses. All their codes are in the table of `compliance.api.protocol.errors`, so none
of them can be missing here.
"""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from compliance.api.contract import headers
from compliance.api.contract.schemas import Schema, reference
from compliance.api.protocol.errors import CONTENT_TYPE, PROBLEMS

EVERYWHERE = (
    "VALIDATION_ERROR",
    "BAD_REQUEST",
    "INVALID_KEY",
    "ORIGIN_NOT_ALLOWED",
    "METHOD_NOT_ALLOWED",
    "NOT_ACCEPTABLE",
    "URI_TOO_LONG",
    "RATE_LIMITED",
    "HEADERS_TOO_LARGE",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
)
"""The codes that every operation can answer with."""

NAMES = {
    HTTPStatus.BAD_REQUEST: "BadRequest",
    HTTPStatus.UNAUTHORIZED: "Unauthorized",
    HTTPStatus.FORBIDDEN: "Forbidden",
    HTTPStatus.NOT_FOUND: "NotFound",
    HTTPStatus.METHOD_NOT_ALLOWED: "MethodNotAllowed",
    HTTPStatus.NOT_ACCEPTABLE: "NotAcceptable",
    HTTPStatus.CONFLICT: "Conflict",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "ContentTooLarge",
    HTTPStatus.REQUEST_URI_TOO_LONG: "UriTooLong",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "UnsupportedMediaType",
    HTTPStatus.UNPROCESSABLE_ENTITY: "UnprocessableContent",
    HTTPStatus.TOO_MANY_REQUESTS: "TooManyRequests",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "HeadersTooLarge",
    HTTPStatus.INTERNAL_SERVER_ERROR: "InternalServerError",
    HTTPStatus.SERVICE_UNAVAILABLE: "ServiceUnavailable",
}


def references(own: Iterable[str]) -> dict[str, Schema]:
    """Return the error responses of an operation by status; `own` are codes that only some have."""
    return of_codes((*EVERYWHERE, *own))


def of_codes(codes: Iterable[str]) -> dict[str, Schema]:
    """Return the error responses with some codes, by status."""
    statuses = sorted({PROBLEMS[code].status for code in codes})
    return {str(status.value): reference("responses", NAMES[status]) for status in statuses}


def responses(problem_schema: Schema, examples: Mapping[str, Any]) -> dict[str, Schema]:
    """Return the components that `references` points to; `examples` are bodies by code."""
    return {name: _response(status, problem_schema, examples) for status, name in NAMES.items()}


def _response(status: HTTPStatus, problem_schema: Schema, examples: Mapping[str, Any]) -> Schema:
    codes = [code for code, problem in PROBLEMS.items() if problem.status == status]
    meanings = [f"- `{code}`: {PROBLEMS[code].title}. {PROBLEMS[code].detail}" for code in codes]
    return {
        "description": "\n".join(meanings),
        "headers": headers.of_error(status),
        "content": {
            CONTENT_TYPE: {
                "schema": problem_schema,
                "examples": {
                    code: {"summary": PROBLEMS[code].title, "value": examples[code]} for code in codes
                },
            }
        },
    }
