"""Airlines: who operates a leg."""

from typing import ClassVar

from django.db import models

from catalog import records
from catalog.places.country import Country
from catalog.tables.authorship import Changed
from catalog.tables.constraints import spelled
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked


@tracked
class Airline(Changed, Recorded):
    """An airline by its IATA designator, which may hold a digit (7C, 5J). Its policy is a row of its own."""

    code = models.CharField(primary_key=True, max_length=2)
    icao = models.CharField(max_length=3)
    name = models.CharField(max_length=100)
    country = models.ForeignKey(Country, on_delete=models.PROTECT, related_name="airlines")

    record_parts: ClassVar = ("policy__evidence", "policy__changes")

    class Meta:
        ordering = ["code"]
        constraints = [
            *Changed.Meta.constraints,
            spelled(
                "airline_code_is_upper_case",
                "code",
                r"^[A-Z0-9]{2}$",
                "the code is two upper-case letters or digits",
            ),
            models.UniqueConstraint(
                name="airline_icao_once",
                fields=["icao"],
                violation_error_message="another airline has this `icao` code",
            ),
            spelled(
                "airline_icao_is_upper_case", "icao", r"^[A-Z]{3}$", "`icao` is three upper-case letters"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    def to_record(self) -> records.Airline:
        """Return the airline and its policy as one record."""
        policy = self.policy
        return record_from(
            self,
            records.Airline,
            airline=self.code,
            country=self.country_id,
            policy_url=policy.policy_url,
            confidence=policy.confidence,
            effective_from=policy.effective_from,
            summary=policy.summary,
            notes=policy.notes,
            sources=policy.source_ids(),
            changes=[change.to_record() for change in policy.changes.all()],
        )
