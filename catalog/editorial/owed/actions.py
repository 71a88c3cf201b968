"""Notes what was measured of approved revisions. Called by the job that measures them."""

import datetime
from collections.abc import Mapping, Set

from django.db import transaction

from catalog.editorial.models import Revision
from catalog.editorial.owed.models import MeasuredRevision


@transaction.atomic
def note_measured(
    model: type[Revision],
    writers: Mapping[int, Set[int]],
    *,
    less_strict: Set[int],
    now: datetime.datetime,
) -> None:
    """Replace the notes on one kind of revisions.

    `writers` says for each revision, by the key of its row, who wrote it. A note that says the same as before
    keeps its time.
    """
    kind = str(model._meta.model_name)
    notes = MeasuredRevision.objects.filter(kind=kind)
    there = {note.row: note for note in notes.select_for_update()}
    wanted = {
        row: MeasuredRevision(
            kind=kind, row=row, less_strict=row in less_strict, writers=sorted(people), noted=now
        )
        for row, people in writers.items()
    }
    new = {row: note for row, note in wanted.items() if _says(there.get(row)) != _says(note)}
    notes.filter(row__in=(there.keys() - wanted.keys()) | new.keys()).delete()
    MeasuredRevision.objects.bulk_create(new.values())


def _says(note: MeasuredRevision | None) -> tuple[bool, list[int]] | None:
    return None if note is None else (note.less_strict, note.writers)
