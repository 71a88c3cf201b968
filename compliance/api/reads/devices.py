"""GET /api/devices and GET /api/devices/{model_id}: the exact models of the catalog, and their facts."""

import datetime

import msgspec
from django.conf import settings

from aeo.datasets.rows import DeviceFields, device_row
from compliance.api.protocol import parameters
from compliance.api.protocol.errors import ApiError, FieldError
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.parameters import Query
from compliance.api.protocol.views import Reading, ReadView
from compliance.api.verdicts.bounds import SERIAL_HASH as SERIAL_HASH_PATTERN
from compliance.api.verdicts.shapes import (
    CertificateBody,
    SerialEvaluationBody,
    serial_evaluation_body,
    unsettled,
)
from recalls.records import AnnouncedPrecision
from rules.corpus import Published
from rules.engine.corpus import CatalogEntry, Citation
from rules.engine.document import MODEL_ID as MODEL_ID_PATTERN
from rules.engine.facts import Recall, Unit
from rules.selectors import devices, evidence, recalls

MODEL_ID = parameters.coded(
    "model_id",
    "The catalog's id of one exact model. Facts of a similar model do not apply to this one.",
    MODEL_ID_PATTERN,
    "Send a model id as GET /api/devices lists it: 2 to 80 lower-case letters, digits and hyphens.",
    example="anker-a1263",
)

SERIAL = parameters.text(
    "serial",
    "The identifier that a recall asks for, as printed on the unit: `affected_serials.identifier` names it; "
    "mostly it is the serial number. The service compares it in memory and never stores or logs it, and the "
    "answer is `Cache-Control: no-store`. But systems between you and the service may log an address: to "
    "avoid that, send the serial in the body of POST /api/recalls/check.",
    most=64,
    example="35S24B8A013027",
    private=True,
)

SERIAL_HASH = parameters.coded(
    "serial_hash",
    "Instead of `serial`: the SHA-256 of the serial (trimmed, upper case) as 64 lower-case hex digits. A "
    "recall with a pattern cannot be checked against a hash and stays `unknown`. The answer is "
    "`Cache-Control: no-store`.",
    SERIAL_HASH_PATTERN,
    "Send the SHA-256 of the serial as 64 lower-case hex digits, or leave it out.",
    example="4b1f0d3c" * 8,
    private=True,
)

Q = parameters.text(
    "q",
    "Words of a model: brand, name, model number, alias, model id, mAh or Wh, in any order. Typing errors "
    "are accepted in words, but not in numbers. The best match comes first. Only the first 16 words count.",
    most=200,
    example="anker powercore 10k",
)
BRAND = parameters.text(
    "brand",
    "Only models of this brand: its whole name (`Goal Zero`) or the name as used in addresses "
    "(`goal-zero`). Letter case and punctuation make no difference.",
    most=60,
    example="Anker",
)
RECENT = parameters.flag(
    "recent",
    "Only models released last year (UTC) or later, the newest year first. Models whose year is not known "
    "are left out. With `q`, the best match still comes first.",
)


class DeviceBody(DeviceFields[CertificateBody], frozen=True, kw_only=True):
    """An exact catalog model. Null means not known.

    An empty `certifications` means not known, never not certified. `certificates` are the known certificates
    behind its marks, with their days. `watt_hour_basis` says whether the figure is `rated` (read on the unit
    or stated by a source) or `computed` from mAh and volts. `facts_confirmed` says whether a source of these
    facts was read. `recall_count` counts the active recalls of exactly this model.
    """


class DevicesBody(msgspec.Struct):
    """The answer of GET /api/devices. `total` counts all pages; `next_cursor` is null on the last one."""

    devices: list[DeviceBody]
    total: int
    next_cursor: str | None
    ruleset_version: str


class RecallSummaryBody(msgspec.Struct):
    """The announcement of an active recall. GET /api/devices/{model_id}/recalls has all its facts."""

    recall_id: str
    authority: str
    jurisdiction: str
    announced_on: datetime.date
    announced_precision: AnnouncedPrecision
    title: str
    notice_url: str


class DeviceFactsBody(DeviceBody, frozen=True, kw_only=True, omit_defaults=True):
    """The answer of GET /api/devices/{model_id}.

    `serial_evaluation` is present if a serial was sent and the model has an active recall.
    """

    citations: tuple[Citation, ...]
    recalls: list[RecallSummaryBody]
    serial_evaluation: SerialEvaluationBody | None = None
    ruleset_version: str


class DevicesView(ReadView):
    """The models of the catalog, found by words or listed."""

    operation = Operation(
        operation_id="listDevices",
        tag="Devices",
        summary="Search the covered models",
        description=(
            "Finds the exact `model_id` that other operations need. With `q`, the best match comes first; "
            "without it, models are in the order of their ids. `total` counts all matches. To read the "
            "rest, follow `next_cursor` until it is null.\n\n"
            "If there are several matches, let a person choose: models with similar names differ in "
            "watt-hours and recalls. An empty list means that the model is not in the catalog, not that it "
            "may travel. An empty `certifications` means that none is known, not that the model has none."
        ),
        answer=DevicesBody,
        query=(Q, BRAND, RECENT, LIMIT, CURSOR),
    )

    def answer(self, reading: Reading, **path: str) -> DevicesBody:
        """Return one page of the result."""
        query, published = reading.query, reading.published
        found = devices.find(
            published,
            text=query[Q],
            brand=query[BRAND],
            since_year=devices.recent_since(reading.today) if query[RECENT] else None,
        )
        shown = page(found, reading)
        return DevicesBody(
            devices=[
                device_body(published, published.corpus.device(device.model_id)) for device in shown.items
            ],
            total=shown.total,
            next_cursor=shown.next_cursor,
            ruleset_version=published.ruleset_version,
        )


class DeviceView(ReadView):
    """One model."""

    operation = Operation(
        operation_id="getDevice",
        tag="Devices",
        summary="Read the facts of one model",
        description=(
            "The facts of one exact model with their sources, and the announcements of its active recalls, "
            "the newest first. If no source was read, `facts_confirmed` is false and `citations` is "
            "empty.\n\n"
            "If you send `serial` or `serial_hash` and the model has an active recall, `serial_evaluation` "
            "gives the strictest result of all its recalls for this unit: `affected` if any recall affects "
            "it; else `unknown` with `external_list_required` if any recall needs the maker's list; else "
            "`unknown` if any recall cannot decide; else `not_affected`. POST /api/verify uses the same "
            "order. If the model has no active recall, the field is absent. `unknown` never clears a unit. "
            "`not_affected` alone is no permission to travel: its `verdict_if_used_for_flight` is "
            "`conditional`, because the rules of the route still decide."
        ),
        answer=DeviceFactsBody,
        path=(MODEL_ID,),
        query=(SERIAL, SERIAL_HASH),
        errors=("MODEL_NOT_FOUND",),
    )

    def answer(self, reading: Reading, **path: str) -> DeviceFactsBody:
        """Return the facts. Raises `ModelNotFound`."""
        published = reading.published
        unit = unit_of(reading.query, path["model_id"])
        entry = published.corpus.device(unit.model_id)
        return DeviceFactsBody(
            **msgspec.structs.asdict(device_body(published, entry)),
            citations=evidence.citations(published, entry.device.sources),
            recalls=[_summary_body(recall) for recall in recalls.newest_first(entry.recalls)],
            serial_evaluation=together_body(entry, unit),
            ruleset_version=published.ruleset_version,
        )


def device_body(release: Published, entry: CatalogEntry) -> DeviceBody:
    """Return a model as lists show it."""
    return device_row(release, entry, DeviceBody, CertificateBody)


def unit_of(query: Query, model_id: str) -> Unit:
    """Return the unit that a query names. Raises `ApiError` if it names it twice."""
    serial, serial_hash = query[SERIAL], query[SERIAL_HASH]
    if serial is not None and serial_hash is not None:
        why = "Send either `serial` or `serial_hash`, never both."
        raise ApiError("VALIDATION_ERROR", why, [FieldError("serial_hash", "conflict", why)])
    return Unit(model_id=model_id, serial=serial, serial_hash=serial_hash)


def identifier_of(unit: Unit) -> str | None:
    """Return the serial of a unit, or its hash, as it was sent."""
    return unit.serial if unit.serial is not None else unit.serial_hash


def together_body(entry: CatalogEntry, unit: Unit) -> SerialEvaluationBody | None:
    """Return the strictest result of all recalls of a model for a unit, if it is named and there are any."""
    sent = identifier_of(unit)
    if sent is None:
        return None
    found = recalls.of_unit(entry, unit)
    if found.together is None:
        return None
    each = [(recall, found.each[recall.recall_id]) for recall in recalls.newest_first(entry.recalls)]
    return serial_evaluation_body(found.together, sent, unsettled(each), settings.LANGUAGE_CODE)


def _summary_body(recall: Recall) -> RecallSummaryBody:
    return RecallSummaryBody(
        recall_id=recall.recall_id,
        authority=recall.authority,
        jurisdiction=recall.jurisdiction,
        announced_on=recall.announced_on,
        announced_precision=recall.announced_precision,
        title=recall.title,
        notice_url=recall.notice_url,
    )
