"""Makes the output file from the lines of a run: complete, or not at all.

The file is written next to its final place and then renamed, so no one ever reads half of it.
"""

import csv
import gzip
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
from pyarrow import parquet

from compliance.channels.batch.answering import FLAT

ROWS_AT_ONCE = 10_000


def finish(part: Path, out: Path, kind: str, keep: Sequence[str]) -> None:
    """Put the output in its place. The lines stay, unless they are the output."""
    packed = out.suffix.lower() == ".gz"
    if kind == "jsonl" and not packed:
        _in_place(part, out)
        return
    made = out.with_name(f"{out.name}.made")
    with part.open("rb") as lines, made.open("wb") as file:
        if kind == "parquet":
            _parquet(lines, file, keep)
        elif packed:
            # Without name and time, so that the same answers are the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6) as zipped:
                _text(lines, zipped, kind, keep)
        else:
            _text(lines, file, kind, keep)
    _in_place(made, out)


def _in_place(made: Path, out: Path) -> None:
    with made.open("rb") as file:
        os.fsync(file.fileno())
    made.replace(out)


def _text(lines: IO[bytes], file: Any, kind: str, keep: Sequence[str]) -> None:
    if kind == "jsonl":
        for line in lines:
            file.write(line)
        return
    writer = csv.writer(_Utf8(file), lineterminator="\n")
    writer.writerow([*keep, *FLAT])
    for line in lines:
        writer.writerow([_text_of(cell) for cell in msgspec.json.decode(line)])


def _parquet(lines: IO[bytes], file: Any, keep: Sequence[str]) -> None:
    schema = pa.schema([(name, pa.string()) for name in (*keep, *FLAT)])
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for rows in _batches(lines):
            columns = zip(*rows, strict=True)
            arrays = [pa.array(map(_text_of, column), pa.string()) for column in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))


def _batches(lines: IO[bytes]) -> Iterator[list[Any]]:
    decoded = map(msgspec.json.decode, lines)
    while rows := list(itertools.islice(decoded, ROWS_AT_ONCE)):
        yield rows


def _text_of(cell: Any) -> str | None:
    """Return a cell as text: a caller's column may be a number, a truth value or an object."""
    return cell if cell is None or isinstance(cell, str) else msgspec.json.encode(cell).decode()


class _Utf8:
    """The file that `csv` writes text to."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, text: str) -> None:
        self._file.write(text.encode())
