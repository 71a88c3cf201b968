"""The datasets that are kept: which releases have files, and what is in them.

Called by the views and by `aeo.datasets.actions`, which writes them.
"""

import gzip
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from aeo.models import DatasetChange, DatasetFile, DatasetRelease

LATEST = 20
"""How many releases pages and feeds name; the change list has all."""

QUIET_FIELDS = {"citations", "last_checked"}
"""Fields that move when a source is read again and found the same: no news to anybody."""


def newest() -> DatasetRelease | None:
    """Return the newest release with files; None where there is none yet."""
    return DatasetRelease.objects.first()


def latest() -> list[DatasetRelease]:
    """Return the latest releases, the newest first."""
    return list(DatasetRelease.objects.all()[:LATEST])


def news(**about: Any) -> list[DatasetChange]:
    """Return the changes that concern something and say something new, the newest release first.

    `about` are fields of `DatasetChange`, such as `airline="EK"`.
    """
    found = DatasetChange.objects.filter(**about).select_related("release")
    return [one for one in found if one.change != "changed" or not QUIET_FIELDS.issuperset(one.fields)]


def last_changed(name: str, record_ids: Iterable[str]) -> Mapping[str, datetime]:
    """Return when records of a dataset last came to say something new; without those that are not kept."""
    found = news(name=name, record_id__in=list(record_ids))
    return {one.record_id: one.release.published for one in reversed(found)}


def file_of(version: str, name: str, file_format: str) -> DatasetFile | None:
    """Return what is known of a file, its body still in the database; None where there is no such file."""
    found = DatasetFile.objects.defer("gzipped").select_related("release")
    return found.filter(release=version, name=name, file_format=file_format).first()


def body_of(version: str, name: str, file_format: str) -> bytes | None:
    """Return the bytes of a file; None where there is no such file."""
    found = DatasetFile.objects.filter(release=version, name=name, file_format=file_format)
    gzipped = found.values_list("gzipped", flat=True).first()
    return None if gzipped is None else gzip.decompress(gzipped)
