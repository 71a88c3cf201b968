"""Writes that the database must refuse, without any of Django's checks.

Each app has a table of writes, each with the constraint that should refuse it. The writes go through
`queryset.update` and `bulk_create`, which validate nothing, and no trigger comes before the constraint.
"""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

Write = Callable[[], object]


def change(model: type[models.Model], record_id: str | int, /, **changes: Any) -> Write:
    """Return the write that changes the one row of an existing record."""
    key = getattr(model, "id_field", "pk")

    def write() -> None:
        assert model._default_manager.filter(**{key: record_id}).update(**changes) == 1

    return write


def copy(model: type[models.Model], changes: dict[str, Any], **found_by: Any) -> Write:
    """Return the write that inserts a changed copy of a row; for models with a numbered primary key."""

    def write() -> None:
        row = model._default_manager.get(**found_by)
        row.pk = None
        for field, value in changes.items():
            setattr(row, field, value)
        model._default_manager.bulk_create([row])

    return write


def violated(write: Write) -> str | None:
    """Return the name of the constraint that refuses a write, or None; the write is rolled back."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            write()
            transaction.set_rollback(True)
    except IntegrityError as error:
        return str(error.__cause__.diag.constraint_name)  # type: ignore[union-attr]
    return None


def constraints_of(app_label: str, *model_names: str) -> set[str]:
    """Return the names of the constraints of an app's models, of all or of the named ones."""
    return {
        constraint.name
        for model in apps.get_app_config(app_label).get_models()
        if not model_names or model.__name__ in model_names
        for constraint in model._meta.constraints
    }
