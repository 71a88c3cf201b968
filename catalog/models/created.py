"""Who wrote a row, and when: the pair that every row of the editors' tables has."""

from django.conf import settings
from django.db import models


class Created(models.Model):
    """A row with its author and the instant of its writing."""

    created_at = models.DateTimeField(editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )

    class Meta:
        abstract = True
