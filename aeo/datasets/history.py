"""/datasets/changes.json: every release with its files and its changes, newest first.

A client stores its version, reads the list from the top down to that version, and fetches only what changed.
Called by the views.
"""

import datetime
from collections.abc import Iterable
from typing import Any

from aeo.datasets import cache
from aeo.datasets.models import DatasetFile, DatasetRelease
from aeo.datasets.rows import DATASETS
from aeo.web.addresses import address

MOST_RELEASES = 20
"""How many releases one page lists. The first release of a ledger lists every record."""


def listing(before: DatasetRelease | None) -> dict[str, Any]:
    """Return one page of the list as plain values: the newest releases, or those before another one."""
    # One more tells whether there is another page.
    releases = cache.before(before, MOST_RELEASES + 1)
    shown = releases[:MOST_RELEASES]
    older = f"/datasets/changes.json?before={shown[-1].pk}" if len(releases) > MOST_RELEASES else None
    changes = _changes(shown)
    return {
        "catalog_url": address("/datasets"),
        "releases": [_release(release, changes[release.pk]) for release in shown],
        "older_url": None if older is None else address(older),
    }


def file_entry(file: DatasetFile) -> dict[str, Any]:
    """Return the facts that a reader needs before fetching a file."""
    return {
        "name": file.name,
        "format": file.file_format,
        "url": address(file.path),
        "sha256": file.sha256,
        "size_bytes": file.size_bytes,
        "records": file.records,
    }


def instant(at: datetime.datetime) -> str:
    """Return an instant in UTC, whole seconds."""
    return at.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _release(release: DatasetRelease, changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "ruleset_version": release.pk,
        "published_at": instant(release.published),
        "note": release.note,
        "sha256": release.release_sha256,
        "files": [file_entry(file) for file in cache.files_of(release.pk)],
        "changes": changes,
    }


def _changes(releases: Iterable[DatasetRelease]) -> dict[str, dict[str, Any]]:
    """Return what each release changed, dataset by dataset."""
    described: dict[str, dict[str, Any]] = {
        release.pk: {name: {"added": [], "changed": [], "withdrawn": []} for name in DATASETS}
        for release in releases
    }
    for version, changes in described.items():
        for one in cache.all_changes_of(version):
            entry = {"id": one.record_id, "fields": one.fields} if one.change == "changed" else one.record_id
            changes[one.name][one.change].append(entry)
    return described
