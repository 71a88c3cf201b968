"""The scores of releases. Only `aeo.scorecard.actions` writes them."""

from django.db import models


class ScorecardRecord(models.Model):
    """How a release answered the cases and kept the promises, as one program version counted on a day."""

    release_sha256 = models.CharField(max_length=64)
    day = models.DateField(help_text="The day (UTC) of travel of the questions that were drawn.")
    program_sha256 = models.CharField(
        max_length=64, help_text="Of the engine, the cases and the promises that counted."
    )
    finished = models.DateTimeField()
    figures = models.JSONField(help_text="As `aeo.scorecard.Figures`.")

    class Meta:
        ordering = ["-pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                fields=["release_sha256", "day", "program_sha256"], name="scorecard_is_counted_once"
            )
        ]

    def __str__(self) -> str:
        """Return the day and the numbers."""
        return f"{self.day}: {self.figures['agreeing']} of {self.figures['cases']} cases agree"
