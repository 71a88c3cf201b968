"""Who did something that may not have happened: one half of an optional pair of who and when."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def somebody() -> "models.ForeignKey[User | None, User | None]":
    """Return the column: empty, or a user, who then cannot be deleted."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )
