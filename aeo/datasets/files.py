"""The files of a release: each dataset as JSON Lines and as CSV, and the changes since the last release.

The same release gives the same bytes. JSON Lines has every field on every line. CSV has the format of the
editors' exports (`catalog.bulk`): UTF-8 with a byte order mark, dotted names for nested fields, and no cell
that a spreadsheet would run as a formula.

Called by `aeo.datasets.actions`.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from django.utils.text import slugify

from aeo.datasets.rows import About, Dataset
from aeo.web.documents import encode
from catalog.bulk import files
from rules.corpus import Published
from rules.releases.comparison import compare_kind

FileFormat = Literal["jsonl", "csv"]

FORMATS: tuple[FileFormat, ...] = get_args(FileFormat)

CONTENT_TYPES: dict[str, str] = {
    "jsonl": "application/jsonl; charset=utf-8",
    "csv": "text/csv; charset=utf-8; header=present",
}

WORDS = {"added": "added", "changed": "changed", "removed": "withdrawn"}
"""The words in a change list for what a comparison finds."""

Records = Mapping[str, dict[str, Any]]
"""The rows of a dataset as plain values, by their ids."""


class Made(NamedTuple):
    """One file of a release."""

    file_format: FileFormat
    body: bytes
    sha256: str
    records: int


class Change(NamedTuple):
    """A record that differs from the release before.

    `fields` are the names of the fields that differ, if the record is in both releases. `record` is its new
    state, or the last state of a withdrawn record.
    """

    record_id: str
    change: str
    fields: list[str]
    record: dict[str, Any]
    about: About


def make(dataset: Dataset, release: Published) -> list[Made]:
    """Return the files of a dataset."""
    rows = list(dataset.rows(release))
    bodies: dict[FileFormat, bytes] = {
        "jsonl": b"".join(encode(row) + b"\n" for row in rows),
        "csv": files.write("csv", rows, dataset.row_type),
    }
    return [
        Made(file_format, body, hashlib.sha256(body).hexdigest(), len(rows))
        for file_format, body in bodies.items()
    ]


def read(dataset: Dataset, lines: bytes) -> dict[str, dict[str, Any]]:
    """Return the records of JSON Lines by their ids."""
    records = map(msgspec.json.decode, lines.splitlines())
    return {record[dataset.key]: record for record in records}


def brands_of(*devices: Records) -> dict[str, str]:
    """Return the brand of each model, as it is written in addresses, from rows of models."""
    return {model_id: slugify(row["brand"]) for rows in devices for model_id, row in rows.items()}


def changes(dataset: Dataset, before: Records, after: Records, brands: Mapping[str, str]) -> Iterator[Change]:
    """Return the differences between the rows of two releases, by id. `brands` cover all models."""
    for found in compare_kind(dataset.name, dict(before), dict(after)):
        record = after[found.id] if found.id in after else before[found.id]
        yield Change(
            record_id=found.id,
            change=WORDS[found.change],
            fields=[field.field for field in found.fields],
            record=record,
            about=dataset.about(record, brands),
        )
