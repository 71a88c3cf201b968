"""The table of recalls, as editors keep it. Only `recalls.editing.actions` writes here."""

# ruff: noqa: DJ001 -- null says that a fact is not known; an empty text would be a second way to say so.

from typing import Any, ClassVar

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from catalog.editorial.models import Revision, revision_constraints, revision_triggers
from catalog.editorial.permissions import action_permissions
from catalog.models import Device, Source
from catalog.tables.constraints import (
    SLUG,
    UPPER_CASE_JURISDICTION,
    WEB_ADDRESS,
    both_or_neither,
    check,
    choices,
    one_of,
    positive,
    spelled,
    words,
)
from catalog.tables.evidence import SOURCES, Evidence, evidence_constraints, source_ids
from catalog.tables.recorded import record_from
from catalog.tables.tracking import tracked
from catalog.tables.triggers import freeze_with_owner
from recalls import records
from recalls.serials import MAX_PATTERN_CHARACTERS, AffectedSerials, RecallScope

DECIDING = ("scope", "identifier", "pattern", "not_affected_pattern", "exhaustive", "explicit_list_url")
"""The fields of `AffectedSerials` with a column of their own. The others, for people, are in `details`."""


def validate_details(details: Any) -> None:
    """Refuse details that `AffectedSerials` does not know. Raises `ValidationError`."""
    if not isinstance(details, dict) or not details.keys().isdisjoint(DECIDING):
        raise ValidationError("The details are an object without what has a column of its own.")
    try:
        msgspec.convert({"scope": "all_units", "identifier": "serial", **details}, AffectedSerials)
    except msgspec.ValidationError as error:
        raise ValidationError(f"The details cannot be read: {error}.") from error


@tracked
class Recall(Revision):
    """One revision of a recall of exactly one model. No column leads to a brand, so it cannot spread."""

    recall_id = models.CharField(max_length=80)
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="recalls")
    authority = models.CharField(max_length=200)
    jurisdiction = models.CharField(max_length=4)
    announced_on = models.DateField()
    announced_precision = models.CharField(max_length=20, choices=choices(records.AnnouncedPrecision))
    title = models.CharField(max_length=300)
    hazard = models.TextField()
    remedy = models.TextField()
    units = models.PositiveIntegerField(null=True, blank=True)
    units_scope = models.CharField(max_length=20, choices=choices(records.UnitsScope), null=True, blank=True)
    scope = models.CharField(max_length=20, choices=choices(RecallScope))
    identifier = models.CharField(max_length=60)
    pattern = models.CharField(max_length=MAX_PATTERN_CHARACTERS, null=True, blank=True)
    not_affected_pattern = models.CharField(max_length=MAX_PATTERN_CHARACTERS, null=True, blank=True)
    exhaustive = models.BooleanField(default=False)
    explicit_list_url = models.URLField(max_length=2000, null=True, blank=True)
    details = models.JSONField(default=dict, blank=True, validators=[validate_details])
    notice_url = models.URLField(max_length=2000)
    notes = models.TextField(blank=True)
    sources = models.ManyToManyField(Source, through="RecallEvidence", related_name="recalls")
    id_field: ClassVar = "recall_id"
    record_parts: ClassVar = ("evidence",)
    record_lists: ClassVar = SOURCES

    class Meta:
        ordering = ["recall_id", "revision"]
        permissions = action_permissions("recall")
        triggers = revision_triggers()
        constraints = [
            *revision_constraints("recall", "recall_id"),
            spelled("recall_id_is_a_slug", "recall_id", SLUG, "the id is lower-case words joined by hyphens"),
            spelled(
                "recall_jurisdiction_is_upper_case",
                "jurisdiction",
                UPPER_CASE_JURISDICTION,
                "the jurisdiction is two to four upper-case letters",
            ),
            one_of("recall_precision_is_known", "announced_precision", words(records.AnnouncedPrecision)),
            one_of("recall_units_scope_is_known", "units_scope", words(records.UnitsScope)),
            one_of("recall_scope_is_known", "scope", words(RecallScope)),
            positive("recall_units_is_positive", "units"),
            both_or_neither("recall_units_with_their_scope", "units", "units_scope"),
            check(
                "recall_pattern_where_its_scope_needs_one",
                ~Q(scope__in=["serial_pattern", "batch", "date_code"]) | Q(pattern__isnull=False),
                "a recall of serials, batches or date codes has a pattern",
            ),
            check(
                "recall_clears_only_beside_a_pattern",
                Q(pattern__isnull=False) | Q(exhaustive=False, not_affected_pattern__isnull=True),
                "a recall clears units only where a pattern says which are affected",
            ),
            spelled(
                "recall_notice_url_is_absolute",
                "notice_url",
                WEB_ADDRESS,
                "`notice_url` is an absolute web address",
            ),
            spelled(
                "recall_explicit_list_url_is_absolute",
                "explicit_list_url",
                WEB_ADDRESS,
                "`explicit_list_url` is an absolute web address",
            ),
        ]

    def to_record(self) -> records.Recall:
        """Return the recall as a record."""
        deciding = {name: getattr(self, name) for name in DECIDING}
        return record_from(
            self,
            records.Recall,
            model_id=self.device_id,
            affected_serials={**deciding, **self.details},
            sources=source_ids(self),
        )


@tracked
class RecallEvidence(Evidence):
    """One source of a revision of a recall."""

    recall = models.ForeignKey(Recall, on_delete=models.CASCADE, related_name="evidence")

    class Meta(Evidence.Meta):
        constraints = evidence_constraints("recall_evidence", "recall")
        triggers = [freeze_with_owner("recalls_recall", "recall_id")]

    def __str__(self) -> str:
        return f"{self.recall} cites {self.source_id}"
