"""Airline policies: what an airline says of power banks, how well that is known, and how it changed."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from catalog import records
from catalog.airlines.models import Airline
from catalog.sources.models import Source
from catalog.tables.authorship import Changed, Created
from catalog.tables.constraints import WEB_ADDRESS, choices, one_of, spelled, words
from catalog.tables.evidence import Evidence, evidence_constraints, source_ids
from catalog.tables.tracking import tracked


@tracked
class AirlinePolicy(Changed, Created):
    """The policy record of one airline, in an editor's words. The executable rules stand elsewhere."""

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
        return source_ids(self.evidence.all())


@tracked
class AirlinePolicyEvidence(Evidence):
    """One source of a policy."""

    policy = models.ForeignKey(AirlinePolicy, on_delete=models.CASCADE, related_name="evidence")

    class Meta(Evidence.Meta):
        constraints = evidence_constraints("policy_evidence", "policy")

    def __str__(self) -> str:
        return f"{self.policy_id} rests on {self.source_id}"


@tracked
class PolicyChange(Created):
    """A dated change of a policy, with the source that tells of it."""

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
