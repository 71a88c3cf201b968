"""The releases of the ledger for readers: the list, and the description of each.

A release that no known key has signed is not in it. The newest `MOST_CACHED` are cached in memory: a release
never changes, so only new ones are read. Called for the datasets of the public pages and for the pages of
releases.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from catalog.database.cached_values import CachedValue
from rules.releases import signing
from rules.releases.models import Release, ReleaseQuerySet

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
    return _signed(Release.objects.filter(sequence__gt=sequence).order_by("sequence"))


def count() -> int:
    """Return the number of releases in the ledger."""
    return max((one.sequence for one in _cached.current().values()), default=0)


def newest(most: int, *, skip: int = 0) -> list[Entry]:
    """Return the newest releases, after `skip` of them. Raises `django.db.Error`."""
    cached = _cached.current()
    if skip + most <= len(cached) or len(cached) == count():
        return list(cached.values())[skip : skip + most]
    return _signed(Release.objects.order_by("-sequence")[skip : skip + most])


def of_version(version: str) -> Entry | None:
    """Return a release by its version; None if there is no such release. Raises `django.db.Error`."""
    cached = _cached.current()
    if version in cached or len(cached) == count():
        return cached.get(version)
    return next(iter(_signed(Release.objects.filter(ruleset_version=version))), None)


def _read(cached: Mapping[str, Entry]) -> Mapping[str, Entry]:
    last = next(iter(cached.values()), None)
    rows = Release.objects.order_by("-sequence")
    if last is None:
        found = _signed(rows[:MOST_CACHED])
    elif Release.objects.filter(sha256=last.sha256).exists():
        found = _signed(rows.filter(sequence__gt=last.sequence)[:MOST_CACHED])
        if not found:
            return cached
    else:
        # Another ledger: one that was restored.
        return _read({})
    news = {one.ruleset_version: one for one in found}
    return dict(list({**news, **cached}.items())[:MOST_CACHED])


def _signed(releases: ReleaseQuerySet) -> list[Entry]:
    """Return those releases that may be believed."""
    rows = releases.defer("document").prefetch_related("signatures")
    return [
        Entry(*(getattr(one, name) for name in Entry._fields))
        for one in rows
        if not signing.problems(signing.row_of(one), signing.signatures_of(one))
    ]


_cached: CachedValue[Mapping[str, Entry]] = CachedValue(_read, {}, seconds=PATIENCE_SECONDS, alone=0)
"""By version, the newest first."""
