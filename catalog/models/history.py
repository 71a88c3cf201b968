"""The full history of a table: a row of events for every row that was inserted, changed or deleted.

Triggers write the events, so nothing passes them by: neither `queryset.update` nor raw SQL. They need no
middleware; where a request or a verb opens a `pghistory.context`, its events point to it. `catalog.history`
turns events into readable changes.
"""

from collections.abc import Callable
from typing import TypeVar

import pghistory
import pgtrigger
from django.apps.registry import Apps
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AnyModel = TypeVar("AnyModel", bound=type[models.Model])


def tracked(model: AnyModel) -> AnyModel:
    """Keep the full history of a model, as `<Model>Event` beside it and `events` of its rows."""
    # Statements of many rows cost little more than of one. Updates, however, then find their rows by primary
    # key, and would lose one whose key changes; so they go row by row where the key is not a mere number.
    numbered = isinstance(model._meta.pk, models.AutoField)
    track = pghistory.track(
        pghistory.InsertEvent(level=pgtrigger.Statement),
        pghistory.UpdateEvent(level=pgtrigger.Statement if numbered else pgtrigger.Row),
        pghistory.DeleteEvent(level=pgtrigger.Statement),
        append_only=True,
        meta={"ordering": ["pgh_id"], "default_permissions": ("view",)},
    )
    return track(model)


def begin_history(app_label: str) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    """Return the step of a migration that lets the history of an app begin with the rows that are there."""

    def begin(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for events in apps.get_app_config(app_label).get_models():
            if "pgh_obj" not in {field.name for field in events._meta.fields}:
                continue
            tracked_model = events._meta.get_field("pgh_obj").related_model
            columns = [field.column for field in events._meta.fields if not field.name.startswith("pgh_")]
            listed = ", ".join(f'"{column}"' for column in columns)
            key = tracked_model._meta.pk.column  # type: ignore[union-attr]
            schema_editor.execute(
                f'INSERT INTO "{events._meta.db_table}" ({listed}, pgh_created_at, pgh_label, pgh_obj_id) '
                f'SELECT {listed}, now(), \'insert\', "{key}" FROM "{tracked_model._meta.db_table}"'  # type: ignore[union-attr]
            )

    return begin
