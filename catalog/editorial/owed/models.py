"""The notes about revisions that one person approved. Only `catalog.editorial.owed.actions` writes here."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class MeasuredRevision(models.Model):
    """A revision that was approved once, and whether it makes any answer less strict.

    `kind` is the name of its model and `row` its key. `writers` wrote what is not published yet of its
    record, so a second approval of theirs would not count.
    """

    kind = models.CharField(max_length=20, editable=False)
    row = models.BigIntegerField(editable=False)
    less_strict = models.BooleanField(editable=False)
    writers = ArrayField(models.IntegerField(), default=list, editable=False)
    noted = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["kind", "row"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="measured_revision_once", fields=["kind", "row"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.row}"
