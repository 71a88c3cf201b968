"""Verdict cases that fail, and that reviewers accepted as they fail."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q

from catalog.tables.authorship import Created
from catalog.tables.constraints import both_or_neither, check, not_after, spelled
from catalog.tables.tracking import tracked
from catalog.tables.triggers import ChangeWhile, refuse
from rules.cases import Outcome
from rules.releases.models import SHA256


@tracked
class AcceptedCase(Created):
    """One case that may fail, in exactly one way, and why.

    `case_sha256` is the digest of the case as it stood in its file, `outcome` what it expected and what came
    instead. Where the case `grants` what its file does not allow, it counts once a second reviewer agreed.
    """

    name = models.CharField(max_length=300, primary_key=True)
    case_sha256 = models.CharField(max_length=64)
    outcome = models.JSONField()
    grants = models.BooleanField()
    reason = models.TextField()
    agreed_at = models.DateTimeField(null=True, blank=True, editable=False)
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )

    class Meta:
        ordering = ["name"]
        default_permissions = ("add", "delete", "view")
        constraints = [
            spelled(
                "accepted_case_sha256_is_a_digest",
                "case_sha256",
                SHA256,
                "`case_sha256` is 64 lower-case hex digits",
            ),
            spelled("accepted_case_has_a_reason", "reason", r"\S", "an accepted case has a reason"),
            both_or_neither("accepted_case_agreement_is_a_pair", "agreed_at", "agreed_by"),
            check(
                "accepted_case_second_reviewer_is_somebody_else",
                Q(agreed_by__isnull=True) | ~Q(agreed_by=F("created_by")),
                "the second reviewer is somebody else than the first",
            ),
            not_after(
                "accepted_case_agreed_after_acceptance",
                "created_at",
                "agreed_at",
                "a second reviewer does not agree before the first",
            ),
        ]
        triggers = [
            refuse(
                "stays_as_it_is",
                pgtrigger.Update,
                ChangeWhile(exclude=("agreed_at", "agreed_by"), condition="TRUE"),
                "an accepted case stays as it was accepted",
            ),
            refuse(
                "agreement_stays",
                pgtrigger.Update,
                ChangeWhile("agreed_at", "agreed_by", condition="OLD.agreed_at IS NOT NULL"),
                "who agreed to an accepted case stays as it was",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def counts(self) -> bool:
        """Tell whether a release may rest on it."""
        return not self.grants or self.agreed_at is not None

    def is_about(self, case_sha256: str, outcome: Outcome) -> bool:
        """Tell whether this case failing in this way is what was accepted."""
        return self.case_sha256 == case_sha256 and self.outcome == [list(pair) for pair in outcome]
