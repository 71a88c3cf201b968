"""How many flights verdicts were requested for. Only `aeo.coverage.actions` writes it."""

from django.db import models


class AskedFlights(models.Model):
    """The flights of each airline, and touching each place, for which verdicts were requested in some days.

    Counted once a day from the verdict log (`aeo.coverage`); only the newest count is kept. The numbers are
    for the desk: readers get classes.
    """

    day = models.DateField(primary_key=True, help_text="The day (UTC) before which the days that count end.")
    days = models.PositiveSmallIntegerField(help_text="How many days count.")
    finished = models.DateTimeField()
    flights = models.PositiveBigIntegerField()
    airlines = models.JSONField(help_text="The number of flights by the airline's code.")
    places = models.JSONField(help_text="The number of flights by the code of a country or region.")

    class Meta:
        ordering = ["-day"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        """Return the day and the number."""
        return f"{self.flights} flights in {self.days} days before {self.day}"
