"""Who wrote a row, and who changed it last: the pairs of columns of the editors' tables."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from catalog.tables.constraints import both_or_neither, not_after

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def optional_user() -> "models.ForeignKey[User | None, User | None]":
    """Return the column for the user of an optional action: empty, or a user, who cannot be deleted."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )


class Created(models.Model):
    """A row with its author and the time of its writing."""

    created_at = models.DateTimeField(editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )

    class Meta:
        abstract = True


class Changed(models.Model):
    """A row that editors change in place, with the last editor and the time. Both are null until then.

    Used together with `Created`.
    """

    changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    changed_by = optional_user()

    class Meta:
        abstract = True
        constraints = [
            both_or_neither("%(class)s_change_is_a_pair", "changed_at", "changed_by"),
            not_after(
                "%(class)s_changed_after_creation",
                "created_at",
                "changed_at",
                "a row is not changed before it is written",
            ),
        ]
