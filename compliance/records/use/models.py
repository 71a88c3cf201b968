"""The counts of the verdict log. Only `compliance.records.use.actions` writes them."""

from django.db import models

from catalog.tables.constraints import choices, one_of, positive, words
from compliance.records.verdict_log.models import Channel
from rules.engine.vocabulary import Verdict


class DailyUse(models.Model):
    """How many verdicts of one kind were given on one day (UTC) by one channel.

    A day without verdicts has no row. Those of each key of a partner are in
    `compliance.records.verdict_log.models.KeyUsage`.
    """

    day = models.DateField()
    channel = models.CharField(max_length=4, choices=choices(Channel))
    verdict = models.CharField(max_length=12, choices=choices(Verdict))
    answers = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["day", "channel", "verdict"]
        # A job writes the rows; screens show sums of them.
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="daily_use_is_counted_once", fields=["day", "channel", "verdict"]),
            one_of("daily_use_verdict_is_known", "verdict", words(Verdict)),
            positive("daily_use_is_above_zero", "answers"),
        ]

    def __str__(self) -> str:
        """Return the day and the number."""
        return f"{self.answers} answers on {self.day}"


class MostAsked(models.Model):
    """What was asked about most in some days. Only the newest count is kept.

    It has no subject that few asked about (`compliance.records.use.counting`): what a single person asked is
    in no row.
    """

    day = models.DateField(primary_key=True, help_text="The day (UTC) before which the days that count end.")
    days = models.PositiveSmallIntegerField(help_text="How many days count.")
    finished = models.DateTimeField()
    routes = models.JSONField(help_text="Origin, destination and number of flights, the most asked first.")
    unanswered = models.JSONField(
        help_text="Model, number of insufficient answers and of all answers, most insufficient answers first."
    )

    class Meta:
        ordering = ["-day"]
        default_permissions = ()

    def __str__(self) -> str:
        """Return the span."""
        return f"the {self.days} days before {self.day}"
