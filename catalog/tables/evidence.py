"""Evidence in order: which sources a row rests on, the first one first.

Citations have the order in which an editor listed the sources, so the link between a row and a source has a
position.
"""

from collections.abc import Iterable

from django.db import models


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


def source_ids(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Return the ids of the sources of a row, given its evidence in order."""
    return tuple(link.source_id for link in evidence)
