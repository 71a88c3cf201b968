"""The releases of the ledger for readers: the list, and the description of each.

The newest `MOST_CACHED` are cached in memory: a release never changes, so only new ones are read. Called for
the datasets of the public pages and for the pages of releases.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from catalog.database.cached_values import CachedValue
from rules.releases.models import Release

MOST_CACHED = 5_000

PATIENCE_SECONDS = 2


class Entry(NamedTuple):
    """One release. `note` is the sentence that its publisher wrote for readers of the ledger."""

    sequence: int
    ruleset_version: str
    sha256: str
    note: str
    published_at: datetime


def after(sequence: int) -> list[Entry]:
    """Return the releases after a place of the ledger, the oldest first; all of them after 0."""
    rows = Release.objects.filter(sequence__gt=sequence).order_by("sequence")
    return [Entry(*row) for row in rows.values_list(*Entry._fields)]


def count() -> int:
    """Return the number of releases in the ledger."""
    return max((one.sequence for one in _cached.current().values()), default=0)


def newest(most: int, *, skip: int = 0) -> list[Entry]:
    """Return the newest releases, after `skip` of them. Raises `django.db.Error`."""
    cached = _cached.current()
    if skip + most <= len(cached) or len(cached) == count():
        return list(cached.values())[skip : skip + most]
    rows = Release.objects.order_by("-sequence").values_list(*Entry._fields)
    return [Entry(*row) for row in rows[skip : skip + most]]


def of_version(version: str) -> Entry | None:
    """Return a release by its version; None if there is no such release. Raises `django.db.Error`."""
    cached = _cached.current()
    if version in cached or len(cached) == count():
        return cached.get(version)
    row = Release.objects.filter(ruleset_version=version).values_list(*Entry._fields).first()
    return None if row is None else Entry(*row)


def _read(cached: Mapping[str, Entry]) -> Mapping[str, Entry]:
    last = next(iter(cached.values()), None)
    rows = Release.objects.order_by("-sequence").values_list(*Entry._fields)
    if last is None:
        found = rows[:MOST_CACHED]
    elif Release.objects.filter(sha256=last.sha256).exists():
        found = rows.filter(sequence__gt=last.sequence)[:MOST_CACHED]
        if not found:
            return cached
    else:
        # Another ledger: one that was restored.
        return _read({})
    news = {one.ruleset_version: one for one in (Entry(*row) for row in found)}
    return dict(list({**news, **cached}.items())[:MOST_CACHED])


_cached: CachedValue[Mapping[str, Entry]] = CachedValue(_read, {}, seconds=PATIENCE_SECONDS, alone=0)
"""By version, the newest first."""
