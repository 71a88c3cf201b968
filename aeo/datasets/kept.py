"""The datasets that are kept: which releases have files, and what is in them.

Called by the views and by `aeo.datasets.actions`, which writes them.
"""

import gzip
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count

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


def counts(versions: Iterable[str]) -> dict[str, dict[tuple[str, str], int]]:
    """Return how many records each release changed, by dataset and by what became of them.

    A release without files, because they are not made yet, is not in it.
    """
    found: dict[str, dict[tuple[str, str], int]] = {
        version: {} for version in DatasetRelease.objects.filter(pk__in=versions).values_list("pk", flat=True)
    }
    rows = DatasetChange.objects.filter(release__in=found).order_by()
    counted = rows.values("release_id", "name", "change").annotate(records=Count("pk"))
    for row in counted:
        found[row["release_id"]][row["name"], row["change"]] = row["records"]
    return found


def changes_of(version: str, name: str, most: int) -> list[DatasetChange]:
    """Return the first records of a dataset that a release changed, by what became of them and by id."""
    rows = DatasetChange.objects.filter(release=version, name=name)
    return list(rows.order_by("change", "record_id")[:most])


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
