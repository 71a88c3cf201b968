"""How changes affect answers, as far as it was measured.

The room of rules measures. It connects a receiver to each signal, because this room imports nothing of it.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

from django.contrib.auth.models import User
from django.db.models import Model
from django.dispatch import Signal

from catalog.dates import moment_words
from catalog.editorial.owed.models import MeasuredRevision

effects_wanted = Signal()
"""Sent with `rows`: revisions of one kind, or change sets. A receiver returns their effects, by key."""

measuring_wanted = Signal()
"""Sent with `rows` and `by`: measure them together. A receiver returns `Measuring`."""

approved = Signal()
"""Sent when revisions of one kind, the sender, are approved, inside the transaction that does it."""


class Effect(NamedTuple):
    """What a change does to answers, in a few words. `lenient`: it makes some of them less strict."""

    says: str
    lenient: bool = False


class Measuring(NamedTuple):
    """What became of a wish to measure, in a sentence, and the page of the measurement, if there is one."""

    says: str
    address: str = ""


NOT_MEASURED = Effect("not measured yet")


def effects_of(rows: Sequence[Model]) -> dict[int, Effect]:
    """Return the effect of each row if all of them were published together. Nothing is estimated.

    Of rows that were not measured together, what a job noted of each counts.
    """
    found: dict[int, Effect] = dict.fromkeys((row.pk for row in rows), NOT_MEASURED)
    if rows:
        found |= _noted(rows)
        for _, effects in effects_wanted.send(sender=type(rows[0]), rows=rows):
            found |= cast(dict[int, Effect], effects)
    return found


def _noted(rows: Sequence[Model]) -> dict[int, Effect]:
    """Return what was noted of approved revisions when all that is approved was measured."""
    notes = MeasuredRevision.objects.filter(
        kind=str(rows[0]._meta.model_name), row__in=[row.pk for row in rows]
    )
    return {note.row: _of_note(note) for note in notes}


def _of_note(note: MeasuredRevision) -> Effect:
    said = "milder" if note.less_strict else "stricter or the same"
    return Effect(f"{said}, as measured by {moment_words(note.noted)}", lenient=note.less_strict)


def measure(rows: Sequence[Model], *, by: User) -> Measuring:
    """Measure rows together, or begin to."""
    answers = measuring_wanted.send(sender=type(rows[0]), rows=rows, by=by) if rows else []
    return next((cast(Measuring, answer) for _, answer in answers), Measuring("There is nothing to measure."))
