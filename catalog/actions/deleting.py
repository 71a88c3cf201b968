"""Deleting what nothing refers to. Releases hold their own copies, so no answer of the past is touched.

Before a row goes it is marked with who deletes it, so the last version in its history says so.
"""

from django.contrib.auth.models import User
from django.db import models, transaction

from catalog.errors import NotRecorded, StillReferred
from catalog.models import Airline, Brand, Device, Source
from catalog.tables.actions.updating import update
from catalog.tables.references import references


def delete_device(*, by: User, model_id: str) -> None:
    """Delete a model with its marks. Raises `NotRecorded`, or `StillReferred` while it has a recall."""
    _delete(Device, by=by, record_id=model_id)


def delete_airline(*, by: User, code: str) -> None:
    """Delete an airline with its policy. Raises `NotRecorded`, or `StillReferred` while it has a rule."""
    _delete(Airline, by=by, record_id=code)


def delete_source(*, by: User, source_id: str) -> None:
    """Delete a source. Raises `NotRecorded`, or `StillReferred` while anything rests on it."""
    _delete(Source, by=by, record_id=source_id)


def delete_brand(*, by: User, slug: str) -> None:
    """Delete a brand. Raises `NotRecorded`, or `StillReferred` while it has a model."""
    _delete(Brand, by=by, record_id=slug)


@transaction.atomic
def _delete(model: type[models.Model], *, by: User, record_id: str) -> None:
    # Whoever is just about to refer to the row waits for this lock, and finds it gone.
    row = model._default_manager.select_for_update().filter(pk=record_id).first()
    if row is None:
        raise NotRecorded(record_id, f"there is no such {model._meta.verbose_name}")
    if found := references(row):
        raise StillReferred(record_id, f"is referred to by {' and '.join(map(str, found))}")
    update(by, {row: {}})
    row.delete()
