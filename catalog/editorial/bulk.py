"""Files of records with revisions: the rows of a file become drafts, which another person must approve.

A row with a new id opens a draft. A row that differs from the approved content opens the next revision, or
rewrites the draft of the user who imports. Other people's drafts and revisions in review do not change. Each
kind makes a `RevisionTable`; the rest of an import is the same as for other records.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib.auth.models import User

from catalog.bulk.tables import Existing, Table
from catalog.editorial.models import Revision
from catalog.editorial.workflow import AGREED, OPEN, State
from catalog.records import Record


@dataclass(frozen=True, kw_only=True)
class ExistingRevision(Existing):
    """The record of a rule or a recall before an import.

    `texts` are its newest approved and its open revision, `revisions` are their numbers, `occupied` says why
    the open one cannot be rewritten.
    """

    texts: tuple[Any, ...]
    revisions: frozenset[int]
    occupied: str

    def says(self, record: Any) -> bool:
        """Return whether this is already approved, or in the open revision."""
        return record in self.texts

    def refusal(self, marks: Mapping[str, Any]) -> str:
        """Return why it cannot be changed: another person works on it, or the file is outdated."""
        return self.occupied or self._staleness(str(marks.get("revision") or "").strip())

    def _staleness(self, exported: str) -> str:
        newest = max(self.revisions)
        if not exported or exported in {str(revision) for revision in self.revisions}:
            return ""
        return (
            f"`revision` is {exported}, but there is revision {newest}: export it again, "
            "or leave out the column if the row is still correct"
        )


@dataclass(frozen=True, kw_only=True)
class RevisionTable(Table):
    """Rules or recalls: `revise` opens their next revisions, `change` writes drafts again.

    `entry_type` is the record with two marks, `revision` and `state`. They say which revision a file shows.
    """

    model: type[Revision]
    entry_type: type[Record]
    revise: Callable[[User, Sequence[str], str], object]
    needs_reason: ClassVar = True

    @property
    def file_type(self) -> type[Record]:
        """The type of a file's entries."""
        return self.entry_type

    def entry(self, row: Any) -> Any:
        """Return the file entry of one revision."""
        record, state = row.to_record(), State(row.state).label.lower()
        fields = {name: getattr(record, name) for name in record.__struct_fields__}
        return self.entry_type(
            **fields, revision=row.revision, state=f"{state} withdrawal" if row.withdraws else state
        )

    def rewrite(self, by: User, records: list[Any], reason: str) -> None:
        """Write drafts of existing records, and open the next revision if none is open."""
        ids = [getattr(record, self.key) for record in records]
        drafts = self.model.objects.filter(**{f"{self.model.id_field}__in": ids}, state__in=OPEN)
        opened = set(drafts.values_list(self.model.id_field, flat=True))
        if unopened := [record_id for record_id in ids if record_id not in opened]:
            self.revise(by, unopened, reason)
        self.change(by, records)

    def existing(self, ids: Collection[str], *, by: User) -> dict[str, Existing]:
        """Return the existing records under these ids, locked until the transaction ends."""
        mine = self.model.objects.filter(**{f"{self.model.id_field}__in": ids})
        # After waiting here, only the next statement sees rows that were written meanwhile.
        list(mine.order_by("pk").select_for_update().values_list("pk"))
        return dict(self._existing(mine, by))

    def _existing(self, mine: Any, by: User) -> Iterable[tuple[str, Existing]]:
        newest = self._by_id(mine.newest())
        agreed = {name: found for name, found in newest.items() if found[0].state in AGREED}
        others = mine.filter(
            state__in=AGREED, **{f"{self.model.id_field}__in": newest.keys() - agreed.keys()}
        )
        agreed |= self._by_id(others.newest())
        for record_id, (row, text) in newest.items():
            settled = agreed.get(record_id)
            is_open = row.state in OPEN
            own = is_open and by.pk in row.authors
            # The open revision counts if it is the user's own, or if there is no other.
            _, base = (row, text) if own or settled is None else settled
            texts = (base, text) if settled is None else (settled[1], text)
            yield (
                record_id,
                ExistingRevision(
                    record=base,
                    note=_note(row, settled and settled[0], own=own),
                    texts=texts,
                    revisions=frozenset({row.revision, *([settled[0].revision] if settled else [])}),
                    occupied=_occupied(row, own=own) if is_open else "",
                ),
            )

    def _by_id(self, rows: Any) -> dict[str, tuple[Any, Any]]:
        found = rows.select_related("created_by").prefetch_related(*self.model.record_parts)
        return {row.stable_id: (row, row.to_record()) for row in found}


def _note(newest: Revision, agreed: Revision | None, *, own: bool) -> str:
    if own:
        return f"changes your draft, revision {newest.revision}"
    back = ", which restores the record" if agreed is not None and agreed.withdraws else ""
    return f"opens revision {newest.revision + 1}{back}"


def _occupied(row: Revision, *, own: bool) -> str:
    """Return why an open revision cannot be rewritten by a file."""
    if row.state == State.IN_REVIEW:
        return f"revision {row.revision} is in review; it can be changed only after it is returned"
    if own:
        return ""
    return f"revision {row.revision} is a draft of {row.created_by}; a file changes only your own drafts"
