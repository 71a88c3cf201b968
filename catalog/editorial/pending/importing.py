"""Imports of records whose facts change by approval: all of a file becomes one change set."""

from typing import Any

from django.contrib.auth.models import User

from catalog.bulk.importing import Writer
from catalog.bulk.tables import Existing, Table
from catalog.editorial.pending import actions
from catalog.editorial.pending.facts import Edit, decides
from catalog.editorial.pending.models import PendingChange


class PendingWriter(Writer):
    """Writes notes at once, and keeps the rest of a file for one change set."""

    def __init__(self, table: Table, *, by: User, name: str, reason: str) -> None:
        super().__init__(table, by=by, name=name, reason=reason)
        self._held: list[PendingChange] = []

    def note(self, found: Existing | None, record: Any) -> str:
        """Say what waits for approval."""
        record_id = str(getattr(record, self.table.key))
        return (
            "waits for approval"
            if decides(self.table, Edit(record_id, found and found.record, record))
            else ""
        )

    def change(self, records: list[Any]) -> None:
        """Hold the facts of records back, and write the notes."""
        self._held += actions.hold(self.table, records, by=self.by, reason=self.reason)

    def record(self, records: list[Any]) -> None:
        """Hold new records back."""
        self.change(records)

    def close(self) -> tuple[int, int | None]:
        """Make one change set of all that waits."""
        found = actions.open_change_set(self._held, by=self.by, subject=self.name, reason=self.reason)
        return len(self._held), found.pk if found else None
