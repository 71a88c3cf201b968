"""Work that is cut into chunks, which workers on any machine can do.

Only `catalog.chunks.actions` writes here. Rows live as long as the work: the caller that asked for it
collects the results and removes them.
"""

from django.db import models
from django.db.models import Q

from catalog.tables.constraints import check, same, spelled


class ChunkedWork(models.Model):
    """One piece of work: its kind, and which one of that kind (`key`).

    All chunks share the input `given`; `sent` is when workers were last called. `failure` gives in one
    sentence why the work cannot be done; otherwise it is empty.
    """

    kind = models.CharField(max_length=40, editable=False)
    key = models.CharField(max_length=100, editable=False)
    given = models.JSONField(editable=False)
    asked = models.DateTimeField(editable=False)
    sent = models.DateTimeField(editable=False)
    failure = models.TextField(default="", editable=False)

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="chunked_work_once", fields=["kind", "key"]),
            spelled("chunked_work_has_a_kind", "kind", r"\S", "work is of some kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Chunk(models.Model):
    """A part of some work, counted from 0. The worker that does it locks its row."""

    work = models.ForeignKey(ChunkedWork, on_delete=models.CASCADE, related_name="pieces", editable=False)
    number = models.PositiveIntegerField(editable=False)
    task = models.BinaryField(editable=False)
    result = models.BinaryField(null=True, editable=False)
    worker = models.CharField(max_length=120, default="", editable=False)

    class Meta:
        ordering = ["work", "number"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(name="chunk_once", fields=["work", "number"]),
            check(
                "chunk_done_names_its_worker",
                same(Q(result__isnull=False), ~Q(worker="")),
                "a chunk names who worked on it, exactly when it is done",
            ),
        ]

    def __str__(self) -> str:
        return f"chunk {self.number} of {self.work_id}"
