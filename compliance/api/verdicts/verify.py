"""POST /api/verify: may this unit travel on this flight?"""

import datetime
from decimal import Decimal
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from msgspec import Meta

from aeo.datasets.rows import certificate_rows
from compliance.api.protocol.bodies import read_object
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.views import ServiceView
from compliance.api.verdicts import questions
from compliance.api.verdicts.bounds import Citations
from compliance.api.verdicts.evidence import citations_of
from compliance.api.verdicts.requests import VerifyRequest
from compliance.api.verdicts.shapes import (
    CertificateBody,
    ConstraintBody,
    RecallBody,
    WarningBody,
    demands_of,
    recall_body,
)
from compliance.api.verdicts.stamps import ExpiresAt, RulesetVersion, VerdictId
from recalls.serials import RecallCheckMethod, RecallStatus
from rules import wording
from rules.corpus import Published, check_version
from rules.engine.corpus import Citation
from rules.engine.facts import Device
from rules.engine.outcomes import RecallImpact
from rules.engine.vocabulary import Verdict
from rules.verdicts import Answer
from rules.wording import NextStep


class DeviceResolvedBody(msgspec.Struct):
    """The exact model, and what its recalls say about the unit. `watt_hour` is null if it is not known."""

    model_id: str
    brand: str
    model_name: str
    watt_hour: Decimal | None
    recall_status: RecallStatus
    recall_check_method: RecallCheckMethod
    certifications: tuple[str, ...]
    certificates: tuple[CertificateBody, ...]
    recalls: list[RecallBody]


class VerifyBody(msgspec.Struct, omit_defaults=True):
    """The answer of POST /api/verify. `conditional` and `insufficient` have a `suggested_next_step`."""

    verdict: Verdict
    verdict_id: VerdictId
    ruleset_version: RulesetVersion
    generated_at: datetime.datetime
    expires_at: ExpiresAt
    summary: Annotated[str, Meta(description="The answer in a sentence or two, for a traveler.")]
    device_resolved: DeviceResolvedBody
    constraints: Annotated[
        list[ConstraintBody],
        Meta(
            description="The requirements: first those that ban, then those that must be settled, then the "
            "rest."
        ),
    ]
    warnings: list[WarningBody]
    citations: Annotated[
        tuple[Citation, ...],
        Meta(
            description="The sources of all facts and rules that were applied, in the order of "
            "`verdict_path`; fewer if `options.citations` asks for fewer."
        ),
    ]
    verdict_path: Annotated[
        tuple[str, ...],
        Meta(
            description=(
                "The steps of the decision in order: `device.resolved`, `recall.<status>`, "
                "`certificate.<status>` (only if a certificate in doubt counts), the id of each rule that "
                "was applied (GET /api/rules/{rule_id}), `verdict.<value>`."
            )
        ),
    ]
    suggested_next_step: (
        Annotated[
            NextStep,
            Meta(
                description="What to do first about the open points. Do it, then ask again: the step alone "
                "clears nothing."
            ),
        ]
        | None
    ) = None


class VerifyView(ServiceView):
    """One verdict for one flight."""

    operation = Operation(
        operation_id="verify",
        tag="Verdicts",
        summary="May this power bank travel on this flight?",
        description=(
            "Judges one flight of one exact model. Status 200 means that there is a verdict, not that it is "
            "`allowed`: `banned` and `insufficient` also come with 200.\n\n"
            "Treat only `allowed` before `expires_at` as allowed, and meet its `constraints`. With "
            "`conditional`, the power bank may travel only after every constraint is settled. Every other "
            "answer, and every error or time-out, means *not allowed*.\n\n"
            "A route with stops is a trip: POST /api/trips/verify judges each of its flights."
        ),
        body=VerifyRequest,
        answer=VerifyBody,
        signed=True,
        errors=(
            "MALFORMED_JSON",
            "USE_TRIP_ENDPOINT",
            "RULESET_VERSION_NOT_CURRENT",
            "MODEL_NOT_FOUND",
            "AIRLINE_NOT_COVERED",
            "BODY_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
        ),
    )
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer with 200, whatever the verdict is."""
        now = timezone.now()
        release = self.place.release(now)
        asked = questions.verify_request(
            read_object(request), today=now.date(), countries=release.corpus.countries
        )
        check_version(release, asked.ruleset_version)
        answer = self.place.answer_from(release, asked.question, now=now)
        body = verify_body(answer, asked.language, asked.citations)
        return self.place.give(request, answer, body, asked.language)


def verify_body(answer: Answer, language: str, citations: Citations = "full") -> VerifyBody:
    """Return an answer in the form of the specification, in a language and with so much evidence."""
    outcome = answer.outcome
    constraints, warnings = demands_of(outcome, language)
    return VerifyBody(
        verdict=outcome.verdict,
        verdict_id=answer.verdict_id,
        ruleset_version=answer.release.ruleset_version,
        generated_at=answer.generated_at,
        expires_at=answer.expires_at,
        summary=wording.summary(answer, language),
        device_resolved=_device_body(answer, language),
        constraints=constraints,
        warnings=warnings,
        citations=citations_of(answer, citations),
        verdict_path=outcome.path,
        suggested_next_step=wording.next_step(answer, language),
    )


def _device_body(answer: Answer, language: str) -> DeviceResolvedBody:
    outcome = answer.outcome
    impact = RecallImpact(outcome.recall_status, outcome.recall_check_method, outcome.recalls)
    return device_body(answer.release, outcome.device, impact, answer.question.unit.serial, language)


def device_body(
    release: Published, device: Device, impact: RecallImpact, serial: str | None, language: str
) -> DeviceResolvedBody:
    """Return a model in the form of answers, with what its recalls mean for the unit in question."""
    return DeviceResolvedBody(
        model_id=device.model_id,
        brand=device.brand,
        model_name=device.model_name,
        watt_hour=device.watt_hour,
        recall_status=impact.status,
        recall_check_method=impact.method,
        certifications=device.certifications,
        certificates=certificate_rows(release, device, CertificateBody),
        recalls=[recall_body(finding, serial, language) for finding in impact.findings],
    )
