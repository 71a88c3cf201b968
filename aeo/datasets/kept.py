"""The datasets that are kept: which releases have files, and what is in them.

Called by the views and by `aeo.datasets.actions`, which writes them.
"""

import gzip

from aeo.models import DatasetFile, DatasetRelease


def newest() -> DatasetRelease | None:
    """Return the newest release with files; None where there is none yet."""
    return DatasetRelease.objects.first()


def file_of(version: str, name: str, file_format: str) -> DatasetFile | None:
    """Return what is known of a file, its body still in the database; None where there is no such file."""
    found = DatasetFile.objects.defer("gzipped").select_related("release")
    return found.filter(release=version, name=name, file_format=file_format).first()


def body_of(version: str, name: str, file_format: str) -> bytes | None:
    """Return the bytes of a file; None where there is no such file."""
    found = DatasetFile.objects.filter(release=version, name=name, file_format=file_format)
    gzipped = found.values_list("gzipped", flat=True).first()
    return None if gzipped is None else gzip.decompress(gzipped)
