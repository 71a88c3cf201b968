"""Countries, the ends of routes, and jurisdictions, the places whose rules are curated."""

from operator import attrgetter
from typing import ClassVar

from django.db import models

from catalog import records
from catalog.tables.authorship import Changed
from catalog.tables.constraints import (
    UPPER_CASE_COUNTRY,
    UPPER_CASE_JURISDICTION,
    WEB_ADDRESS,
    check,
    spelled,
)
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked


@tracked
class Country(Recorded):
    """A country by its ISO 3166-1 alpha-2 code.

    Each is a valid end of a route, with or without curated rules.
    """

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


@tracked
class Jurisdiction(Changed, Recorded):
    """A place whose authority makes rules: a country, a region such as `EU`, or `INTL`.

    A place inside a member is also inside each region of that member.
    """

    code = models.CharField(primary_key=True, max_length=4)
    name = models.CharField(max_length=100)
    regulator = models.CharField(max_length=200)
    regulator_url = models.URLField(max_length=2000)
    member_of = models.ManyToManyField(
        "self", through="Membership", symmetrical=False, related_name="members", blank=True
    )

    record_parts: ClassVar = ("memberships",)
    record_lists: ClassVar = {"memberships": models.F("region_id")}

    class Meta:
        ordering = ["code"]
        constraints = [
            *Changed.Meta.constraints,
            spelled(
                "jurisdiction_code_is_upper_case",
                "code",
                UPPER_CASE_JURISDICTION,
                "the code is two to four upper-case letters",
            ),
            spelled(
                "jurisdiction_regulator_url_is_absolute",
                "regulator_url",
                WEB_ADDRESS,
                "`regulator_url` is an absolute web address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    def to_record(self) -> records.Jurisdiction:
        """Return the jurisdiction as a record; its regions in the order in which they were listed."""
        regions = self.listed("memberships", attrgetter("region_id"))
        return record_from(self, records.Jurisdiction, member_of=regions)


@tracked
class Membership(models.Model):
    """A jurisdiction inside a region."""

    member = models.ForeignKey(Jurisdiction, on_delete=models.CASCADE, related_name="memberships")
    region = models.ForeignKey(Jurisdiction, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                name="membership_region_once",
                fields=["member", "region"],
                violation_error_message="is a member of a region twice",
            ),
            models.UniqueConstraint(
                name="membership_position_once",
                fields=["member", "position"],
                violation_error_message="has two regions in one position",
            ),
            check(
                "membership_is_not_of_itself",
                ~models.Q(member=models.F("region")),
                "a jurisdiction is not a member of itself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} in {self.region_id}"
