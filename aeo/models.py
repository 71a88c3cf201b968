"""What is kept about pages and datasets; everything else about them follows from the release.

`aeo.discovery.actions` alone writes by which choice pages are indexed, when the content of each last changed,
and when that was worked out, and how a release scored; `aeo.datasets.actions` alone the files of each release
and what it changed.
"""

from typing import Any

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from catalog.tables.authorship import Created
from catalog.tables.constraints import check, spelled
from catalog.tables.tracking import tracked
from catalog.tables.triggers import refuse

MOST_POINTS = 1000


def _points(default: int, help_text: str, **more: Any) -> Any:
    """Return the column of a number of points, 0 for what shall not count."""
    return models.PositiveIntegerField(
        default=default, validators=[MaxValueValidator(MOST_POINTS)], help_text=help_text, **more
    )


def _bound(default: int, most: int, help_text: str) -> Any:
    """Return the column of an upper bound, at least 1."""
    return models.PositiveIntegerField(
        default=default, validators=[MinValueValidator(1), MaxValueValidator(most)], help_text=help_text
    )


def _left_out(length: int, help_text: str) -> Any:
    """Return the column of names that no indexed page is about."""
    return ArrayField(models.CharField(max_length=length), default=list, blank=True, help_text=help_text)


@tracked
class Curation(Created):
    """A choice of the pages that are indexed. The newest counts; before the first, the defaults do.

    `aeo.discovery.curation` tells in words how the numbers are used. A choice is never changed: the next one
    is written beside it, with its reason, so the rows are their own history.
    """

    most_pages = _bound(1000, 5000, "So many pages are indexed at most.")
    most_of_model = _bound(100, 5000, "So many of them are about one model at most.")
    most_of_airline = _bound(50, 5000, "So many of them are about one airline at most.")
    most_of_country = _bound(150, 5000, "So many of them are about one country at most.")
    model_recalled = _points(25, "For a model that is recalled.")
    model_near_limit = _points(25, "For a model at 100 or 160 Wh, or up to 5 % below.")
    model_over_100_wh = _points(15, "For a model above 100 Wh.", verbose_name="model over 100 Wh")
    model_recent = _points(15, "For a model released this calendar year or the one before.")
    model_figures = _points(30, "For a model of which watt-hours and capacity are known.")
    most_brand_points = _points(20, "A model gets a point for each model of its brand, up to this many.")
    most_class_points = _points(
        60, "A model gets a point for each model that no rule tells from it, up to this many."
    )
    airline_confirmed = _points(30, "For an airline whose policy is confirmed by an official source.")
    airline_reported = _points(15, "For an airline whose policy is reported by others.")
    airline_change = _points(10, "For each dated change of an airline's policy.")
    airline_source = _points(3, "For each source of an airline's policy.")
    without_models = _left_out(80, "Models that no indexed page is about, by id, with commas between them.")
    without_airlines = _left_out(
        2, "Airlines that no indexed page is about, by code, with commas between them."
    )
    without_countries = _left_out(
        2, "Countries that no indexed page is about, by code, with commas between them."
    )
    reason = models.TextField(help_text="Why it is chosen so, for those who come after you.")

    class Meta:
        ordering = ["-pk"]
        verbose_name = "choice of indexed pages"
        verbose_name_plural = "choices of indexed pages"
        default_permissions = ("add", "view")
        constraints = [
            check(
                "curation_bounds_let_something_in",
                models.Q(
                    most_pages__gte=1, most_of_model__gte=1, most_of_airline__gte=1, most_of_country__gte=1
                ),
                "each bound is at least 1",
            ),
            spelled("curation_has_a_reason", "reason", r"\S", "a choice has a reason"),
        ]
        triggers = [
            refuse(
                "choices_stay",
                pgtrigger.Update | pgtrigger.Delete,
                pgtrigger.Condition("TRUE"),
                "a choice stays as it is; the next one is written beside it",
            ),
        ]

    def __str__(self) -> str:
        return f"choice {self.pk}" if self.pk else "the default choice"


class IndexedPage(models.Model):
    """A verdict page that search engines are told of, since when, and when its content last changed."""

    path = models.CharField(max_length=120, primary_key=True, help_text="The address below the site's base.")
    model_id = models.CharField(max_length=80)
    airline = models.CharField(max_length=2)
    country = models.CharField(max_length=2)
    rank = models.PositiveIntegerField(db_index=True, help_text="1 is the most important page.")
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the content without times.")
    first_published = models.DateTimeField(
        null=True, help_text="Since when the page is in the index; null where that was not kept."
    )
    last_changed = models.DateTimeField(help_text="When the content got this hash.")
    announced_hash = models.CharField(
        max_length=64, default="", help_text="The content hash that search engines were told of last."
    )

    class Meta:
        ordering = ["rank"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        """Return the address."""
        return self.path


class ReferencePage(models.Model):
    """A model, airline, country or recall page in the index, and the instant at which it last changed."""

    path = models.CharField(max_length=120, primary_key=True, help_text="The address below the site's base.")
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the content without times.")
    last_changed = models.DateTimeField(help_text="When the content got this hash.")

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        """Return the address."""
        return self.path


class Recomputation(models.Model):
    """One time at which the indexed pages were worked out anew."""

    release_sha256 = models.CharField(max_length=64)
    day = models.DateField(help_text="The day (UTC) for which answers were given.")
    finished = models.DateTimeField()
    pages = models.PositiveIntegerField(help_text="How many verdict pages are indexed.")
    changed = models.PositiveIntegerField(help_text="How many of them are new or say something else.")

    class Meta:
        ordering = ["-pk"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        """Return the day and the numbers."""
        return f"{self.day}: {self.changed} of {self.pages} changed"


class ScorecardRecord(models.Model):
    """How a release answered the shipped cases and kept the promises, as one program counted it on a day."""

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


class DatasetRelease(models.Model):
    """A release whose datasets are kept as files. Written by `aeo.datasets.actions` alone."""

    ruleset_version = models.CharField(max_length=20, primary_key=True)
    sequence = models.PositiveIntegerField(unique=True, help_text="Its place in the ledger.")
    release_sha256 = models.CharField(max_length=64)
    note = models.TextField()
    published = models.DateTimeField()

    class Meta:
        ordering = ["-sequence"]

    def __str__(self) -> str:
        """Return the version."""
        return self.ruleset_version


class DatasetFile(models.Model):
    """One file of a release: made once, and the same bytes ever after."""

    release = models.ForeignKey(DatasetRelease, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=30, help_text="The dataset, such as `recalls`.")
    file_format = models.CharField(max_length=10)
    sha256 = models.CharField(max_length=64, help_text="Of what readers get.")
    size_bytes = models.PositiveBigIntegerField(help_text="Of what readers get.")
    records = models.PositiveIntegerField()
    gzipped = models.BinaryField()

    class Meta:
        ordering = ["-release__sequence", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "name", "file_format"], name="dataset_file_is_one_of_its_release"
            )
        ]

    def __str__(self) -> str:
        """Return the name of the file."""
        return f"{self.name}-{self.release_id}.{self.file_format}"

    @property
    def path(self) -> str:
        """Return the address below the site's base."""
        return f"/datasets/{self.release_id}/{self.name}.{self.file_format}"


class DatasetChange(models.Model):
    """A record of a dataset that a release added, changed or withdrew.

    `record` is what it says since then, or of a withdrawn one what it said last.
    """

    release = models.ForeignKey(DatasetRelease, on_delete=models.CASCADE, related_name="changes")
    name = models.CharField(max_length=30, help_text="The dataset, such as `recalls`.")
    record_id = models.CharField(max_length=200)
    change = models.CharField(max_length=10, help_text="`added`, `changed` or `withdrawn`.")
    fields = models.JSONField(help_text="The names of the fields that differ.")
    record = models.JSONField()
    model_id = models.CharField(max_length=80, blank=True)
    brand_id = models.CharField(max_length=100, blank=True)
    airline = models.CharField(max_length=2, blank=True)

    class Meta:
        ordering = ["-release__sequence", "pk"]
        indexes = [
            models.Index(fields=["name", "record_id"], name="dataset_change_record"),
            models.Index(fields=["name", "model_id"], name="dataset_change_model"),
            models.Index(fields=["name", "brand_id"], name="dataset_change_brand"),
            models.Index(fields=["airline"], name="dataset_change_airline"),
        ]

    def __str__(self) -> str:
        """Return what became of which record."""
        return f"{self.name}/{self.record_id} {self.change} by {self.release_id}"
