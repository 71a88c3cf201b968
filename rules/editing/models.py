"""Rules: what the world requires, as typed, dated, cited rows."""

# ruff: noqa: DJ001 -- null says that a fact is absent; an empty text would be a second way to say so.

from typing import Any, ClassVar

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from catalog.editorial.models import Revision, revision_constraints, revision_triggers
from catalog.editorial.permissions import action_permissions
from catalog.models import Airline, Source
from catalog.tables.constraints import (
    UPPER_CASE_JURISDICTION,
    all_of,
    check,
    choices,
    not_after,
    one_of,
    positive,
    same,
    spelled,
    words,
)
from catalog.tables.evidence import SOURCES, Evidence, evidence_constraints, source_ids
from catalog.tables.recorded import record_from
from catalog.tables.tracking import tracked
from catalog.tables.triggers import freeze_with_owner
from recalls.serials import RecallStatus
from rules.engine import facts
from rules.engine.vocabulary import (
    CODES,
    EFFECT_OF_NATURE,
    MAX_QUANTITY,
    Certification,
    Compartment,
    Confidence,
    Effect,
    Issuer,
    Scope,
    UnitCondition,
)

CODES_OF_RULES = [code for code in CODES.values() if code.from_rules]
REGULATOR_SCOPES = [scope for scope in words(Scope) if scope != "airline"]


def codes_with_effect(effect: str) -> list[str]:
    """Return the codes that go with an effect; none for `permit`."""
    return sorted(code.name for code in CODES_OF_RULES if EFFECT_OF_NATURE[code.nature] == effect)


def codes_with_parameter(parameter: str) -> list[str]:
    """Return the codes that take a parameter."""
    return sorted(code.name for code in CODES_OF_RULES if code.parameter == parameter)


def validate_quotes(quotes: Any) -> None:
    """Refuse quotes that are not a list of `facts.Quote`. Raises `ValidationError`."""
    try:
        msgspec.convert(quotes, tuple[facts.Quote, ...])
    except msgspec.ValidationError as error:
        raise ValidationError(f"The quotes cannot be read: {error}.") from error


@tracked
class Rule(Revision):
    """One revision of a rule of a regulator or an airline.

    A condition that is null always holds; the others must all hold. In force from `effective_from` to
    `effective_until`, both included; null is open.
    """

    rule_id = models.CharField(max_length=120)
    issuer = models.CharField(max_length=10, choices=choices(Issuer))
    authority = models.CharField(max_length=200)
    jurisdiction = models.CharField(max_length=4)
    airline = models.ForeignKey(
        Airline, on_delete=models.PROTECT, related_name="rules", null=True, blank=True
    )
    applies = ArrayField(models.CharField(max_length=10, choices=choices(Scope)))

    watt_hour_over = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    watt_hour_at_least = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    watt_hour_up_to = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    compartment = ArrayField(
        models.CharField(max_length=20, choices=choices(Compartment)), null=True, blank=True
    )
    recall_status = ArrayField(
        models.CharField(max_length=30, choices=choices(RecallStatus)), null=True, blank=True
    )
    condition = ArrayField(
        models.CharField(max_length=10, choices=choices(UnitCondition)), null=True, blank=True
    )
    certification_missing = models.CharField(
        max_length=10, choices=choices(Certification), null=True, blank=True
    )
    quantity_over = models.PositiveSmallIntegerField(null=True, blank=True)
    model = ArrayField(models.CharField(max_length=80), null=True, blank=True)

    effect = models.CharField(max_length=10, choices=choices(Effect))
    code = models.CharField(
        max_length=60,
        choices=[(code.name, code.name.replace("_", " ")) for code in CODES_OF_RULES],
        null=True,
        blank=True,
    )
    max_units = models.PositiveSmallIntegerField(null=True, blank=True)
    limit_watt_hour = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)

    effective_from = models.DateField(null=True, blank=True)
    effective_until = models.DateField(null=True, blank=True)
    summary = models.TextField()
    confidence = models.CharField(max_length=20, choices=choices(Confidence))
    quotes = models.JSONField(default=list, blank=True, validators=[validate_quotes])
    sources = models.ManyToManyField(Source, through="RuleEvidence", related_name="rules")

    id_field: ClassVar = "rule_id"
    record_parts: ClassVar = ("evidence",)
    record_lists: ClassVar = SOURCES

    class Meta:
        ordering = ["rule_id", "revision"]
        permissions = action_permissions("rule")
        triggers = revision_triggers()
        constraints = [
            *revision_constraints("rule", "rule_id"),
            spelled(
                "rule_id_is_dotted",
                "rule_id",
                r"^[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)+$",
                "the rule id is lower-case words joined by dots and hyphens",
            ),
            spelled(
                "rule_jurisdiction_is_upper_case",
                "jurisdiction",
                UPPER_CASE_JURISDICTION,
                "the jurisdiction is two to four upper-case letters",
            ),
            one_of("rule_confidence_is_known", "confidence", words(Confidence)),
            check("rule_names_a_scope", Q(applies__len__gt=0), "a rule says when it applies"),
            check(
                "rule_issuer_fits_its_scope",
                Q(issuer="airline", airline__isnull=False, applies=["airline"])
                | Q(issuer="regulator", airline__isnull=True, applies__contained_by=REGULATOR_SCOPES),
                "an airline's rule names its airline and applies to it alone; a regulator's rule names none",
            ),
            check(
                "rule_global_is_international",
                (Q(applies=["global"]) & Q(jurisdiction=facts.INTERNATIONAL))
                | (~Q(applies__contains=["global"]) & ~Q(jurisdiction=facts.INTERNATIONAL)),
                f"rules of `{facts.INTERNATIONAL}`, and no others, apply globally, and in no other way",
            ),
            all_of("rule_compartments_are_known", "compartment", words(Compartment)),
            all_of("rule_recall_statuses_are_known", "recall_status", words(RecallStatus)),
            all_of("rule_conditions_are_known", "condition", words(UnitCondition)),
            one_of("rule_certification_is_known", "certification_missing", words(Certification)),
            positive("rule_watt_hour_over_is_positive", "watt_hour_over"),
            positive("rule_watt_hour_at_least_is_positive", "watt_hour_at_least"),
            positive("rule_watt_hour_up_to_is_positive", "watt_hour_up_to"),
            check(
                "rule_one_lower_watt_hour_bound",
                Q(watt_hour_over__isnull=True) | Q(watt_hour_at_least__isnull=True),
                "a rule has one lower bound of watt-hours at most",
            ),
            check(
                "rule_watt_hours_between_bounds",
                Q(watt_hour_over__isnull=True)
                | Q(watt_hour_up_to__isnull=True)
                | Q(watt_hour_over__lt=models.F("watt_hour_up_to")),
                "the watt-hour bounds leave something between them",
            ),
            not_after(
                "rule_watt_hours_from_up_to",
                "watt_hour_at_least",
                "watt_hour_up_to",
                "the watt-hour bounds leave something between them",
            ),
            check(
                "rule_quantity_over_in_range",
                Q(quantity_over__range=(1, MAX_QUANTITY)),
                f"`quantity_over` is between 1 and {MAX_QUANTITY}",
            ),
            check(
                "rule_names_a_model", Q(model__len__gt=0), "a rule that is for some models names at least one"
            ),
            check(
                "rule_code_goes_with_its_effect",
                Q(effect="permit", code__isnull=True)
                | Q(effect="require", code__isnull=False, code__in=codes_with_effect("require"))
                | Q(effect="prohibit", code__isnull=False, code__in=codes_with_effect("prohibit"))
                | Q(effect="advise", code__isnull=False, code__in=codes_with_effect("advise")),
                "a permit has no code; every other effect has a code of its own kind",
            ),
            check(
                "rule_max_units_with_its_code",
                same(
                    Q(max_units__isnull=False),
                    Q(code__isnull=False, code__in=codes_with_parameter("max_units")),
                ),
                f"`max_units` goes with {' and '.join(codes_with_parameter('max_units'))} alone",
            ),
            check(
                "rule_limit_watt_hour_with_its_code",
                same(
                    Q(limit_watt_hour__isnull=False),
                    Q(code__isnull=False, code__in=codes_with_parameter("limit_watt_hour")),
                ),
                f"`limit_watt_hour` goes with {' and '.join(codes_with_parameter('limit_watt_hour'))} alone",
            ),
            check(
                "rule_max_units_in_range",
                Q(max_units__range=(1, MAX_QUANTITY)),
                f"`max_units` is between 1 and {MAX_QUANTITY}",
            ),
            positive("rule_limit_watt_hour_is_positive", "limit_watt_hour"),
            not_after(
                "rule_dates_in_order",
                "effective_from",
                "effective_until",
                "a rule does not end before it starts",
            ),
        ]

    def to_record(self) -> facts.Rule:
        """Return the rule as a record."""
        return record_from(
            self,
            facts.Rule,
            airline=self.airline_id,
            when={name: getattr(self, name) for name in facts.When.__struct_fields__},
            params={name: getattr(self, name) for name in facts.Params.__struct_fields__},
            sources=source_ids(self),
        )


@tracked
class RuleEvidence(Evidence):
    """One source of a revision of a rule."""

    rule = models.ForeignKey(Rule, on_delete=models.CASCADE, related_name="evidence")

    class Meta(Evidence.Meta):
        constraints = evidence_constraints("rule_evidence", "rule")
        triggers = [freeze_with_owner("rules_rule", "rule_id")]

    def __str__(self) -> str:
        return f"{self.rule} cites {self.source_id}"
