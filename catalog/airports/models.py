"""The table of facts of airports. Only `catalog.airports.actions` writes here."""

# ruff: noqa: DJ001 -- null says that a day is not known; an empty text would be a second way to say so.

from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import models

from catalog import records
from catalog.places.models import Country
from catalog.tables.authorship import Changed
from catalog.tables.constraints import SLUG, choices, one_of, spelled, words
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked


def validate_sources(sources: Any) -> None:
    """Refuse sources that are not a list of `records.AirportSource`, or none. Raises `ValidationError`."""
    try:
        found = msgspec.convert(sources, tuple[records.AirportSource, ...])
    except msgspec.ValidationError as error:
        raise ValidationError(f"The sources cannot be read: {error}.") from error
    if not found:
        raise ValidationError("A fact has at least one source.")


@tracked
class AirportFact(Changed, Recorded):
    """One fact of an airport, with the pages that say it.

    The pages are part of the row: a source of the catalog would enter the releases. `since` is the day, month
    or year for which the fact is reported, null if that is not known.
    """

    id = models.CharField(primary_key=True, max_length=80)
    airport = models.CharField(max_length=3)
    country = models.ForeignKey(Country, on_delete=models.PROTECT, related_name="airport_facts")
    kind = models.CharField(max_length=20, choices=choices(records.AirportFactKind))
    fact = models.CharField(max_length=500)
    since = models.CharField(max_length=10, null=True, blank=True)
    sources = models.JSONField(validators=[validate_sources])

    class Meta:
        ordering = ["airport", "id"]
        constraints = [
            *Changed.Meta.constraints,
            spelled("airport_fact_id_is_a_slug", "id", SLUG, "the id is lower-case words joined by hyphens"),
            spelled(
                "airport_fact_airport_is_a_code",
                "airport",
                r"^[A-Z]{3}$",
                "`airport` is three upper-case letters",
            ),
            one_of("airport_fact_kind_is_known", "kind", words(records.AirportFactKind)),
            spelled(
                "airport_fact_since_is_a_time",
                "since",
                r"^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$",
                "`since` is a day (2025-06-28), a month (2025-06) or a year (2025)",
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def to_record(self) -> records.AirportFact:
        """Return the fact as a record."""
        return record_from(self, records.AirportFact, country=self.country_id)
