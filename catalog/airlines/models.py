"""Airlines, which operate flights, and their policies: the text, how well it is known, and its changes."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from catalog import records
from catalog.places.models import Country
from catalog.sources.models import Source
from catalog.tables.authorship import Changed, Created
from catalog.tables.constraints import WEB_ADDRESS, choices, one_of, spelled, words
from catalog.tables.evidence import Evidence, evidence_constraints
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked


@tracked
class Airline(Changed, Recorded):
    """An airline by its IATA designator, which may contain a digit (7C, 5J). Its policy is a separate row."""

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


@tracked
class AirlinePolicy(Changed, Created):
    """The policy record of one airline, in an editor's words. The executable rules are in `rules`."""

    airline = models.OneToOneField(Airline, on_delete=models.CASCADE, primary_key=True, related_name="policy")
    policy_url = models.URLField(max_length=2000)
    confidence = models.CharField(max_length=20, choices=choices(records.Confidence))
    effective_from = models.DateField(null=True, blank=True)
    summary = models.TextField()
    notes = ArrayField(models.TextField(), default=list, blank=True)
    sources = models.ManyToManyField(Source, through="AirlinePolicyEvidence", related_name="airline_policies")

    class Meta:
        ordering = ["airline"]
        verbose_name_plural = "airline policies"
        constraints = [
            *Changed.Meta.constraints,
            spelled(
                "policy_url_is_absolute", "policy_url", WEB_ADDRESS, "`policy_url` is an absolute web address"
            ),
            one_of("policy_confidence_is_known", "confidence", words(records.Confidence)),
        ]

    def __str__(self) -> str:
        return f"policy of {self.airline_id}"

    def source_ids(self) -> tuple[str, ...]:
        """Return the ids of its sources, in order."""
        return tuple(link.source_id for link in self.evidence.all())


@tracked
class AirlinePolicyEvidence(Evidence):
    """One source of a policy."""

    policy = models.ForeignKey(AirlinePolicy, on_delete=models.CASCADE, related_name="evidence")

    class Meta(Evidence.Meta):
        constraints = evidence_constraints("policy_evidence", "policy")

    def __str__(self) -> str:
        return f"{self.policy_id} cites {self.source_id}"


@tracked
class PolicyChange(Created):
    """A dated change of a policy, with the source that reports it."""

    policy = models.ForeignKey(AirlinePolicy, on_delete=models.CASCADE, related_name="changes")
    date = models.DateField()
    what = models.TextField()
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="policy_changes")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                name="policy_change_position_once",
                fields=["policy", "position"],
                violation_error_message="has two changes in one position",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.policy_id} on {self.date}"

    def to_record(self) -> records.PolicyChange:
        """Return the change as a record."""
        return records.PolicyChange(date=self.date, what=self.what, source=self.source_id)
