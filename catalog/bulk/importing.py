"""Imports a file in two steps: a preview of each row's outcome, then the import of all rows after consent.

The preview is the import itself, rolled back. So it finds what the actions and the database refuse, and it
shows exactly what will be done. Either every row is written or none: one error stops the whole import.

The consent has a digest: over each row's outcome with every cell before and after. If the file or the records
have changed since, the digest is different, and the import asks again.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from catalog.bulk import files
from catalog.bulk.cells import BadCell, differences, from_cells
from catalog.bulk.tables import Existing, Table
from catalog.errors import Refused

Kind = Literal["new", "changed", "same", "error", "unchecked"]

BATCH = 200
"""How many records an action gets at once. If it refuses one, the rest of the batch is tried again."""

MOST_ERRORS = 100
"""After this many errors the rest is not checked: the file has one big problem, not many small ones."""


class Change(NamedTuple):
    """One cell before and after."""

    column: str
    before: str
    after: str


@dataclass(frozen=True)
class Outcome:
    """The outcome of one row. A row that stays the same, or cannot be written, changes nothing.

    `reason` says why it cannot be written, `note` how it is written if that is not obvious.
    """

    number: int
    record_id: str
    kind: Kind
    changes: tuple[Change, ...] = ()
    reason: str = ""
    note: str = ""


class Writer:
    """How an import writes the records of a table; this one writes them at once."""

    def __init__(self, table: Table, *, by: User, name: str, reason: str) -> None:
        self.table, self.by, self.name, self.reason = table, by, name, reason

    def note(self, found: Existing | None, record: Any) -> str:
        """Return how a row is written if that is not obvious."""
        return found.note if found else ""

    def change(self, records: list[Any]) -> None:
        """Change existing records. Raises `Refused`."""
        self.table.rewrite(self.by, records, self.reason)

    def record(self, records: list[Any]) -> None:
        """Record new records. Raises `Refused`."""
        self.table.record(self.by, records)

    def close(self) -> tuple[int, int | None]:
        """End the import. Return how many records wait for approval, and the id of their change set."""
        return 0, None


class Problem(NamedTuple):
    """What is wrong with some rows of a file, and their numbers."""

    reason: str
    rows: tuple[int, ...]

    @property
    def spans(self) -> str:
        """The rows in short: `3, 7 to 12`."""
        runs: list[list[int]] = []
        for row in self.rows:
            if runs and row == runs[-1][-1] + 1:
                runs[-1].append(row)
            else:
                runs.append([row])
        return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


@dataclass(frozen=True)
class Plan:
    """The outcome of a file, row by row in its order, and the editor's reason for it.

    `new_names` are names that the import adds, such as brands: the editor confirms them. `waiting` is the
    number of records that wait for approval, in the change set with the id `change_set`.
    """

    outcomes: tuple[Outcome, ...]
    reason: str = ""
    new_names: tuple[str, ...] = ()
    waiting: int = 0
    change_set: int | None = field(default=None, compare=False)

    def count(self, kind: Kind) -> int:
        """Return how many rows have an outcome."""
        return sum(outcome.kind == kind for outcome in self.outcomes)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong, each reason once, the one of most rows first."""
        rows: dict[str, list[int]] = {}
        for outcome in self.outcomes:
            if outcome.kind == "error":
                rows.setdefault(outcome.reason, []).append(outcome.number)
        found = [Problem(reason, tuple(sorted(numbers))) for reason, numbers in rows.items()]
        return sorted(found, key=lambda problem: (-len(problem.rows), problem.rows))

    @property
    def can_be_applied(self) -> bool:
        """Whether there is something to write and nothing prevents it."""
        return any(outcome.changes for outcome in self.outcomes) and not self.count("error")

    @property
    def digest(self) -> str:
        """The digest that identifies this plan."""
        rows = [
            (row.number, row.record_id, row.kind, row.changes, row.reason, row.note) for row in self.outcomes
        ]
        content = [self.reason, self.new_names, rows]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


class _Candidate(NamedTuple):
    """A row that is a valid record and differs from the recorded one, if there is one."""

    at: int
    record: Any


def preview(
    table: Table, name: str, content: bytes, *, by: User, reason: str = "", writer: type[Writer] = Writer
) -> Plan:
    """Return what an import would do. Nothing is written. Raises `files.UnreadableFile`."""
    sheet = files.read(name, content, table.file_type)
    return preview_sheet(sheet, writer(table, by=by, name=name, reason=reason))


def preview_sheet(sheet: files.Sheet, writer: Writer) -> Plan:
    """Return what an import of rows would do. Nothing is written."""
    with transaction.atomic():
        plan = _run(sheet, writer)
        transaction.set_rollback(True)
    return plan


def apply(
    table: Table,
    name: str,
    content: bytes,
    *,
    by: User,
    agreed: str,
    reason: str = "",
    names_confirmed: bool = False,
    writer: type[Writer] = Writer,
) -> tuple[bool, Plan]:
    """Import a file if the outcome is the one with the agreed digest, and its new names are confirmed.

    Returns whether it was done, and the plan: what was done or would have been. Raises
    `files.UnreadableFile`.
    """
    sheet = files.read(name, content, table.file_type)
    writes = writer(table, by=by, name=name, reason=reason)
    return apply_sheet(sheet, writes, agreed=agreed, names_confirmed=names_confirmed)


def apply_sheet(
    sheet: files.Sheet, writer: Writer, *, agreed: str, names_confirmed: bool = False
) -> tuple[bool, Plan]:
    """Import rows as `apply` imports a file."""
    with transaction.atomic():
        plan = _run(sheet, writer)
        done = plan.can_be_applied and plan.digest == agreed and (names_confirmed or not plan.new_names)
        transaction.set_rollback(not done)
    return done, plan


def _run(sheet: files.Sheet, writer: Writer) -> Plan:
    """Write all rows that can be written, and return the outcome of each."""
    table, by = writer.table, writer.by
    ids = [str(row.values.get(table.key) or "") for row in sheet.rows]
    # Locked, so the actions find the same records that the preview shows.
    there = table.existing(set(ids), by=by)
    outcomes: list[Outcome] = []
    first_at: dict[str, int] = {}
    new: list[_Candidate] = []
    changed: list[_Candidate] = []
    for at, (row, record_id) in enumerate(zip(sheet.rows, ids, strict=True)):
        found = there.get(record_id)
        kept = found.record if found else None
        marks = {name: row.values[name] for name in table.marks if name in row.values}
        try:
            record = _read(table, row, record_id, kept, is_json=sheet.is_json)
            if record_id in first_at:
                raise BadCell(table.key, f"is also in row {first_at[record_id]}")
        except (BadCell, msgspec.ValidationError) as problem:
            outcomes.append(Outcome(row.number, record_id, "error", reason=str(problem)))
            continue
        first_at[record_id] = row.number
        if found and found.says(record):
            outcomes.append(Outcome(row.number, record_id, "same"))
        elif found and (refusal := found.refusal(marks)):
            outcomes.append(Outcome(row.number, record_id, "error", reason=refusal))
        else:
            (changed if found else new).append(_Candidate(at, record))
            changes = tuple(Change(*difference) for difference in differences(kept, record))
            kind: Kind = "changed" if found else "new"
            note = writer.note(found, record)
            outcomes.append(Outcome(row.number, record_id, kind, changes, note=note))
    new_names = tuple(table.new_names([candidate.record for candidate in (*changed, *new)]))
    _write(table, writer.change, changed, outcomes)
    _write(table, writer.record, new, outcomes)
    waiting, change_set = writer.close()
    return Plan(tuple(outcomes), writer.reason, new_names, waiting, change_set)


def _read(table: Table, row: files.Row, record_id: str, kept: Any, *, is_json: bool) -> Any:
    """Return the record of a row. Raises `BadCell` or `msgspec.ValidationError`."""
    if row.problem:
        raise msgspec.ValidationError(row.problem)
    if not record_id:
        raise BadCell(table.key, "is missing")
    if not is_json:
        return from_cells(table.record_type, row.values, kept=kept)
    fields = msgspec.to_builtins(kept) if kept is not None else {}
    values = {name: value for name, value in row.values.items() if name not in table.marks}
    return msgspec.convert({**fields, **values}, table.record_type)


def _write(
    table: Table,
    write: Callable[[list[Any]], object],
    candidates: Sequence[_Candidate],
    outcomes: list[Outcome],
) -> None:
    """Pass records to an action in batches, and note in `outcomes` which ones it refuses."""
    remaining = iter(candidates)
    while batch := list(islice(remaining, BATCH)):
        while batch:
            if sum(outcome.kind == "error" for outcome in outcomes) >= MOST_ERRORS:
                for candidate in batch + list(remaining):
                    outcomes[candidate.at] = replace(outcomes[candidate.at], kind="unchecked")
                return
            try:
                with transaction.atomic():
                    write([candidate.record for candidate in batch])
                break
            except Refused as refused:
                batch = _without(table, refused, batch, outcomes)


def _without(
    table: Table, refused: Refused, batch: list[_Candidate], outcomes: list[Outcome]
) -> list[_Candidate]:
    """Note the refusal of one record, and return the batch without it."""
    others = []
    for candidate in batch:
        if getattr(candidate.record, table.key) == refused.record_id:
            outcomes[candidate.at] = replace(
                outcomes[candidate.at], kind="error", changes=(), reason=refused.reason, note=""
            )
        else:
            others.append(candidate)
    if len(others) == len(batch):
        # The refusal names none of these rows, so an editor could not correct it.
        raise refused
    return others
