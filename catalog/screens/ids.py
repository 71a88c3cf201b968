"""The ids in addresses and forms of the admin, which anyone can change: read strictly before a query."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import Http404


def as_key(model: type[Model], text: object) -> Any:
    """Return a text as a primary key of a model; None if no row can have it, such as `²` or `0x10`."""
    field: Any = model._meta.pk
    try:
        return field.clean(text, None)
    except ValidationError:
        return None


def row_or_none(model: type[Model], text: object) -> Any:
    """Return the row with this id, if there is one."""
    key = as_key(model, text)
    return None if key is None else model._default_manager.filter(pk=key).first()


def row_or_404(model: type[Model], text: object) -> Any:
    """Return the row with this id. Raises `Http404` if there is none."""
    row = row_or_none(model, text)
    if row is None:
        raise Http404
    return row
