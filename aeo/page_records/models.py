"""Which pages are indexed, by which choice, and when the content of each last changed.

Only `aeo.discovery.actions` writes them.
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
    """Return the column for a number of points; 0 means that it does not count."""
    return models.PositiveIntegerField(
        default=default, validators=[MaxValueValidator(MOST_POINTS)], help_text=help_text, **more
    )


def _bound(default: int, most: int, help_text: str) -> Any:
    """Return the column for an upper bound, at least 1."""
    return models.PositiveIntegerField(
        default=default, validators=[MinValueValidator(1), MaxValueValidator(most)], help_text=help_text
    )


def _left_out(length: int, help_text: str) -> Any:
    """Return the column for names that no indexed page is about."""
    return ArrayField(models.CharField(max_length=length), default=list, blank=True, help_text=help_text)


@tracked
class Curation(Created):
    """A choice of the pages that are indexed. The newest counts; before the first, the defaults do.

    `aeo.discovery.curation` describes how the numbers are used. A choice never changes. A new choice is a new
    row with its reason, so the rows are their own history.
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
    """A verdict page in the index, since when it is there, and when its content last changed."""

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
    """A model, airline, country or recall page in the index, and when it last changed."""

    path = models.CharField(max_length=120, primary_key=True, help_text="The address below the site's base.")
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the content without times.")
    last_changed = models.DateTimeField(help_text="When the content got this hash.")

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        """Return the address."""
        return self.path


class Recomputation(models.Model):
    """One computation of the indexed pages."""

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
