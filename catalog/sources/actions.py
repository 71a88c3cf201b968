"""Records, changes and deletes sources, and notes that a page was read again.

Whoever writes a reading becomes the person who recorded it, at that instant: publishing a milder answer asks
for a reading by another person than its author, recorded after the reading that it replaces.
"""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec.structs import asdict

from catalog import records
from catalog.dates import day_words
from catalog.errors import Unfit, WrongState
from catalog.sources.models import Source
from catalog.sources.signals import read_again
from catalog.tables.actions.deleting import delete
from catalog.tables.actions.inserting import insert
from catalog.tables.actions.updating import locked, update

READING = ("url", "read_url", "basis", "page_date", "read_on")
"""What describes a reading: a change of any of these records another one."""


@transaction.atomic
def record_sources(*, by: User, sources: Sequence[records.Source]) -> None:
    """Record pieces of evidence.

    Raises `Unfit` for a reading in the future, `WrongState` for a page that takes two people.
    """
    now = timezone.now()
    _refuse_future({source.id: source.read_on for source in sources}, now)
    _announce({source.id: source.url for source in sources if source.citable})
    insert(
        [
            Source(**asdict(source), created_at=now, created_by=by, recorded_at=now, recorded_by=by)
            for source in sources
        ]
    )


def record_source(*, by: User, source: records.Source) -> None:
    """Record one piece of evidence."""
    record_sources(by=by, sources=[source])


@transaction.atomic
def change_sources(*, by: User, sources: Sequence[records.Source]) -> None:
    """Replace the recorded data of sources, found by their ids. One that does not change is not written.

    Raises `Unfit` for a reading in the future, `WrongState` for one that takes two people.
    """
    now = timezone.now()
    rows = locked(Source, [source.id for source in sources])
    changed = [source for source in sources if source != rows[source.id].to_record()]
    _refuse_future({source.id: source.read_on for source in changed}, now)
    readings = {source.id for source in changed if _is_other_reading(rows[source.id], source)}
    _announce({source_id: rows[source_id].url for source_id in sorted(readings)})
    _announce({source.id: source.url for source in changed if source.id in readings and source.citable})
    update(
        by,
        {
            rows[source.id]: _columns(source) | (_recorded(by, now) if source.id in readings else {})
            for source in changed
        },
    )


def change_source(*, by: User, source: records.Source) -> None:
    """Replace the recorded data of one source."""
    change_sources(by=by, sources=[source])


@transaction.atomic
def restore_sources(*, by: User, sources: Sequence[records.Source]) -> None:
    """Give sources their data of an earlier release. No one reads a page by that.

    So who recorded the last reading, and when, stays.
    """
    rows = locked(Source, [source.id for source in sources])
    changed = [source for source in sources if source != rows[source.id].to_record()]
    update(by, {rows[source.id]: _columns(source) for source in changed})


@transaction.atomic
def reread_sources(*, by: User, read_on: Mapping[str, datetime.date]) -> None:
    """Note that pages were read again, each on its day, with the same content.

    A page can be read again on the day of its last reading. Raises `NotRecorded`, `WrongState` for a page
    that was never read or that takes two people, or `Unfit` for a day in the future or before the last
    reading.
    """
    now = timezone.now()
    sources = locked(Source, sorted(read_on))
    for source_id, day in read_on.items():
        source = sources[source_id]
        if source.basis == records.POINTER:
            raise WrongState(
                source_id, "was never read, so it cannot be read again; record a first reading instead"
            )
        if day < source.read_on:
            raise Unfit(source_id, f"was already read later than that, on {day_words(source.read_on)}")
    _refuse_future(read_on, now)
    _announce({source_id: sources[source_id].url for source_id in read_on})
    update(
        by,
        {sources[source_id]: {"read_on": day} | _recorded(by, now) for source_id, day in read_on.items()},
    )


def reread_source(*, by: User, source_id: str, read_on: datetime.date) -> None:
    """Note that one page was read again on a day, with the same content."""
    reread_sources(by=by, read_on={source_id: read_on})


def delete_source(*, by: User, source_id: str) -> None:
    """Delete a source. Raises `NotRecorded`, or `StillReferred` if anything rests on it."""
    delete(Source, by=by, record_id=source_id)


def _announce(addresses: Mapping[str, str]) -> None:
    """Let the packages above refuse readings of pages, by source."""
    if addresses:
        read_again.send(sender=Source, addresses=addresses)


def _refuse_future(read_on: Mapping[str, datetime.date], now: datetime.datetime) -> None:
    today = now.astimezone(datetime.UTC).date()
    for source_id, day in read_on.items():
        if day > today:
            raise Unfit(source_id, f"it cannot have been read on {day}: that is in the future")


def _is_other_reading(row: Source, source: records.Source) -> bool:
    return any(getattr(row, name) != getattr(source, name) for name in READING)


def _recorded(by: User, now: datetime.datetime) -> dict[str, Any]:
    return {"recorded_at": now, "recorded_by_id": by.pk}


def _columns(source: records.Source) -> dict[str, Any]:
    columns = asdict(source)
    del columns["id"]
    return columns
