"""What is kept about pages: when the content of an indexed page last changed, and when that was worked out.

Written by `aeo.actions` alone. Everything else about a page follows from the release.
"""

from django.db import models


class IndexedPage(models.Model):
    """A page that search engines are told of, and the instant at which its content last changed."""

    path = models.CharField(max_length=120, primary_key=True, help_text="The address below the site's base.")
    model_id = models.CharField(max_length=80)
    airline = models.CharField(max_length=2)
    country = models.CharField(max_length=2)
    rank = models.PositiveIntegerField(help_text="1 is the most important page.")
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the content without times.")
    last_changed = models.DateTimeField(help_text="When the content got this hash.")

    class Meta:
        ordering = ["rank"]

    def __str__(self) -> str:
        """Return the address."""
        return self.path


class Recomputation(models.Model):
    """One time at which the indexed pages were worked out anew."""

    release_sha256 = models.CharField(max_length=64)
    day = models.DateField(help_text="The day (UTC) for which answers were given.")
    finished = models.DateTimeField()
    pages = models.PositiveIntegerField()
    changed = models.PositiveIntegerField(help_text="How many of them are new or say something else.")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        """Return the day and the numbers."""
        return f"{self.day}: {self.changed} of {self.pages} changed"
