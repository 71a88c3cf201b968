"""The form of answers: the specification's fields, in its order. The parts that several answers share.

Structs are sent as JSON: decimals as numbers, dates as ISO dates, times in UTC with `Z`. Called by the views.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from aeo.datasets.rows import CertificateRow
from recalls.serials import AffectedSerials, MatchMethod, MatchStatus, RecallScope, SerialEvaluation
from rules import wording
from rules.engine.facts import Recall
from rules.engine.outcomes import LegVerdict, RecallFinding
from rules.engine.vocabulary import Severity, Verdict
from rules.wording import NextStep


class SerialEvaluationBody(msgspec.Struct, omit_defaults=True):
    """Whether one recall affects one unit. If that is `unknown`, it says what to do next."""

    provided_serial: str
    match_status: MatchStatus
    match_method: MatchMethod
    verdict_if_used_for_flight: Verdict
    suggested_next_step: NextStep | None = None
    model_assumed: Annotated[bool, Meta(extra_json_schema={"const": True})] | None = None

    def __repr__(self) -> str:
        """Leave the serial out, so that no log or traceback can contain one."""
        return f"SerialEvaluationBody({self.match_status!r}, {self.match_method!r})"


class AffectedSerialsBody(msgspec.Struct, omit_defaults=True):
    """Which units a recall is about. `identifier` says what to read on the unit; `pattern` matches it."""

    pattern: str | None
    explicit_list_url: str | None
    scope: RecallScope
    identifier: str
    not_affected_pattern: str | None = None
    format_hint: str | None = None


class VerdictImpactBody(msgspec.Struct):
    """What a recall means for a verdict: the same for every recall, never for another model of the brand."""

    applies_to: Literal["exact_model_only"]
    if_affected_serial: Literal["banned"]
    if_serial_unknown: Literal["warning"]
    if_not_affected_serial: Literal["normal_rules_apply"]


class CertificateBody(CertificateRow, frozen=True, kw_only=True):
    """A known certificate behind a mark of a model, with its source.

    The status is valid from `since` to `until`, both included; null means no limit. A `valid` certificate
    proves nothing about a single unit.
    """


class RecallBody(msgspec.Struct, omit_defaults=True):
    """A recall of exactly one model. `serial_evaluation` is present if a serial was sent."""

    recall_id: str
    model_id: str
    affected_serials: AffectedSerialsBody
    verdict_impact: VerdictImpactBody
    serial_evaluation: SerialEvaluationBody | None = None


RuleIds = Annotated[
    tuple[str, ...],
    Meta(
        description="The rules that say it: GET /api/rules/{rule_id} has their sources and quotes. None if "
        "it follows from facts alone."
    ),
]


class ConstraintBody(msgspec.Struct):
    """A requirement, and the rules that make it."""

    code: Annotated[
        str,
        Meta(
            description="For programs. GET /api/codes lists each; `max_units_2` is there as `max_units`.",
            examples=["carry_on_only", "max_units_2"],
        ),
    ]
    message: str
    rule_ids: RuleIds


class WarningBody(msgspec.Struct):
    """Something that the traveler should know, and the rules that say it."""

    code: Annotated[str, Meta(description="For programs.", examples=["airline_approval_review"])]
    severity: Severity
    message: str
    rule_ids: RuleIds


class ErrorBody(msgspec.Struct):
    """Why a part of an answer is missing, and what to do about it."""

    code: str
    message: str
    suggested_next_step: NextStep


VERDICT_IMPACT = VerdictImpactBody("exact_model_only", "banned", "warning", "normal_rules_apply")


def demands_of(outcome: LegVerdict, language: str) -> tuple[list[ConstraintBody], list[WarningBody]]:
    """Return the constraints and the warnings of a flight, in a language."""
    said_by = outcome.said_by()
    constraints = [
        ConstraintBody(one.code, message, tuple(said_by.get(one, ())))
        for one, message in zip(
            outcome.constraints, wording.constraint_messages(outcome, language), strict=True
        )
    ]
    warnings = [
        WarningBody(one.code, one.severity or "advisory", message, tuple(said_by.get(one, ())))
        for one, message in zip(outcome.warnings, wording.warning_messages(outcome, language), strict=True)
    ]
    return constraints, warnings


def recall_body(finding: RecallFinding, serial: str | None, language: str) -> RecallBody:
    """Return a recall in the form of answers, with its result for the unit whose serial was given."""
    recall, evaluation = finding.recall, finding.evaluation
    return RecallBody(
        recall_id=recall.recall_id,
        model_id=recall.model_id,
        affected_serials=affected_serials_body(recall.affected_serials),
        verdict_impact=VERDICT_IMPACT,
        serial_evaluation=None
        if serial is None
        else serial_evaluation_body(evaluation, serial, unsettled([(recall, evaluation)]), language),
    )


def serial_evaluation_body(
    evaluation: SerialEvaluation,
    serial: str,
    open_recalls: Sequence[Recall],
    language: str,
    *,
    model_assumed: bool = False,
) -> SerialEvaluationBody:
    """Return the result for the unit whose serial, or its hash, was given. The answer is never stored.

    `open_recalls` are those that cannot decide whether the unit is affected.
    """
    return SerialEvaluationBody(
        provided_serial=serial,
        match_status=evaluation.match_status,
        match_method=_method(evaluation, open_recalls),
        verdict_if_used_for_flight=evaluation.verdict_if_used_for_flight,
        suggested_next_step=wording.serial_step(open_recalls, language)
        if evaluation.match_status == "unknown"
        else None,
        model_assumed=True if model_assumed else None,
    )


def _method(evaluation: SerialEvaluation, open_recalls: Sequence[Recall]) -> MatchMethod:
    """Return how a result was found, or what would decide: the maker's list, also one without an address."""
    by_list = any(recall.affected_serials.scope == "lookup_required" for recall in open_recalls)
    return (
        "external_list_required"
        if by_list and evaluation.match_status == "unknown"
        else evaluation.match_method
    )


def unsettled(evaluated: Iterable[tuple[Recall, SerialEvaluation]]) -> list[Recall]:
    """Return the recalls that cannot decide whether a unit is affected."""
    return [recall for recall, evaluation in evaluated if evaluation.match_status == "unknown"]


def affected_serials_body(affected: AffectedSerials) -> AffectedSerialsBody:
    """Return the part of a verdict's answer about a recall's affected units."""
    return AffectedSerialsBody(
        pattern=affected.pattern,
        explicit_list_url=affected.explicit_list_url,
        scope=affected.scope,
        identifier=affected.identifier,
        not_affected_pattern=affected.not_affected_pattern,
        format_hint=affected.format_hint,
    )
