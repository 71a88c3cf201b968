"""Brands: names to group models by. Nothing is ever inferred from one."""

from django.db import models

from catalog.tables.authorship import Changed, Created
from catalog.tables.constraints import SLUG, spelled
from catalog.tables.tracking import tracked


@tracked
class Brand(Changed, Created):
    """A maker's brand. No recall and no rule refers to one."""

    slug = models.CharField(primary_key=True, max_length=60)
    name = models.CharField(max_length=60, unique=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            *Changed.Meta.constraints,
            spelled("brand_slug_is_a_slug", "slug", SLUG, "the slug is lower-case words joined by hyphens"),
        ]

    def __str__(self) -> str:
        return self.name
