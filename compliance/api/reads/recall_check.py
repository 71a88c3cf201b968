"""POST /api/recalls/check: is this unit recalled? The serial is in the body, so no address contains it."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import UNSET, Meta, UnsetType

from compliance.api.protocol import arguments
from compliance.api.protocol.bodies import json_response, read_object
from compliance.api.protocol.callers import caller_of
from compliance.api.protocol.errors import ApiError, FieldError
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.parameters import Query
from compliance.api.protocol.views import RULESET_VERSION, Reading, ServiceView
from compliance.api.reads.devices import MODEL_ID, identifier_of, together_body, unit_of
from compliance.api.reads.recalls import ABOUT_SERIALS, ANY_MODEL, RECALLS_QUERY, RecallsBody, recalls_body
from compliance.api.verdicts.requests import ModelId, RequestPart, RulesetVersion, Serial, SerialHash, Unit
from compliance.api.verdicts.shapes import SerialEvaluationBody
from recalls.serials import RecallCheckMethod, RecallStatus
from rules.corpus import Published, check_version
from rules.engine.document import JURISDICTION_CODE
from rules.selectors import recalls

SERIAL_WANTED = "This field is required. Send the `serial` of the unit, or its `serial_hash`."


class RecallCheckRequest(RequestPart, kw_only=True):
    """The body of POST /api/recalls/check: a serial or its hash, and the parameters of GET /api/recalls."""

    also: ClassVar[dict[str, Any]] = {
        "allOf": [
            Unit.also,
            {"not": {"properties": {"serial": {"type": "null"}, "serial_hash": {"type": "null"}}}},
        ]
    }

    model_id: ModelId | UnsetType = UNSET
    serial: Serial | UnsetType = UNSET
    serial_hash: SerialHash | UnsetType = UNSET
    status: Annotated[Literal["active"], Meta(description="Only recalls with this status.")] | UnsetType = (
        UNSET
    )
    jurisdiction: (
        Annotated[
            str,
            Meta(
                pattern=f"^({JURISDICTION_CODE.pattern})$",
                description="Only recalls of this place: an ISO 3166-1 country code, a region such as "
                "`EU`, or `INTL`.",
                examples=["JP"],
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[
            int, Meta(ge=1, le=200, description="The maximum number of records on one page. Absent: 50.")
        ]
        | UnsetType
    ) = UNSET
    cursor: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=64,
                pattern="^[A-Za-z0-9_-]+$",
                description="Where to continue: `next_cursor` of the page before.",
            ),
        ]
        | UnsetType
    ) = UNSET
    ruleset_version: RulesetVersion | UnsetType = UNSET


class CheckedRecallsBody(RecallsBody, kw_only=True, omit_defaults=True):
    """The answer of POST /api/recalls/check: that of GET /api/recalls, and what all recalls say together.

    The latter is present if `model_id` was sent; `serial_evaluation` only if the model has an active recall.
    """

    recall_status: RecallStatus | None = None
    recall_check_method: RecallCheckMethod | None = None
    serial_evaluation: SerialEvaluationBody | None = None


class RecallCheckView(ServiceView):
    """The active recalls, with what they say about one unit."""

    operation = Operation(
        operation_id="checkRecalls",
        tag="Recalls",
        summary="Is this unit recalled?",
        description=(
            "GET /api/recalls with the serial in the body: addresses are logged on the way, bodies are not. "
            "The answer is never stored.\n\n"
            "With `model_id`, it also has the result of all recalls of the model together, as a verdict has "
            "it: `recall_status`, `recall_check_method`, and `serial_evaluation` as in GET "
            "/api/devices/{model_id}. Only `not_affected` is in the unit's favor, and even that is no "
            "permission to travel.\n\n"
            f"{ABOUT_SERIALS}\n\n"
            "Without `model_id`, each recall is evaluated as if the unit were of the recalled model, and "
            "says so by `model_assumed`."
        ),
        body=RecallCheckRequest,
        answer=CheckedRecallsBody,
        errors=(
            "MALFORMED_JSON",
            "RULESET_VERSION_NOT_CURRENT",
            "MODEL_NOT_FOUND",
            "BODY_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
        ),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200, whatever the result is."""
        now = timezone.now()
        published = self.place.release(now)
        query = arguments.read(read_object(request), (), (*RECALLS_QUERY, RULESET_VERSION))
        check_version(published, query[RULESET_VERSION])
        if identifier_of(unit_of(query, ANY_MODEL)) is None:
            error = FieldError("serial", "required", SERIAL_WANTED)
            raise ApiError("VALIDATION_ERROR", SERIAL_WANTED, [error])
        listed = recalls_body(Reading(published, now, query, caller_of(request)))
        return json_response(_with_result(listed, published, query))


def _with_result(listed: RecallsBody, published: Published, query: Query) -> CheckedRecallsBody:
    body = CheckedRecallsBody(**msgspec.structs.asdict(listed))
    if (model_id := query[MODEL_ID]) is not None:
        unit = unit_of(query, model_id)
        impact = recalls.impact(published, unit)
        body.recall_status, body.recall_check_method = impact.status, impact.method
        body.serial_evaluation = together_body(published.corpus.device(model_id), unit)
    return body
