"""Rows that correspond to the records of a release document, and the way from rows to records."""

from collections.abc import Collection
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from django.db import models

from catalog.records import Record
from catalog.tables.authorship import Created

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


class Recorded(Created):
    """A row that corresponds to one record: an action writes it from the record, `to_record` returns it."""

    record_parts: ClassVar[tuple[str, ...]] = ()
    """The relations that `to_record` reads."""

    objects = RecordQuerySet.as_manager()

    class Meta:
        abstract = True

    def to_record(self) -> Any:
        """Return the row as the record that it was written from."""
        raise NotImplementedError


def record_from(row: Recorded, record_type: type[AnyRecord], **other: Any) -> AnyRecord:
    """Return a row as a record: columns by the names of its fields, and `other` if the names differ.

    Types are checked again. Raises `msgspec.ValidationError` for a row that does not fit the record.
    """
    names = record_type.__struct_fields__
    fields = {name: other[name] if name in other else getattr(row, name) for name in names}
    return msgspec.convert(fields, record_type)
