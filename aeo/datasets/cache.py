"""The stored datasets: which releases have files, and what is in them.

A release never changes, so a process keeps the newest ones in memory: the releases, the facts about their
files, what each changed, and the files of the newest release. Older data, and anything beyond the limits
below, is read from the database on request.

Called by the views and by `aeo.datasets.actions`, which writes the datasets.
"""

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from aeo.datasets.models import DatasetChange, DatasetFile, DatasetRelease
from aeo.editions import Edition
from aeo.page_records.selectors import Followed
from catalog.database.cached_values import CachedValue

LATEST = 20
"""How many releases pages and feeds list; the change list has all."""

QUIET_FIELDS = {"citations", "last_checked", "policy_read_on"}
"""Fields that change when a source is read again without a finding: no news for readers."""

DESCRIBED_FIELDS = (
    "summary",
    "question",
    "title",
    "notice_url",
    "authority",
    "announced_on",
    "model_id",
    "hazard",
    "remedy",
)
"""The fields of a changed record that feeds and pages describe."""

MOST_RELEASES = 500

MOST_CHANGES = 30_000

MOST_BYTES = 8 * 1024 * 1024
"""The memory limit for the newest release's files, compressed."""

PATIENCE_SECONDS = 2


class Changed(msgspec.Struct, frozen=True):
    """A record that a release changed, as `DatasetChange` has it.

    Its `record` contains only the `DESCRIBED_FIELDS`.
    """

    release: DatasetRelease
    name: str
    record_id: str
    change: str
    fields: list[str]
    record: dict[str, Any]
    model_id: str
    brand_id: str
    airline: str

    @property
    def release_id(self) -> str:
        """Return the version of the release."""
        return self.release.pk


@dataclass(frozen=True)
class Shelf:
    """What is in memory: releases, newest first, their files by name, and their changes in order.

    `whole` tells whether that is everything. `bodies` are the compressed files of the newest release.
    """

    releases: tuple[DatasetRelease, ...] = ()
    files: Mapping[tuple[str, str, str], DatasetFile] = field(default_factory=dict)
    changes: tuple[Changed, ...] = ()
    bodies: Mapping[tuple[str, str, str], bytes] = field(default_factory=dict)
    whole: bool = True


def newest() -> DatasetRelease | None:
    """Return the newest release with files; None if there is none yet."""
    return next(iter(_cached.current().releases), None)


def first() -> DatasetRelease | None:
    """Return the first release that had files."""
    cached = _cached.current()
    return next(reversed(cached.releases), None) if cached.whole else DatasetRelease.objects.last()


def latest() -> list[DatasetRelease]:
    """Return the latest releases, the newest first."""
    return list(_cached.current().releases[:LATEST])


def release_of(version: str) -> DatasetRelease | None:
    """Return a release with files; None if there is none."""
    cached = _cached.current()
    found = next((one for one in cached.releases if one.pk == version), None)
    return found if found or cached.whole else DatasetRelease.objects.filter(pk=version).first()


def before(release: DatasetRelease | None, most: int) -> list[DatasetRelease]:
    """Return so many releases with files before a given one, or the newest ones; newest first."""
    cached = _cached.current()
    older = [one for one in cached.releases if release is None or one.sequence < release.sequence]
    if cached.whole or len(older) >= most:
        return older[:most]
    rows = DatasetRelease.objects.all()
    return list((rows if release is None else rows.filter(sequence__lt=release.sequence))[:most])


def news(**about: Any) -> list[Changed]:
    """Return the changes about something that carry news, the newest release first.

    `about` are fields of `DatasetChange`, such as `airline="EK"`.
    """
    return [
        one for one in _changes(**about) if one.change != "changed" or not QUIET_FIELDS.issuperset(one.fields)
    ]


def counts(versions: Iterable[str]) -> dict[str, Counter[tuple[str, str]]]:
    """Return how many records each release changed, by dataset and kind of change.

    A release whose files are not made yet is not included.
    """
    return {
        version: Counter((one.name, one.change) for one in _changes(release_id=version))
        for version in versions
        if release_of(version) is not None
    }


def changes_of(version: str, name: str, most: int) -> list[Changed]:
    """Return the first records of a dataset that a release changed, by kind of change and by id."""
    found = _changes(release_id=version, name=name)
    return sorted(found, key=lambda one: (one.change, one.record_id))[:most]


def all_changes_of(version: str) -> list[Changed]:
    """Return everything that a release changed, by dataset and id."""
    return sorted(_changes(release_id=version), key=lambda one: (one.name, one.record_id))


def last_changed(name: str, record_ids: Iterable[str]) -> Mapping[str, datetime]:
    """Return when records of a dataset last changed what they say; without those that are not stored."""
    wanted = set(record_ids)
    found = (one for one in news(name=name) if one.record_id in wanted)
    return {one.record_id: one.release.published for one in reversed(list(found))}


def files_of(version: str) -> list[DatasetFile]:
    """Return the facts about the files of a release, in order."""
    cached = _cached.current()
    found = [file for key, file in cached.files.items() if key[0] == version]
    return found if found or cached.whole else list(_files(release=version))


def file_of(version: str, name: str, file_format: str) -> DatasetFile | None:
    """Return the facts about a file, without loading its body; None if there is no such file."""
    cached, key = _cached.current(), (version, name, file_format)
    if key in cached.files or cached.whole:
        return cached.files.get(key)
    return _files(release=version, name=name, file_format=file_format).first()


def body_of(version: str, name: str, file_format: str) -> bytes | None:
    """Return the bytes of a file; None if there is no such file. Raises `django.db.Error`."""
    cached = _cached.current().bodies.get((version, name, file_format))
    return stored_body(version, name, file_format) if cached is None else gzip.decompress(cached)


def stored_body(version: str, name: str, file_format: str) -> bytes | None:
    """Return the bytes of a file as they are in the database. Raises `django.db.Error`."""
    found = DatasetFile.objects.filter(release=version, name=name, file_format=file_format)
    gzipped = found.values_list("gzipped", flat=True).first()
    return None if gzipped is None else gzip.decompress(gzipped)


def datasets_followed(edition: Edition | None) -> Followed:
    """Return whether the release of an edition has files, and the newest version that has some."""
    newest = DatasetRelease.objects.first()
    if newest is None:
        return Followed(False, None)
    in_line = edition is not None and newest.release_sha256 == edition.release.sha256
    return Followed(in_line, newest.pk)


def _changes(**about: Any) -> list[Changed]:
    cached = _cached.current()
    if not cached.whole:
        releases = {one.pk: one for one in DatasetRelease.objects.all()}
        return list(_described(DatasetChange.objects.filter(**about), releases))
    return [one for one in cached.changes if all(getattr(one, key) == value for key, value in about.items())]


def _read(cached: Shelf) -> Shelf:
    versions = list(DatasetRelease.objects.values_list("pk", flat=True)[: MOST_RELEASES + 1])
    if versions == [one.pk for one in cached.releases]:
        return cached
    releases = {one.pk: one for one in DatasetRelease.objects.all()[:MOST_RELEASES]}
    rows = DatasetChange.objects.filter(release__in=releases)
    changes = tuple(_described(rows[: MOST_CHANGES + 1], releases))
    whole = len(versions) <= MOST_RELEASES and len(changes) <= MOST_CHANGES
    files = {(one.release_id, one.name, one.file_format): one for one in _files(release__in=releases)}
    return Shelf(tuple(releases.values()), files, changes, _bodies(versions[:1]), whole)


def _files(**about: Any) -> Any:
    return DatasetFile.objects.defer("gzipped").select_related("release").filter(**about).order_by("pk")


def _bodies(newest: list[str]) -> dict[tuple[str, str, str], bytes]:
    rows = DatasetFile.objects.filter(release__in=newest).values_list(
        "release_id", "name", "file_format", "gzipped"
    )
    found = {(version, name, file_format): bytes(body) for version, name, file_format, body in rows}
    return found if sum(map(len, found.values())) <= MOST_BYTES else {}


def _described(rows: Any, releases: Mapping[str, DatasetRelease]) -> Iterator[Changed]:
    names = ("name", "record_id", "change", "fields", "record", "model_id", "brand_id", "airline")
    for version, name, record_id, change, fields, record, *about in rows.values_list("release_id", *names):
        described = {key: record[key] for key in DESCRIBED_FIELDS if key in record}
        yield Changed(releases[version], name, record_id, change, fields, described, *about)


_cached = CachedValue(_read, Shelf(), seconds=PATIENCE_SECONDS, alone=0)
