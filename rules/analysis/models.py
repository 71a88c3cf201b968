"""Findings of the analysis that an editor reviewed and accepted as they are."""

from django.db import models

from catalog.tables.constraints import spelled
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked
from rules.analysis.checks import Acceptance


@tracked
class AcceptedFinding(Recorded):
    """One finding that stays, and why. When the finding changes, its key changes too."""

    key = models.CharField(primary_key=True, max_length=300)
    reason = models.TextField()

    class Meta:
        ordering = ["key"]
        constraints = [
            spelled("accepted_finding_has_a_reason", "reason", r"\S", "an accepted finding has a reason"),
        ]

    def __str__(self) -> str:
        return self.key

    def to_record(self) -> Acceptance:
        """Return the acceptance as a record."""
        return record_from(self, Acceptance)
