"""Files of records with revisions: what a file says of them becomes drafts, for somebody else to approve.

A row of a new id opens a draft; one that differs from what is agreed opens the next revision, or rewrites the
draft of whoever imports. What other people are writing, or what waits for review, is left alone. Each kind
makes a `RevisionTable`; everything else of an import is the same as for other records.
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
    """What is recorded of a rule or a recall.

    `texts` are what its newest agreed and its open revision say, `revisions` are their numbers, `occupied`
    why the open one cannot be rewritten.
    """

    texts: tuple[Any, ...]
    revisions: frozenset[int]
    occupied: str

    def says(self, record: Any) -> bool:
        """Tell whether this is agreed to already, or stands in the open revision."""
        return record in self.texts

    def refusal(self, marks: Mapping[str, Any]) -> str:
        """Return why it cannot be changed: somebody is at it, or the file is older than what is agreed."""
        return self.occupied or self._staleness(str(marks.get("revision") or "").strip())

    def _staleness(self, exported: str) -> str:
        newest = max(self.revisions)
        if not exported or exported in {str(revision) for revision in self.revisions}:
            return ""
        return (
            f"`revision` is {exported}, but there is revision {newest}: export it again, "
            "or leave the column out if the row is right as it is"
        )


@dataclass(frozen=True, kw_only=True)
class RevisionTable(Table):
    """Rules or recalls: `revise` opens their next revisions, `change` writes drafts anew.

    `entry_type` is the record with two marks, `revision` and `state`. They say which revision a file shows.
    """

    model: type[Revision]
    entry_type: type[Record]
    revise: Callable[[User, Sequence[str], str], object]
    needs_reason: ClassVar = True

    @property
    def file_type(self) -> type[Record]:
        """The type of what files hold."""
        return self.entry_type

    def entry(self, row: Any) -> Any:
        """Return what a file holds of one revision."""
        record, state = row.to_record(), State(row.state).label.lower()
        fields = {name: getattr(record, name) for name in record.__struct_fields__}
        return self.entry_type(
            **fields, revision=row.revision, state=f"{state} withdrawal" if row.withdraws else state
        )

    def rewrite(self, by: User, records: list[Any], reason: str) -> None:
        """Write drafts of records that are there, opening the next revision where none is open."""
        ids = [getattr(record, self.key) for record in records]
        drafts = self.model.objects.filter(**{f"{self.model.id_field}__in": ids}, state__in=OPEN)
        opened = set(drafts.values_list(self.model.id_field, flat=True))
        if unopened := [record_id for record_id in ids if record_id not in opened]:
            self.revise(by, unopened, reason)
        self.change(by, records)

    def existing(self, ids: Collection[str], *, by: User) -> dict[str, Existing]:
        """Return what is recorded of these, locked until the transaction ends."""
        mine = self.model.objects.filter(**{f"{self.model.id_field}__in": ids})
        # Whoever had to wait here sees rows that came meanwhile only with the next statement.
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
            # What is open counts where it is mine, and where there is nothing else.
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
        return f"rewrites your draft, revision {newest.revision}"
    back = ", which brings it back" if agreed is not None and agreed.withdraws else ""
    return f"opens revision {newest.revision + 1}{back}"


def _occupied(row: Revision, *, own: bool) -> str:
    """Return why an open revision cannot be rewritten by a file."""
    if row.state == State.IN_REVIEW:
        return f"revision {row.revision} is in review, so it stays as it is unless it is returned"
    if own:
        return ""
    return f"revision {row.revision} is a draft of {row.created_by}; a file changes only drafts of your own"
