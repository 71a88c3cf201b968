"""POST /api/verify: may this unit travel on this flight?"""

import datetime
from decimal import Decimal

import msgspec
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from compliance.api import questions
from compliance.api.bodies import json_response, read_object
from compliance.api.shapes import RecallBody, recall_body
from recalls.serials import RecallCheckMethod, RecallStatus
from rules import corpus, verdicts, wording
from rules.engine.corpus import Citation
from rules.engine.evaluate import LegVerdict
from rules.engine.vocabulary import Severity, Verdict
from rules.verdicts import Answer


class DeviceResolvedBody(msgspec.Struct):
    """The exact model, and what its recalls say of the unit. `watt_hour` is null where nobody knows it."""

    model_id: str
    brand: str
    model_name: str
    watt_hour: Decimal | None
    recall_status: RecallStatus
    recall_check_method: RecallCheckMethod
    certifications: tuple[str, ...]
    recalls: list[RecallBody]


class ConstraintBody(msgspec.Struct):
    """Something to meet."""

    code: str
    message: str


class WarningBody(msgspec.Struct):
    """Something to know."""

    code: str
    severity: Severity
    message: str


class VerifyBody(msgspec.Struct):
    """The answer of POST /api/verify."""

    verdict: Verdict
    verdict_id: str
    ruleset_version: str
    generated_at: datetime.datetime
    expires_at: datetime.datetime
    summary: str
    device_resolved: DeviceResolvedBody
    constraints: list[ConstraintBody]
    warnings: list[WarningBody]
    citations: tuple[Citation, ...]
    verdict_path: tuple[str, ...]


class VerifyView(APIView):
    """One verdict for one flight."""

    http_method_names = ["post"]

    def post(self, request: Request) -> HttpResponse:
        """Answer with 200 whatever the verdict is."""
        now = timezone.now()
        countries = corpus.current().corpus.countries
        asked = questions.verify_request(read_object(request._request), today=now.date(), countries=countries)
        answer = verdicts.verify(asked.question, now=now, ruleset_version=asked.ruleset_version)
        return json_response(verify_body(answer, asked.language))


def verify_body(answer: Answer, language: str) -> VerifyBody:
    """Return an answer in the shape of the specification, worded in a language."""
    outcome = answer.outcome
    return VerifyBody(
        verdict=outcome.verdict,
        verdict_id=answer.verdict_id,
        ruleset_version=answer.release.ruleset_version,
        generated_at=answer.generated_at,
        expires_at=answer.expires_at,
        summary=wording.summary(answer, language),
        device_resolved=_device_body(outcome, answer.question.unit.serial),
        constraints=[
            ConstraintBody(statement.code, message)
            for statement, message in zip(
                outcome.constraints, wording.constraint_messages(outcome, language), strict=True
            )
        ],
        warnings=[
            WarningBody(statement.code, statement.severity or "advisory", message)
            for statement, message in zip(
                outcome.warnings, wording.warning_messages(outcome, language), strict=True
            )
        ],
        citations=outcome.citations,
        verdict_path=outcome.path,
    )


def _device_body(outcome: LegVerdict, serial: str | None) -> DeviceResolvedBody:
    device = outcome.device
    return DeviceResolvedBody(
        model_id=device.model_id,
        brand=device.brand,
        model_name=device.model_name,
        watt_hour=device.watt_hour,
        recall_status=outcome.recall_status,
        recall_check_method=outcome.recall_check_method,
        certifications=device.certifications,
        recalls=[recall_body(finding, serial) for finding in outcome.recalls],
    )
