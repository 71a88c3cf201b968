"""Countries: the ends of routes."""

from django.db import models

from catalog import records
from catalog.tables.constraints import UPPER_CASE_COUNTRY, spelled
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked


@tracked
class Country(Recorded):
    """A country by its ISO 3166-1 alpha-2 code. Every one is a valid end of a route, curated or not."""

    code = models.CharField(primary_key=True, max_length=2)
    name = models.CharField(max_length=100)

    class Meta:
        ordering = ["code"]
        verbose_name_plural = "countries"
        constraints = [
            spelled(
                "country_code_is_upper_case", "code", UPPER_CASE_COUNTRY, "the code is two upper-case letters"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    def to_record(self) -> records.Country:
        """Return the country as a record."""
        return record_from(self, records.Country)
