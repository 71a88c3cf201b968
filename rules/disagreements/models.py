"""The table of disagreements, as editors keep them. Only `rules.disagreements.actions` writes here."""

from typing import Any, ClassVar

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q

from catalog.editorial.models import Revision, revision_constraints, revision_triggers
from catalog.editorial.permissions import action_permissions
from catalog.models import Airline, Jurisdiction, Source
from catalog.tables.constraints import SLUG, check, spelled
from catalog.tables.evidence import Evidence, evidence_constraints
from catalog.tables.recorded import record_from
from catalog.tables.tracking import tracked
from catalog.tables.triggers import freeze_with_owner
from rules.engine import disagreements


def validate_sides(sides: Any) -> None:
    """Refuse sides that are not a list of `records.Side`. Raises `ValidationError`."""
    try:
        msgspec.convert(sides, tuple[disagreements.Side, ...])
    except msgspec.ValidationError as error:
        raise ValidationError(f"The sides cannot be read: {error}.") from error


@tracked
class Disagreement(Revision):
    """One revision of a disagreement: a question, what sources answer, and which rule is applied.

    `sides` are what each side says with the ids of its sources; the evidence ties the same sources to the
    row, so that none of them is deleted. `applied` names a rule by its stable id, whatever its revision.
    """

    disagreement_id = models.CharField(max_length=80)
    airline = models.ForeignKey(
        Airline, on_delete=models.PROTECT, related_name="disagreements", null=True, blank=True
    )
    jurisdiction = models.ForeignKey(
        Jurisdiction, on_delete=models.PROTECT, related_name="disagreements", null=True, blank=True
    )
    question = models.CharField(max_length=300)
    sides = models.JSONField(validators=[validate_sides])
    applied = models.CharField(max_length=120)
    because = models.TextField()
    sources = models.ManyToManyField(Source, through="DisagreementEvidence", related_name="disagreements")

    id_field: ClassVar = "disagreement_id"

    class Meta:
        ordering = ["disagreement_id", "revision"]
        permissions = action_permissions("disagreement")
        triggers = revision_triggers()
        constraints = [
            *revision_constraints("disagreement", "disagreement_id"),
            spelled(
                "disagreement_id_is_a_slug",
                "disagreement_id",
                SLUG,
                "the id is lower-case words joined by hyphens",
            ),
            check(
                "disagreement_is_about_one",
                Q(airline__isnull=True, jurisdiction__isnull=False)
                | Q(airline__isnull=False, jurisdiction__isnull=True),
                "a disagreement is about exactly one of `airline` and `jurisdiction`",
            ),
        ]

    def to_record(self) -> disagreements.Disagreement:
        """Return the disagreement as a record."""
        return record_from(
            self,
            disagreements.Disagreement,
            id=self.disagreement_id,
            about={"airline": self.airline_id, "jurisdiction": self.jurisdiction_id},
        )


@tracked
class DisagreementEvidence(Evidence):
    """One source of a revision of a disagreement, on any side."""

    disagreement = models.ForeignKey(Disagreement, on_delete=models.CASCADE, related_name="evidence")

    class Meta(Evidence.Meta):
        constraints = evidence_constraints("disagreement_evidence", "disagreement")
        triggers = [freeze_with_owner("rules_disagreement", "disagreement_id")]

    def __str__(self) -> str:
        """Return what rests on which source."""
        return f"{self.disagreement} cites {self.source_id}"
