"""Rows that correspond to the records of a release document, and the way from rows to records."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from django.contrib.auth.models import User
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models

from catalog.records import Record
from catalog.tables.authorship import Created

LISTED = "_listed"
"""The end of the name of a column that stands for a part."""

AnyRecord = TypeVar("AnyRecord", bound=Record)


class RecordQuerySet(models.QuerySet[Any]):
    """Rows that can be read as records."""

    def identified(self, ids: Collection[str]) -> Self:
        """Return the rows of these records."""
        return self.filter(pk__in=ids)

    def records(self) -> list[Any]:
        """Return the rows as frozen records, in the order of the query.

        It needs a few queries, however many rows there are.
        """
        return [row.to_record() for row in self.prefetch_related(*self.model.record_parts)]

    def all_records(self) -> list[Any]:
        """Return the rows likewise, in a third of the time: for many rows, which are not locked.

        What belongs to a row is read with it, and what no record has, who wrote it and when, is not read.
        """
        lists = self.model.record_lists
        parts = [part for part in self.model.record_parts if part not in lists]
        read = {f"{part}{LISTED}": _listed(self.model, part, column) for part, column in lists.items()}
        rows = self.annotate(**read).defer(*_of_authors(self.model))
        return [row.to_record() for row in rows.prefetch_related(*parts)]


class Recorded(Created):
    """A row that corresponds to one record: an action writes it from the record, `to_record` returns it."""

    record_parts: ClassVar[tuple[str, ...]] = ()
    """The relations that `to_record` reads."""

    record_lists: ClassVar[Mapping[str, Any]] = {}
    """What `to_record` reads of those parts that are lists of rows with a `position`: a column of them."""

    objects = RecordQuerySet.as_manager()

    class Meta:
        abstract = True

    def to_record(self) -> Any:
        """Return the row as the record that it was written from."""
        raise NotImplementedError

    def listed(self, part: str, read: Callable[[Any], Any]) -> list[Any]:
        """Return what a record says of each row of a part, in order; `read` gets it from one of them."""
        known: list[Any] | None = getattr(self, f"{part}{LISTED}", None)
        return [read(one) for one in getattr(self, part).all()] if known is None else known


def _listed(model: type[models.Model], part: str, column: Any) -> ArraySubquery:
    """Return a column with what belongs to each row, in its order."""
    link: Any = model._meta.get_field(part)
    rows = link.related_model._default_manager.filter(**{link.field.name: models.OuterRef("pk")})
    return ArraySubquery(rows.order_by("position").values_list(column))


def _of_authors(model: type[models.Model]) -> list[str]:
    """Return the columns that say who did something with a row, and when."""
    return [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, models.DateTimeField) or field.related_model is User
    ]


def record_from(row: Recorded, record_type: type[AnyRecord], **other: Any) -> AnyRecord:
    """Return a row as a record: columns by the names of its fields, and `other` if the names differ.

    Types are checked again. Raises `msgspec.ValidationError` for a row that does not fit the record.
    """
    names = record_type.__struct_fields__
    fields = {name: other[name] if name in other else getattr(row, name) for name in names}
    return msgspec.convert(fields, record_type)
