"""The history of a row in words: what each of its events changed, field by field.

`catalog.tables.tracking` keeps the events. `field_changes` is a pure function of two of them, `history` reads
those of one row, `histories` those of many. Called by the editors' desk.
"""

import datetime
from collections.abc import Collection
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import models
from pghistory.models import Event

from catalog.dates import moment_words


class FieldChange(NamedTuple):
    """One field, `when.watt_hour_over` for a nested one, as plain JSON before and after. Absent is None."""

    field: str
    before: Any
    after: Any


class Change(NamedTuple):
    """One event of a row: `insert`, `update` or `delete`, and what it changed.

    `context` is the data that the request or the action attached; None if there is none.
    """

    at: datetime.datetime
    what: str
    fields: tuple[FieldChange, ...]
    context: dict[str, Any] | None


def events_of(model: type[models.Model]) -> Any:
    """Return the manager of the events of a model whose history is kept."""
    return model.pgh_event_model.objects  # type: ignore[attr-defined]


def history(model: type[models.Model], key: Any) -> list[Change]:
    """Return the changes of one row, by its primary key, from its beginning; also of a deleted one."""
    return histories(model, [key])[key]


def histories(model: type[models.Model], keys: Collection[Any]) -> dict[Any, list[Change]]:
    """Return the changes of each of some rows, by primary key. One query."""
    found: dict[Any, list[Change]] = {key: [] for key in keys}
    before: dict[Any, Event] = {}
    events = events_of(model).filter(pgh_obj_id__in=keys).select_related("pgh_context")
    for event in events.order_by("pgh_id"):
        key, gone = event.pgh_obj_id, event.pgh_label == "delete"
        context = event.pgh_context.metadata if event.pgh_context else None
        fields = field_changes(before.pop(key, None), None if gone else event)
        found[key].append(Change(event.pgh_created_at, event.pgh_label, fields, context))
        if not gone:
            before[key] = event
    return found


def field_changes(before: Event | None, after: Event | None) -> tuple[FieldChange, ...]:
    """Return the fields that differ between two events of a row, in the order of its columns.

    None is a row that does not exist yet, or no longer; then every field with a value differs.
    """
    old, new = _values(before), _values(after)
    return tuple(
        FieldChange(name, old.get(name), new.get(name))
        for name in (new or old)
        if old.get(name) != new.get(name)
    )


def _values(event: Event | None) -> dict[str, Any]:
    """Return the row of an event as plain JSON: decimals and times as text, links as ids."""
    if event is None:
        return {}
    fields = [field for field in event._meta.concrete_fields if not field.name.startswith("pgh_")]
    return {field.name: _plain(getattr(event, field.attname)) for field in fields}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return moment_words(value, seconds=True)
    if isinstance(value, Decimal | datetime.date):
        return str(value)
    return value
