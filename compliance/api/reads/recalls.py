"""GET /api/recalls and GET /api/devices/{model_id}/recalls: the active recalls of exact models, in full."""

import datetime
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from django.conf import settings

from compliance.api.protocol import parameters
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.reads.devices import (
    MODEL_ID,
    SERIAL,
    SERIAL_HASH,
    DeviceBody,
    device_body,
    identifier_of,
    unit_of,
)
from compliance.api.reads.evidence import JURISDICTION, check_jurisdiction
from compliance.api.verdicts.shapes import (
    VERDICT_IMPACT,
    AffectedSerialsBody,
    SerialEvaluationBody,
    VerdictImpactBody,
    affected_serials_body,
    serial_evaluation_body,
    unsettled,
)
from recalls.records import AnnouncedPrecision, UnitsScope
from recalls.serials import AffectedSerials, SerialEvaluation, Window
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Recall, Unit
from rules.selectors import evidence, recalls

PUBLIC_NAME = "Recall Intelligence"

STATUS = parameters.choice(
    "status",
    "Only recalls with this status. A release contains only active recalls: a recall that is closed or "
    "withdrawn is not in the next release.",
    ("active",),
)

RECALLS_QUERY = (MODEL_ID, STATUS, JURISDICTION, SERIAL, SERIAL_HASH, LIMIT, CURSOR)

ANY_MODEL = ""
"""In place of the model of a unit whose model was not sent."""

ABOUT_SERIALS = (
    "If you send `serial` or `serial_hash`, each recall has a `serial_evaluation`. The recall's own pattern "
    "decides between `affected` and `not_affected`. `unknown` with `external_list_required` means that only "
    "the maker's list can decide, at `affected_serials.explicit_list_url`; if that is null, the list has no "
    "address of its own, and `notice_url` says whom to ask. `unknown` with `none` means that nothing "
    "published can. `unknown` never clears a unit."
)


class AffectedUnitsBody(AffectedSerialsBody, kw_only=True, omit_defaults=True):
    """Which units a recall is about, with everything that its notice says about them.

    Windows are days or months (`2023-08`), both ends included. With `exhaustive`, an identifier that does not
    match the pattern is outside the recall. With `absent_identifier_affected`, a unit without an identifier
    is affected. Fields that do not apply are absent.
    """

    exhaustive: bool = False
    absent_identifier_affected: bool = False
    color_condition: str | None = None
    manufacture_windows: tuple[Window, ...] = ()
    sale_windows: tuple[Window, ...] = ()


class RecallRecordBody(msgspec.Struct, omit_defaults=True):
    """All facts of a recall of exactly one model.

    `announced_precision` says how exact `announced_on` is. `units` is the number of units in the notice, and
    `units_scope` says what that number covers. Never add up `units`: most notices count several models
    together. `serial_evaluation` is present if a serial was sent.
    """

    recall_id: str
    model_id: str
    affected_serials: AffectedUnitsBody
    verdict_impact: VerdictImpactBody
    authority: str
    jurisdiction: str
    announced_on: datetime.date
    announced_precision: AnnouncedPrecision
    title: str
    hazard: str
    remedy: str
    units: int | None
    units_scope: UnitsScope | None
    notice_url: str
    citations: tuple[Citation, ...]
    serial_evaluation: SerialEvaluationBody | None = None


class RecallsBody(msgspec.Struct):
    """The answer of GET /api/recalls. `total` counts all pages; `next_cursor` is null on the last one."""

    public_name: str
    recalls: list[RecallRecordBody]
    total: int
    next_cursor: str | None
    ruleset_version: str


class RecallPolicyBody(msgspec.Struct):
    """How far a recall reaches. It is the same for every recall: never another model of the brand."""

    applies_to: Literal["exact_model_only"]
    brand_level_inference: Annotated[bool, msgspec.Meta(extra_json_schema={"const": False})]
    statement: str


class DeviceRecallsBody(msgspec.Struct):
    """The answer of GET /api/devices/{model_id}/recalls."""

    device: DeviceBody
    recall_policy: RecallPolicyBody
    recalls: list[RecallRecordBody]
    total: int
    ruleset_version: str


RECALL_POLICY = RecallPolicyBody(
    applies_to="exact_model_only",
    brand_level_inference=False,
    statement="A recall counts for its exact model alone; no other model of the brand inherits it.",
)


class RecallsView(ReadView):
    """The active recalls of all models."""

    operation = Operation(
        operation_id="listRecalls",
        tag="Recalls",
        summary="List active recalls",
        description=(
            "The active recalls of the published release, the newest announcement first. Each is about "
            "exactly one model; a notice about several models is listed once for each of them. `total` "
            "counts all matches. To read the rest, follow `next_cursor` until it is null. Never add up "
            "`units`.\n\n"
            "For an unknown `model_id` the answer is 404 `MODEL_NOT_FOUND`. So an empty list means that the "
            "model is in the catalog and has no active recall in the release.\n\n"
            f"{ABOUT_SERIALS}\n\n"
            "Without `model_id`, the serial is evaluated for each recall as if the unit were of the recalled "
            "model, and each `serial_evaluation` says so by `model_assumed`. Serials of different models can "
            "look alike, so such a result holds only for a unit of exactly that model: let a person compare "
            "the model first."
        ),
        answer=RecallsBody,
        query=RECALLS_QUERY,
        errors=("MODEL_NOT_FOUND",),
    )

    def answer(self, reading: Reading, **path: str) -> RecallsBody:
        """Return one page. Raises `ModelNotFound`, and `ApiError` if filters contradict each other."""
        return recalls_body(reading)


class DeviceRecallsView(ReadView):
    """The active recalls of one model."""

    operation = Operation(
        operation_id="listDeviceRecalls",
        tag="Recalls",
        summary="List the recalls of one model",
        description=(
            "All active recalls of exactly this model on one page, the newest announcement first. Notices "
            "of several countries are listed separately, and the strictest one counts for a verdict. An "
            "empty list means that the release has no active recall of this model. Recalls of other models "
            "of the brand never count, as `recall_policy` says.\n\n"
            f"{ABOUT_SERIALS}"
        ),
        answer=DeviceRecallsBody,
        path=(MODEL_ID,),
        query=(SERIAL, SERIAL_HASH),
        errors=("MODEL_NOT_FOUND",),
    )

    def answer(self, reading: Reading, **path: str) -> DeviceRecallsBody:
        """Return the model with its recalls. Raises `ModelNotFound`."""
        published, model_id = reading.published, path["model_id"]
        unit = unit_of(reading.query, model_id)
        device = device_body(published, published.corpus.device(model_id))
        found = recalls.find(published, model_id=model_id)
        return DeviceRecallsBody(
            device=device,
            recall_policy=RECALL_POLICY,
            recalls=_record_bodies(published, found, unit),
            total=len(found),
            ruleset_version=published.ruleset_version,
        )


def recalls_body(reading: Reading) -> RecallsBody:
    """Return one page of recalls for a query. Raises `ModelNotFound`, and `ApiError` as the view does."""
    query, published = reading.query, reading.published
    model_id, jurisdiction = query[MODEL_ID], query[JURISDICTION]
    unit = unit_of(query, model_id or ANY_MODEL)
    check_jurisdiction(published, jurisdiction)
    if model_id is not None:
        published.corpus.device(model_id)
    shown = page(recalls.find(published, model_id=model_id, jurisdiction=jurisdiction), reading)
    return RecallsBody(
        public_name=PUBLIC_NAME,
        recalls=_record_bodies(published, shown.items, unit),
        total=shown.total,
        next_cursor=shown.next_cursor,
        ruleset_version=published.ruleset_version,
    )


def _record_bodies(published: Published, shown: Sequence[Recall], unit: Unit) -> list[RecallRecordBody]:
    evaluations = {} if identifier_of(unit) is None else recalls.of_recalls(shown, unit)
    return [
        RecallRecordBody(
            recall_id=recall.recall_id,
            model_id=recall.model_id,
            affected_serials=_affected_units_body(recall.affected_serials),
            verdict_impact=VERDICT_IMPACT,
            authority=recall.authority,
            jurisdiction=recall.jurisdiction,
            announced_on=recall.announced_on,
            announced_precision=recall.announced_precision,
            title=recall.title,
            hazard=recall.hazard,
            remedy=recall.remedy,
            units=recall.units,
            units_scope=recall.units_scope,
            notice_url=recall.notice_url,
            citations=evidence.citations(published, recall.sources),
            serial_evaluation=_evaluation_body(recall, evaluations.get(recall.recall_id), unit),
        )
        for recall in shown
    ]


def _evaluation_body(
    recall: Recall, evaluation: SerialEvaluation | None, unit: Unit
) -> SerialEvaluationBody | None:
    if evaluation is None:
        return None
    return serial_evaluation_body(
        evaluation,
        identifier_of(unit) or "",
        unsettled([(recall, evaluation)]),
        settings.LANGUAGE_CODE,
        model_assumed=unit.model_id == ANY_MODEL,
    )


def _affected_units_body(affected: AffectedSerials) -> AffectedUnitsBody:
    return AffectedUnitsBody(
        **msgspec.structs.asdict(affected_serials_body(affected)),
        exhaustive=affected.exhaustive,
        absent_identifier_affected=affected.absent_identifier_affected,
        color_condition=affected.colour_condition,
        manufacture_windows=affected.manufacture_windows,
        sale_windows=affected.sale_windows,
    )
