"""How actions delete a row that nothing refers to. Used by the slices of `catalog`.

Releases contain their own copies, so no past answer changes. The row is first marked with who deletes it, so
the last version in its history names that user.
"""

from django.contrib.auth.models import User
from django.db import models, transaction

from catalog.errors import NotRecorded, StillReferred
from catalog.tables.actions.updating import update
from catalog.tables.references import references


@transaction.atomic
def delete(model: type[models.Model], *, by: User, record_id: str) -> None:
    """Delete a row. Raises `NotRecorded`, or `StillReferred` if anything refers to it."""
    # An action that will refer to the row waits for this lock, and then finds no row.
    row = model._default_manager.select_for_update().filter(pk=record_id).first()
    if row is None:
        raise NotRecorded(record_id, f"there is no such {model._meta.verbose_name}")
    if found := references(row):
        raise StillReferred(record_id, f"is used by {' and '.join(map(str, found))}")
    update(by, {row: {}})
    row.delete()
