"""POST /mcp: one message of an agent, one answer (streamable HTTP without sessions).

A message is checked like a request to the API: the key, the count, the origin, the size. Then the SDK answers
it, in this request and this thread. If a check refuses it, the answer is an error of the protocol that
contains the problem of the API.
"""

import json
from http import HTTPStatus
from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse

from compliance.api.protocol.bodies import read_object
from compliance.api.protocol.callers import Caller, is_own_page
from compliance.api.protocol.errors import ApiError, problem_of
from compliance.api.protocol.parameters import read_query
from compliance.channels.mcp.admission import admit
from compliance.channels.mcp.calls import Call
from compliance.operations.accounting import note_verdict

NOT_OURS = (
    "Only programs, our own pages and the pages of the partner whose key is sent may call this address."
)
ALLOWED = "POST, OPTIONS"
CALL = "tools/call"

REFUSED = -32000
"""The code of an error that the protocol leaves to servers (JSON-RPC 2.0, section 5.1)."""


def endpoint(request: HttpRequest) -> HttpResponse:
    """Answer one message."""
    if request.method == "OPTIONS":
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Allow": ALLOWED})
    headers: dict[str, str] = {}
    message: dict[str, Any] = {}
    try:
        call = admit(request)
        headers = call.headers
        if request.method != "POST":
            raise ApiError("METHOD_NOT_ALLOWED", headers={"Allow": ALLOWED})
        _check_origin(request, call.caller)
        read_query(request, ())
        message = read_object(request)
        # A tool reports its own refusal, in a result that a model reads.
        if call.refusal is not None and message.get("method") != CALL:
            raise call.refusal
        response = _answered(call, message)
    except Exception as error:
        response = _refusal(problem_of(request, error), message)
    for name, value in {**headers, "Cache-Control": "no-store"}.items():
        response.headers[name] = value
    return response


def _check_origin(request: HttpRequest, caller: Caller) -> None:
    """Accept programs, which send no origin, our own pages, and those of the partner whose key is sent.

    The API accepts any page, this does not: a page could be led to an address in a private network, and call
    a server there in the name of its reader. Raises `ApiError`.
    """
    origin = request.META.get("HTTP_ORIGIN")
    if origin is None or is_own_page(request, origin):
        return
    if caller.key is None or origin not in caller.key.allowed_origins:
        raise ApiError("ORIGIN_NOT_ALLOWED", NOT_OURS)


def _answered(call: Call, message: dict[str, Any]) -> HttpResponse:
    # Imported here, so that only processes that serve agents load the SDK.
    from compliance.channels.mcp.exchange import exchange

    status, headers, body = async_to_sync(exchange)(call, message)
    response = HttpResponse(body, status=status, headers=headers)
    if not body:
        response.headers.pop("Content-Type", None)
    if call.given is not None:
        note_verdict(response, call.given, "mcp")
    return response


def _refusal(problem: HttpResponse, message: dict[str, Any]) -> HttpResponse:
    """Return a problem of the API as an error of the protocol, with the same status and headers."""
    details = json.loads(problem.content)
    sent_id = message.get("id")
    body = {
        "jsonrpc": "2.0",
        "id": sent_id if isinstance(sent_id, str | int) else None,
        "error": {"code": REFUSED, "message": details["detail"], "data": details},
    }
    kept = {
        name: value
        for name, value in problem.headers.items()
        if name in {"Allow", "Retry-After", "WWW-Authenticate"}
    }
    return HttpResponse(
        json.dumps(body), status=problem.status_code, content_type="application/json", headers=kept
    )
