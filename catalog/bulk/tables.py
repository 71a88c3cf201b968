"""What import and export need to know of one kind of record. Each slice makes its own `Table`."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib.auth.models import User

from catalog import records
from catalog.bulk.cells import columns_of
from catalog.tables.recorded import Recorded

BATCH = 2_000
"""How many records an export reads at once. A hundred thousand with their parts would fill the memory."""


@dataclass(frozen=True)
class Existing:
    """The record under an id before an import.

    Changes are measured against `record`, and a row without a column keeps its value there. `note` describes
    the effect of a change in short, if it is not obvious.
    """

    record: Any
    note: str = ""

    def says(self, record: Any) -> bool:
        """Return whether this is already recorded, so nothing is to be written."""
        return bool(self.record == record)

    def refusal(self, marks: Mapping[str, Any]) -> str:
        """Return why it cannot be changed, "" if it can. `marks` is what else the file says of it."""
        return ""


def no_names(records: Sequence[Any]) -> Sequence[str]:
    """Return no new names."""
    return ()


def nothing_required(edits: Sequence[tuple[Any, Any]], reason: str) -> None:
    """Require nothing of the edits of a table."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """One kind of record: its table, its key, and the actions that write many.

    `key` is the field of the record that contains the primary key of its row. `deciding` are the fields
    that decide answers, identify the record or are shown as what it says: on the screens, their changes
    wait for approval. `require` refuses what an editor may not save: it gets each record before and after,
    and the reason. `new_names` returns names that records would add, such as brands, in words: an import
    asks about them. `remove` deletes a record by its id; None if nothing does.
    """

    model: type[Recorded]
    record_type: type[records.Record]
    key: str
    order: tuple[str, ...] = ("pk",)
    record: Callable[[User, list[Any]], object]
    change: Callable[[User, list[Any]], object]
    deciding: tuple[str, ...] = ()
    require: Callable[[Sequence[tuple[Any, Any]], str], None] = nothing_required
    new_names: Callable[[Sequence[Any]], Sequence[str]] = no_names
    remove: Callable[[User, str], object] | None = None
    needs_reason: ClassVar = False

    @property
    def name(self) -> str:
        """The name of exported files, without their extension."""
        return str(self.model._meta.verbose_name_plural).replace(" ", "-")

    @property
    def file_type(self) -> type[records.Record]:
        """The type of a file's entries: the record, perhaps with marks."""
        return self.record_type

    @property
    def marks(self) -> tuple[str, ...]:
        """The columns of a file that are for reading only and are never written."""
        own = {column.name for column in columns_of(self.record_type)}
        return tuple(column.name for column in columns_of(self.file_type) if column.name not in own)

    def existing(self, ids: Collection[str], *, by: User) -> dict[str, Existing]:
        """Return the records under these ids, locked until the transaction ends."""
        locked = self.model.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk")
        return {getattr(record, self.key): Existing(record) for record in locked.records()}

    def rewrite(self, by: User, records: list[Any], reason: str) -> None:
        """Change existing records. Raises `Refused`."""
        self.change(by, records)

    def exported(self, keys: Sequence[Any]) -> Iterator[Any]:
        """Yield the file entries of rows, by their primary keys and in their order."""
        for start in range(0, len(keys), BATCH):
            rows = self.model.objects.filter(pk__in=keys[start : start + BATCH]).order_by(*self.order)
            for row in rows.prefetch_related(*self.model.record_parts):
                yield self.entry(row)

    def entry(self, row: Any) -> Any:
        """Return the file entry of one row."""
        return row.to_record()
