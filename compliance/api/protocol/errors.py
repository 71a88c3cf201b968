"""The one form of an error: RFC 9457 `application/problem+json`, and the table of all codes.

Every error of the API leaves through `problem_response`: errors of views by `problem_of`, all others by
`compliance.middleware.request_envelope`. `type` is a name (a URN), not a page; clients decide by `code`.
`instance` is the path without its query string, which can contain a serial number. A message says what is
wrong, why, and what to do next; `suggested_next_step` says the last of these to programs too. Messages are in
English: their reader is the developer of the client.
"""

import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args

import msgspec
from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.encoding import escape_uri_path

from compliance.api.protocol.field_codes import FieldCode
from compliance.operations.accounting import request_id
from compliance.operations.logs import describe_error
from compliance.records.verdict_log.recording import NotRecorded
from rules.corpus import CorpusUnavailable, RulesetVersionNotCurrent
from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.wording import NextStep

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"

_encode = msgspec.json.Encoder(decimal_format="number").encode
RETRY_AFTER_SECONDS = 30
"""When to try again while no release can answer."""

CONTRACT = "/openapi.yaml"

MAX_FIELD_ERRORS = 20
"""How many wrong fields one answer names."""


SuggestionCode = Literal[
    "accept_json",
    "allow_origin",
    "ask_airline",
    "check_address",
    "check_key",
    "check_permission",
    "correct_request",
    "end_watches",
    "find_airline",
    "read_again",
    "retry_later",
    "search_models",
    "send_json",
    "send_less",
    "send_new_key",
    "use_allowed_method",
    "use_current_ruleset",
    "use_trip_endpoint",
    "wait_and_retry",
]
"""What errors suggest, for programs."""


class Suggestion(NamedTuple):
    """What to do about an error: a word for programs, a sentence, and an address on this site."""

    code: SuggestionCode
    message: str
    path: str = ""


class Problem(NamedTuple):
    """The meaning of a code: HTTP status, a fixed title, and default texts."""

    status: HTTPStatus
    title: str
    detail: str
    suggested: Suggestion


PROBLEMS: dict[str, Problem] = {
    "VALIDATION_ERROR": Problem(
        HTTPStatus.BAD_REQUEST,
        "The request is not valid",
        "Correct the fields listed in `errors`.",
        Suggestion(
            "correct_request", "Correct each field that `errors` names, and send the request again.", CONTRACT
        ),
    ),
    "MALFORMED_JSON": Problem(
        HTTPStatus.BAD_REQUEST,
        "The body is not JSON",
        "Send one JSON object, in UTF-8, as the body.",
        Suggestion(
            "correct_request", "Make the body with a JSON library, and send the request again.", CONTRACT
        ),
    ),
    "USE_TRIP_ENDPOINT": Problem(
        HTTPStatus.BAD_REQUEST,
        "A route with transit stops is a trip",
        "Send the route to POST /api/trips/verify, which judges every leg of a trip.",
        Suggestion(
            "use_trip_endpoint", "Send the whole route to POST /api/trips/verify.", "/api/trips/verify"
        ),
    ),
    "QUESTION_TOO_LARGE": Problem(
        HTTPStatus.BAD_REQUEST,
        "The itinerary is too large",
        "An itinerary may have at most 400 units times flights.",
        Suggestion("send_less", "Ask about fewer units or fewer flights at a time.", CONTRACT),
    ),
    "BATCH_EXCEEDS_LIMIT": Problem(
        HTTPStatus.BAD_REQUEST,
        "The request counts as more requests than the limit allows",
        "No window of your limit has room for it, so waiting does not help. Ask for less at a time.",
        Suggestion("send_less", "Ask for less at a time, or ask us for a higher limit."),
    ),
    "RULESET_VERSION_NOT_CURRENT": Problem(
        HTTPStatus.BAD_REQUEST,
        "The pinned ruleset version is not current",
        "Only the current ruleset gives answers. Send its version, or leave `ruleset_version` out.",
        Suggestion(
            "use_current_ruleset",
            "Ask without `ruleset_version`. Ask again for every answer that you stored from an earlier "
            "ruleset.",
        ),
    ),
    "BAD_REQUEST": Problem(
        HTTPStatus.BAD_REQUEST,
        "The request cannot be served",
        "Check the address, the Host and the headers.",
        Suggestion("correct_request", "Compare the request with the contract.", CONTRACT),
    ),
    "INVALID_KEY": Problem(
        HTTPStatus.UNAUTHORIZED,
        "The partner key is not valid",
        "Check the key, or send no key to ask anonymously.",
        Suggestion("check_key", "Send the key exactly as it was issued, or ask for a new one."),
    ),
    "ORIGIN_NOT_ALLOWED": Problem(
        HTTPStatus.FORBIDDEN,
        "The origin is not allowed for this key",
        "Call from an origin that the key allows, or ask us to add this origin.",
        Suggestion("allow_origin", "Ask us to add this origin to the key, or call from your own server."),
    ),
    "WATCH_QUOTA_REACHED": Problem(
        HTTPStatus.FORBIDDEN,
        "The partner has as many watches as it may have",
        "End watches that are no longer needed. All others end by themselves the day after travel.",
        Suggestion("end_watches", "End watches that are no longer needed, or ask us for a larger quota."),
    ),
    "FORBIDDEN": Problem(
        HTTPStatus.FORBIDDEN,
        "This is not permitted",
        "The sender may not do this here, or a form did not come from our own page.",
        Suggestion(
            "check_permission",
            "Check that the sender may do this. Send a form from our own page, opened again.",
        ),
    ),
    "NOT_FOUND": Problem(
        HTTPStatus.NOT_FOUND,
        "There is nothing at this address",
        "Check the address; it has no final slash.",
        Suggestion("check_address", "Look for the address in the contract.", CONTRACT),
    ),
    "MODEL_NOT_FOUND": Problem(
        HTTPStatus.NOT_FOUND,
        "The model is not in the catalog",
        "Find the exact model with GET /api/devices. A similar model proves nothing about this one.",
        Suggestion(
            "search_models",
            "Search for the exact model. A model that is not listed is not cleared: ask the airline.",
            "/api/devices",
        ),
    ),
    "AIRLINE_NOT_COVERED": Problem(
        HTTPStatus.NOT_FOUND,
        "The airline is not covered",
        "No rules of this airline are in force on the travel date. Ask the airline.",
        Suggestion(
            "ask_airline",
            "Ask the airline itself whether it accepts the power bank. The list shows which airlines are "
            "covered.",
            "/api/airlines",
        ),
    ),
    "AIRLINE_NAME_UNKNOWN": Problem(
        HTTPStatus.NOT_FOUND,
        "The name does not mean one airline",
        "No airline here has this name. That says nothing about its rules. Send the code on the ticket.",
        Suggestion(
            "find_airline",
            "Find the airline with GET /api/airlines and let the traveler choose. Never take a similar name "
            "without asking.",
            "/api/airlines",
        ),
    ),
    "METHOD_NOT_ALLOWED": Problem(
        HTTPStatus.METHOD_NOT_ALLOWED,
        "This address does not allow the method",
        "Use a method that the Allow header names.",
        Suggestion(
            "use_allowed_method", "Send the request with a method that the Allow header names.", CONTRACT
        ),
    ),
    "NOT_ACCEPTABLE": Problem(
        HTTPStatus.NOT_ACCEPTABLE,
        "The answer can only be JSON",
        "Accept application/json, or send no Accept header.",
        Suggestion("accept_json", "Send `accept: application/json`."),
    ),
    "REQUEST_IN_PROGRESS": Problem(
        HTTPStatus.CONFLICT,
        "A request with this key is being answered",
        "Wait as many seconds as Retry-After says, then send the same request again.",
        Suggestion("wait_and_retry", "Wait as many seconds as Retry-After says, then send it again."),
    ),
    "CONFLICT": Problem(
        HTTPStatus.CONFLICT,
        "The present state does not permit this",
        "The request was not carried out: what it is about has changed, or is in a state that does not "
        "permit it.",
        Suggestion("read_again", "Read the present state again, then decide whether to send a new request."),
    ),
    "BODY_TOO_LARGE": Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body is too large",
        "A request body may have at most 64 KiB, and the body of a batch at most 2 MiB.",
        Suggestion("send_less", "Send a smaller body, or several requests.", CONTRACT),
    ),
    "URI_TOO_LONG": Problem(
        HTTPStatus.REQUEST_URI_TOO_LONG,
        "The address is too long",
        "Send shorter parameters.",
        Suggestion("send_less", "Send shorter parameters.", CONTRACT),
    ),
    "UNSUPPORTED_MEDIA_TYPE": Problem(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must be JSON",
        "Send JSON in UTF-8, not compressed, with the header `content-type: application/json`.",
        Suggestion("send_json", "Send plain JSON with `content-type: application/json`."),
    ),
    "IDEMPOTENCY_KEY_REUSED": Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The key was used with another request",
        "Send a new Idempotency-Key with each new request, and the same one only with the same request.",
        Suggestion("send_new_key", "Send this request with a new Idempotency-Key."),
    ),
    "RATE_LIMITED": Problem(
        HTTPStatus.TOO_MANY_REQUESTS,
        "Too many requests",
        "Wait as many seconds as Retry-After says, then continue.",
        Suggestion("wait_and_retry", "Wait as many seconds as Retry-After says, then send it again."),
    ),
    "HEADERS_TOO_LARGE": Problem(
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        "The headers are too large",
        "Send fewer or shorter headers.",
        Suggestion("send_less", "Send fewer or shorter headers."),
    ),
    "INTERNAL_ERROR": Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "Something failed on our side",
        "Do not count this as allowed. Try again later. If it happens again, give the request_id to support.",
        Suggestion(
            "retry_later", "Try again in a minute. If it happens again, give the request_id to support."
        ),
    ),
    "SERVICE_UNAVAILABLE": Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "No verdict can be given at the moment",
        "Do not count this as allowed. Wait as many seconds as Retry-After says, then try again.",
        Suggestion("wait_and_retry", "Wait as many seconds as Retry-After says, then send it again."),
    ),
}
"""Every error code of the service."""

_SUGGESTED = [problem.suggested for problem in PROBLEMS.values()]

SUGGESTIONS: dict[SuggestionCode, tuple[str, ...]] = {
    code: tuple(
        dict.fromkeys(one.suggested.message for one in PROBLEMS.values() if one.suggested.code == code)
    )
    for code in get_args(SuggestionCode)
}
"""The sentences of the table for each thing that errors suggest."""

BY_STATUS = {
    400: "BAD_REQUEST",
    401: "INVALID_KEY",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    406: "NOT_ACCEPTABLE",
    409: "CONFLICT",
    413: "BODY_TOO_LARGE",
    414: "URI_TOO_LONG",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "RATE_LIMITED",
    503: "SERVICE_UNAVAILABLE",
}
"""The code of an error for which only the status is known. It says no more than the status does."""

WITH_STATUS = {401: {"WWW-Authenticate": "Bearer"}}
"""Headers that a status needs, whatever raised it (RFC 9110, section 11.6.1)."""


class FieldError(msgspec.Struct, frozen=True, omit_defaults=True):
    """One error: where it is (`trip.legs[1].origin`, `body`, `request`), what it is, and what to do.

    `correction` is present if only one value can be meant: `AE` for `ae`.
    """

    field: str
    code: FieldCode
    message: str
    correction: str | None = None


class ApiError(Exception):
    """An error for the caller: a code of the table, the reason, and the fields. It quotes no serial.

    `headers` are the additional headers of the answer. `suggested` is what to do, if it differs from the
    table. `corrected` is the corrected request, if nothing else in it is wrong.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        errors: Iterable[FieldError] = (),
        headers: Mapping[str, str] | None = None,
        suggested: Suggestion | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = headers or {}
        self.suggested = suggested
        self.corrected: dict[str, Any] | None = None


class ProblemBody(msgspec.Struct, omit_defaults=True):
    """The body of an error (RFC 9457). `errors` is present for status 400.

    `corrected_request` is present if each of `errors` has a `correction` and nothing else is wrong: your
    request with the corrections, ready to send. It repeats all that you sent, also a serial.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(PROBLEMS)})]
    request_id: str
    suggested_next_step: NextStep
    errors: tuple[FieldError, ...] = ()
    corrected_request: dict[str, Any] | None = None


def problem_response(
    request: HttpRequest,
    code: str,
    detail: str = "",
    errors: tuple[FieldError, ...] = (),
    headers: Mapping[str, str] | None = None,
    suggested: Suggestion | None = None,
    corrected: dict[str, Any] | None = None,
) -> HttpResponse:
    """Return the answer to a failed request. Without a `detail` or a suggestion, the table's own is used."""
    problem = PROBLEMS[code]
    if problem.status == HTTPStatus.BAD_REQUEST and not errors:
        errors = (FieldError("request", cast(FieldCode, code.lower()), detail or problem.detail),)
    body = ProblemBody(
        type=f"urn:problem-type:battery-travel:{code.lower().replace('_', '-')}",
        title=problem.title,
        status=problem.status,
        detail=detail or problem.detail,
        instance=escape_uri_path(request.path),
        code=code,
        request_id=request_id(request),
        suggested_next_step=_next_step(suggested or problem.suggested),
        errors=errors,
        corrected_request=corrected,
    )
    content = _encode(body)
    return HttpResponse(
        content,
        status=problem.status,
        content_type=CONTENT_TYPE,
        headers={
            "Cache-Control": "no-store",
            # When the outermost middleware answers, nothing else sets the length.
            "Content-Length": str(len(content)),
            **(WITH_STATUS.get(problem.status) or {}),
            **(headers or {}),
        },
    )


def problem_of(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the answer for an exception that a view raised."""
    match error:
        case ApiError():
            return problem_response(
                request,
                error.code,
                error.detail,
                error.errors,
                error.headers,
                error.suggested,
                error.corrected,
            )
        case ModelNotFound():
            return problem_response(request, error.code)
        case AirlineNotCovered():
            return problem_response(
                request,
                error.code,
                f"No rules of airline {error.name} are in force on the travel date, so no verdict can be "
                "given. Ask the airline.",
            )
        case RulesetVersionNotCurrent():
            why = f"The current version is {error.current}. Send it, or leave `ruleset_version` out."
            return problem_response(
                request,
                "RULESET_VERSION_NOT_CURRENT",
                why,
                (FieldError("ruleset_version", "not_current", why),),
            )
        case CorpusUnavailable() | NotRecorded() | OperationalError() | InterfaceError():
            logger.error(
                "Request %s: no verdict can be given (%s).", request_id(request), type(error).__name__
            )
            return problem_response(
                request, "SERVICE_UNAVAILABLE", headers={"Retry-After": str(RETRY_AFTER_SECONDS)}
            )
        case Http404():
            return problem_response(request, "NOT_FOUND")
        case SuspiciousOperation() | BadRequest():
            return problem_response(request, "BAD_REQUEST")
    _log_unforeseen(request, error)
    return problem_response(request, "INTERNAL_ERROR")


def problem_for_status(request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
    """Return the problem that replaces an error page of the framework."""
    kept = {name: response.headers[name] for name in ("Allow", "Retry-After") if name in response.headers}
    return problem_response(request, _code_of(response.status_code), headers=kept)


def _next_step(suggested: Suggestion) -> NextStep:
    """Return a suggestion in the form of answers, with an absolute address."""
    url = f"{settings.SITE_URL}{suggested.path}" if suggested.path else None
    return NextStep(suggested.code, suggested.message, url)


def _code_of(status: int) -> str:
    return BY_STATUS.get(status) or ("BAD_REQUEST" if status < 500 else "INTERNAL_ERROR")


def _log_unforeseen(request: HttpRequest, error: Exception) -> None:
    """Log where the error happened, but no exception's message: it can quote the request, and so a serial."""
    names, frames = describe_error(error)
    logger.error("Request %s failed: %s\n%s", request_id(request), names, frames, extra={"failure": error})
