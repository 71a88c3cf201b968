"""The history of policies that follows from releases, as readers get it.

The counts are kept in memory, for the release that answers. Releases never change, so a process makes one
query until the next release. While the history is still being computed, the query is repeated at most every
`PATIENCE_SECONDS`. While the database is away, the last result is used; if there is none, there is no
history. The newest `MOST_CACHED` entries are cached too, so pages need the database only for older ones.

Called by the views of the API and by the builders of pages.
"""

import datetime
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from time import monotonic
from typing import Any, NamedTuple, cast

import msgspec
from django.db import Error as DatabaseFailure
from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber

from catalog.database import cached_values
from catalog.tables.history import FieldChange
from rules import corpus
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.policy_history.comparison import PolicyChangeWord, PolicySubject
from rules.policy_history.models import PolicyEntry, PolicyHistory
from rules.releases.models import Release

PATIENCE_SECONDS = 2

MOST_CACHED = 2_000

MOST_RECENT = 100
"""How many entries are returned at once; paging reaches all of them."""


class Beginning(NamedTuple):
    """The first release: its content is the beginning of the history, and not a change."""

    ruleset_version: str
    date: datetime.date


class Counted(NamedTuple):
    """How many entries one airline, or if that is null, one jurisdiction has on one day.

    `starts` is the first day on which they are in force, if that is after `date`.
    """

    date: datetime.date
    airline: str | None
    jurisdiction: str
    starts: datetime.date | None
    entries: int


@dataclass(frozen=True)
class Narrowed:
    """The requested part of a history: all of it, or an airline's, a jurisdiction's, or since a day."""

    airline: str | None = None
    jurisdiction: str | None = None
    since: datetime.date | None = None

    def takes(self, one: "Counted | HistoryEntry") -> bool:
        """Return whether entries are in the requested part."""
        return (
            self.airline in (None, one.airline)
            and self.jurisdiction in (None, one.jurisdiction)
            and (self.since is None or one.date >= self.since)
        )


@dataclass(frozen=True)
class History:
    """What is computed of the ledger up to a release, the newest day first.

    `sequence` and `until` are the place and the version of the newest release that is compared; 0 and null if
    there is none. `complete` says whether that is the release that answers. `moved_at` is the instant at
    which the newest one was compared.
    """

    sequence: int
    until: str | None
    complete: bool
    beginning: Beginning | None
    counted: tuple[Counted, ...]
    moved_at: datetime.datetime | None = None


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One record that a release added, changed or removed; as `rules.policy_history.comparison.PolicyNews`.

    `back_to` is the earlier version that the release went back to, if it did.
    """

    date: datetime.date
    ruleset_version: str
    back_to: str | None
    subject: PolicySubject
    change: PolicyChangeWord
    record_id: str
    airline: str | None
    jurisdiction: str
    starts: datetime.date | None
    fields: tuple[FieldChange, ...]
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    citations: tuple[Citation, ...]


class _Cached(NamedTuple):
    sha256: str
    history: History | None
    asked_at: float


_cached: _Cached | None = None
_reading = threading.Lock()


def history(published: Published) -> History | None:
    """Return what is computed up to a release; None if the database is away and was never read."""
    # While another thread reads, callers use what is cached for this release, if there is anything.
    if _is_old(published) and _reading.acquire(blocking=_of(published) is None):
        try:
            if _is_old(published):
                _read(published)
        finally:
            _reading.release()
    known = _of(published)
    return None if known is None else known.history


def forget() -> None:
    """Empty the cache: the next call reads the database. For tests and commands that cannot wait."""
    global _cached
    _cached = None
    _newest_of.cache_clear()
    _newest_entries.cache_clear()


def starts_with(published: Published) -> None:
    """Assume that a release is the first: for tools and tests that ask without a database."""
    global _cached
    day = published.published_at.astimezone(datetime.UTC).date()
    first = History(1, published.ruleset_version, True, Beginning(published.ruleset_version, day), ())
    _cached = _Cached(published.sha256, first, monotonic())


def entries(until: History, narrowed: Narrowed, *, skip: int, most: int) -> list[HistoryEntry]:
    """Return some entries, the newest release first; those of one in its order. One query at most.

    Raises `django.db.Error`.
    """
    if most <= 0:
        return []
    newest_first = _newest_entries(until.sequence)
    found = [one for one in newest_first if narrowed.takes(one)]
    if len(newest_first) < MOST_CACHED or len(found) >= skip + most:
        return found[skip : skip + most]
    asked = {
        "airline": narrowed.airline,
        "jurisdiction": narrowed.jurisdiction,
        "date__gte": narrowed.since,
        "sequence__lte": until.sequence,
    }
    rows = PolicyEntry.objects.filter(**{name: value for name, value in asked.items() if value is not None})
    return list(_history_entries(rows[skip : skip + most]))


def newest(published: Published, airline: str | None = None) -> tuple[HistoryEntry, ...] | None:
    """Return the newest entries, of an airline or of all; None if they cannot be read now."""
    until = history(published)
    if until is None:
        return None
    if not any(Narrowed(airline).takes(one) for one in until.counted):
        return ()
    try:
        return _newest_of(airline, until)
    except DatabaseFailure:
        # Cached for a moment only: a page without them must not stay.
        cached_values.moved()
        return None


def newest_of_airlines(published: Published, most: int) -> dict[str, tuple[HistoryEntry, ...]]:
    """Return the newest entries of each airline with entries, up to `most` of each. One query.

    Raises `django.db.Error`.
    """
    until = history(published)
    if until is None or not until.counted:
        return {}
    rows = PolicyEntry.objects.filter(sequence__lte=until.sequence).exclude(airline="")
    place = Window(RowNumber(), partition_by=F("airline"), order_by=[F("sequence").desc(), F("position")])
    first = rows.annotate(place=place).filter(place__lte=most).order_by("airline", "-sequence", "position")
    by_airline = groupby(_history_entries(first), attrgetter("airline"))
    return {code: tuple(found) for code, found in by_airline}


def _of(published: Published) -> _Cached | None:
    known = _cached
    return known if known is not None and known.sha256 == published.sha256 else None


def _is_old(published: Published) -> bool:
    known = _of(published)
    if known is None:
        return True
    if known.history is not None and known.history.complete:
        return False
    return monotonic() - known.asked_at >= PATIENCE_SECONDS


def _read(published: Published) -> None:
    global _cached
    try:
        found: History | None = _history(published)
    except DatabaseFailure:
        # What was true of an older release is still true: it only covers less.
        found = None if _cached is None else _cached.history
        if found is not None and found.complete:
            found = replace(found, complete=False)
    before, _cached = _cached, _Cached(published.sha256, found, monotonic())
    if before is None or before[:2] != _cached[:2]:
        cached_values.moved()


def _history(published: Published) -> History:
    place = Release.objects.filter(sha256=published.sha256).values_list("sequence", flat=True).first()
    known = PolicyHistory.objects.filter(sequence__lte=place or 0)
    last = known.values_list("sequence", "release__ruleset_version", "worked_out").first()
    if last is None:
        return History(0, None, False, None, ())
    sequence, version, worked_out = last
    first = known.values_list("release__ruleset_version", "release__published_at").last()
    rows = PolicyEntry.objects.filter(sequence__lte=sequence).order_by("-date", "airline", "jurisdiction")
    counted = rows.values_list("date", "airline", "jurisdiction", "starts").annotate(entries=Count("pk"))
    return History(
        sequence,
        version,
        sequence == place,
        None if first is None else Beginning(first[0], first[1].astimezone(datetime.UTC).date()),
        tuple(Counted(date, airline or None, *more) for date, airline, *more in counted),
        worked_out,
    )


# For airlines with many readers. Entries never change.
@lru_cache(maxsize=64)
def _newest_of(airline: str | None, until: History) -> tuple[HistoryEntry, ...]:
    return tuple(entries(until, Narrowed(airline), skip=0, most=MOST_RECENT))


# Only one release answers at a time.
@lru_cache(maxsize=1)
def _newest_entries(sequence: int) -> tuple[HistoryEntry, ...]:
    """Return the newest entries up to a place of the ledger. Raises `django.db.Error`."""
    return tuple(_history_entries(PolicyEntry.objects.filter(sequence__lte=sequence)[:MOST_CACHED]))


def _history_entries(rows: "QuerySet[PolicyEntry]") -> Iterator[HistoryEntry]:
    found: Iterable[PolicyEntry] = rows.select_related("history__release", "history__back_to").defer(
        "history__release__document", "history__back_to__document"
    )
    for row in found:
        back_to = row.history.back_to
        yield HistoryEntry(
            date=row.date,
            ruleset_version=row.history.release.ruleset_version,
            back_to=None if back_to is None else back_to.ruleset_version,
            subject=cast(PolicySubject, row.subject),
            change=cast(PolicyChangeWord, row.change),
            record_id=row.record_id,
            airline=row.airline or None,
            jurisdiction=row.jurisdiction,
            starts=row.starts,
            fields=tuple(FieldChange(*field) for field in row.fields),
            before=row.before,
            after=row.after,
            citations=tuple(msgspec.convert(one, Citation) for one in row.citations),
        )


@cached_values.renewing
def _renew() -> None:
    """Read what the answering release needs, before the first request."""
    newest(corpus.current())


def _reset_in_child() -> None:
    """After a fork: keep what the parent read, but not a lock that it may hold."""
    global _reading
    _reading = threading.Lock()


os.register_at_fork(after_in_child=_reset_in_child)
