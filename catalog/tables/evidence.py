"""Evidence in order: which sources a row rests on, the first one first.

Citations have the order in which an editor listed the sources, so the link between a row and a source has a
position.
"""

from operator import attrgetter

from django.db import models

from catalog.tables.recorded import Recorded

SOURCES = {"evidence": models.F("source_id")}
"""Evidence in `Recorded.record_lists`."""


class Evidence(models.Model):
    """One source of a row. Subclasses add the foreign key to the row and `evidence_constraints`."""

    source = models.ForeignKey("catalog.Source", on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        abstract = True
        ordering = ["position"]


def evidence_constraints(model: str, owner: str) -> list[models.BaseConstraint]:
    """Return the constraints on the evidence of a row: each source once, each position once."""
    return [
        models.UniqueConstraint(
            name=f"{model}_source_once",
            fields=[owner, "source"],
            violation_error_message="names a source twice",
        ),
        models.UniqueConstraint(
            name=f"{model}_position_once",
            fields=[owner, "position"],
            violation_error_message="has two sources in one position",
        ),
    ]


def source_ids(row: Recorded) -> tuple[str, ...]:
    """Return the ids of the sources of a row, in order."""
    return tuple(row.listed("evidence", attrgetter("source_id")))
