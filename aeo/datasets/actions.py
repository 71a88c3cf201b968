"""The one writer of datasets: makes the files of each release once, and stores what changed.

Called by the task after each publishing and every night, and by `manage.py datasets keep`.
"""

import gzip
import logging
from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from aeo.datasets import files
from aeo.datasets.cache import stored_body
from aeo.datasets.files import Change, Made
from aeo.datasets.models import DatasetChange, DatasetFile, DatasetRelease
from aeo.datasets.rows import DATASETS, Dataset
from rules import corpus
from rules.corpus import Published, ReleaseUnusable
from rules.releases import selectors
from rules.releases.selectors import Entry

logger = logging.getLogger(__name__)

_LOCK = 5_704_212
"""The advisory lock under which one process at a time makes files."""


def keep_datasets() -> list[str]:
    """Make the files of every release after the last one with files; return their versions.

    Stored files stay as they are, even if this code would make others of their release today. A release that
    this code cannot read gets none.
    """
    kept = []
    for entry in selectors.after(_newest()):
        try:
            release = corpus.past(entry.sha256)
        except ReleaseUnusable as error:
            logger.error("There are no datasets of release %s: %s", entry.ruleset_version, error)
            continue
        if _keep(entry, release):
            kept.append(entry.ruleset_version)
    return kept


def _newest() -> int:
    return DatasetRelease.objects.aggregate(newest=Max("sequence"))["newest"] or 0


@transaction.atomic
def _keep(entry: Entry, release: Published) -> bool:
    """Store the files of one release, unless another process has just done so."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    if _newest() >= entry.sequence:
        return False
    before = DatasetRelease.objects.first()
    after = DatasetRelease.objects.create(
        ruleset_version=entry.ruleset_version,
        sequence=entry.sequence,
        release_sha256=entry.sha256,
        note=entry.note,
        published=entry.published_at,
    )
    made = {name: files.make(dataset, release) for name, dataset in DATASETS.items()}
    known = {name: _records(dataset, before) for name, dataset in DATASETS.items()}
    found = {name: files.read(dataset, made[name][0].body) for name, dataset in DATASETS.items()}
    brands = files.brands_of(known["devices"], found["devices"])
    for name, dataset in DATASETS.items():
        _write_files(after, name, made[name])
        _write_changes(after, name, files.changes(dataset, known[name], found[name], brands))
    return True


def _records(dataset: Dataset, release: DatasetRelease | None) -> dict[str, dict[str, Any]]:
    """Return the records of a dataset from the file of a release; empty if there is no release."""
    body = None if release is None else stored_body(release.pk, dataset.name, "jsonl")
    return {} if body is None else files.read(dataset, body)


def _write_files(release: DatasetRelease, name: str, made: Iterable[Made]) -> None:
    DatasetFile.objects.bulk_create(
        DatasetFile(
            release=release,
            name=name,
            file_format=one.file_format,
            sha256=one.sha256,
            size_bytes=len(one.body),
            records=one.records,
            # Without a time inside, so the same body gives the same bytes.
            gzipped=gzip.compress(one.body, mtime=0),
        )
        for one in made
    )


def _write_changes(release: DatasetRelease, name: str, found: Iterable[Change]) -> None:
    DatasetChange.objects.bulk_create(
        (
            DatasetChange(
                release=release,
                name=name,
                record_id=change.record_id,
                change=change.change,
                fields=change.fields,
                record=change.record,
                **change.about._asdict(),
            )
            for change in found
        ),
        batch_size=1_000,
    )
