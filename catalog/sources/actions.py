"""Records, changes and deletes sources, and notes that a page was read again."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec.structs import asdict

from catalog import records
from catalog.errors import Unfit, WrongState
from catalog.sources.models import Source
from catalog.tables.actions.deleting import delete
from catalog.tables.actions.inserting import insert
from catalog.tables.actions.updating import locked, update


@transaction.atomic
def record_sources(*, by: User, sources: Sequence[records.Source]) -> None:
    """Record pieces of evidence."""
    now = timezone.now()
    insert([Source(**asdict(source), created_at=now, created_by=by) for source in sources])


def record_source(*, by: User, source: records.Source) -> None:
    """Record one piece of evidence."""
    record_sources(by=by, sources=[source])


@transaction.atomic
def change_sources(*, by: User, sources: Sequence[records.Source]) -> None:
    """Replace the recorded data of sources, found by their ids. One that does not change is not written."""
    rows = locked(Source, [source.id for source in sources])
    changed = [source for source in sources if source != rows[source.id].to_record()]
    update(by, {rows[source.id]: _columns(source) for source in changed})


def change_source(*, by: User, source: records.Source) -> None:
    """Replace the recorded data of one source."""
    change_sources(by=by, sources=[source])


@transaction.atomic
def reread_sources(*, by: User, read_on: Mapping[str, datetime.date]) -> None:
    """Note that pages were read again, each on its day, with the same content.

    One that was already read on that day does not change. Raises `NotRecorded`, `WrongState` for a page that
    was never read, or `Unfit` for a day in the future or before the last reading.
    """
    sources = locked(Source, sorted(read_on))
    today = timezone.localdate()
    for source_id, day in read_on.items():
        source = sources[source_id]
        if source.basis == records.POINTER:
            raise WrongState(
                source_id, "was never read, so it cannot be read again; record a first reading instead"
            )
        if day > today:
            raise Unfit(source_id, f"{day} is in the future")
        if day < source.read_on:
            raise Unfit(source_id, f"was already read later than that, on {source.read_on}")
    update(
        by,
        {
            sources[source_id]: {"read_on": day}
            for source_id, day in read_on.items()
            if sources[source_id].read_on != day
        },
    )


def reread_source(*, by: User, source_id: str, read_on: datetime.date) -> None:
    """Note that one page was read again on a day, with the same content."""
    reread_sources(by=by, read_on={source_id: read_on})


def delete_source(*, by: User, source_id: str) -> None:
    """Delete a source. Raises `NotRecorded`, or `StillReferred` if anything rests on it."""
    delete(Source, by=by, record_id=source_id)


def _columns(source: records.Source) -> dict[str, Any]:
    columns = asdict(source)
    del columns["id"]
    return columns
