"""Saved searches, each for one person."""

from django.conf import settings
from django.db import models

from catalog.tables.constraints import spelled

MOST_CHARACTERS = 2_000
"""The longest query. A list has a dozen filters, of a few characters each."""

LONGEST_NAME = 60


class SavedSearch(models.Model):
    """The query of a list, without its `?`, under a name. `page` is the name of the list's address."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False
    )
    page = models.CharField(max_length=80, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    query = models.CharField(max_length=MOST_CHARACTERS)

    class Meta:
        ordering = ["name", "id"]
        verbose_name_plural = "saved searches"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="saved_search_name_once", fields=["owner", "page", "name"]),
            spelled("saved_search_has_a_name", "name", r"\S", "a saved search has a name"),
        ]

    def __str__(self) -> str:
        return self.name
