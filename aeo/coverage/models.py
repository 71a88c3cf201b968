"""How many flights verdicts were asked for. Written by `aeo.coverage.actions` alone."""

from django.db import models


class AskedFlights(models.Model):
    """How many flights of each airline, and touching each place, verdicts were asked for in some days.

    Counted once a day from the verdict log (`aeo.coverage`); only the newest count is kept. The numbers are
    for the desk: readers get classes of them.
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
