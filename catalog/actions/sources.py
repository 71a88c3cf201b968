"""Recording evidence, changing what is recorded of it, and noting that a page was read again."""

import datetime
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec.structs import asdict

from catalog import records
from catalog.actions.changing import locked, update
from catalog.actions.writing import insert
from catalog.errors import Unfit, WrongState
from catalog.models import Source


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
    """Replace what is recorded of sources, found by their ids. One that stays as it is is not written."""
    rows = locked(Source, [source.id for source in sources])
    changed = [source for source in sources if source != rows[source.id].to_record()]
    update(by, {rows[source.id]: _columns(source) for source in changed})


def change_source(*, by: User, source: records.Source) -> None:
    """Replace what is recorded of one source."""
    change_sources(by=by, sources=[source])


@transaction.atomic
def reread_source(*, by: User, source_id: str, read_on: datetime.date) -> None:
    """Note that a page was read again on a day, and still says what it said.

    Raises `NotRecorded`, `WrongState` for a page that was never read at all, or `Unfit` for a day to come or
    one before the last reading.
    """
    source = locked(Source, [source_id])[source_id]
    if source.basis == records.POINTER:
        raise WrongState(source_id, "was never read, so it cannot be read again; say what was read instead")
    if read_on > timezone.localdate():
        raise Unfit(source_id, f"{read_on} is still to come")
    if read_on < source.read_on:
        raise Unfit(source_id, f"was read later than that already, on {source.read_on}")
    update(by, {source: {"read_on": read_on}})


def _columns(source: records.Source) -> dict[str, Any]:
    columns = asdict(source)
    del columns["id"]
    return columns
