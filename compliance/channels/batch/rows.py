"""Files of questions: JSON Lines, CSV and Parquet, by the ending of the name; the first two also with `.gz`.

Every row becomes the body of a request, which only the reader of the API reads. An error in a row is reported
for that row; an error in the file is raised as `BadFile` before a row is read.

Decisions:

- A row of JSON Lines or CSV is one line, so no broken row can swallow the next one. Cells with line breaks
  are refused.
- Columns of a flat file are those of `COLUMNS`; an empty cell is an absent field. The caller must name other
  columns, and gets them back next to the answer (`keep`). Any other name counts as a mistake.
- A byte order mark at the beginning is skipped.
"""

import csv
import datetime
import difflib
import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import pyarrow as pa
from pyarrow import parquet

from compliance.api.protocol.bodies import MAX_BODY_BYTES, encode, object_in
from compliance.api.protocol.errors import ApiError

UNIT_COLUMNS = (
    "model_id",
    "quantity",
    "ccc_mark",
    "capacity_label",
    "condition",
    "recall_check",
    "serial",
    "serial_hash",
)
TRIP_COLUMNS = ("origin", "destination", "airline", "compartment_intent", "date")
COLUMNS = (*UNIT_COLUMNS, *TRIP_COLUMNS, "language", "ruleset_version")
"""The columns of a question in a flat file, by the names of the fields that they become."""

REQUIRED = ("model_id", "origin", "destination", "airline")
UTF8_MARK = b"\xef\xbb\xbf"
OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff")
PARQUET_ROWS = 1000

_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")


class BadFile(ValueError):
    """A file that cannot be used. The message says why and what to do, in one or two sentences."""


class Row(NamedTuple):
    """One question: the body of its request, or why there is none; and the caller's columns."""

    body: bytes
    kept: Mapping[str, Any]
    refusal: ApiError | None = None


class Source(Protocol):
    """A file of questions."""

    def rows(self, skip: int) -> Iterator[Row]:
        """Yield the rows after the first `skip`."""
        ...

    def share_read(self) -> float:
        """Return the part of the file that is read, from 0 to 1."""
        ...


def open_source(path: Path, keep: Sequence[str]) -> Source:
    """Return the questions of a file. Raises `BadFile`, and `OSError` if it cannot be opened."""
    kind = kind_of(path)
    if path.stat().st_size == 0:
        raise BadFile(f"{path} is empty.")
    if kind == "parquet":
        return _Parquet(path, keep)
    return _Csv(path, keep) if kind == "csv" else _JsonLines(path, keep)


def kind_of(path: Path) -> str:
    """Return `jsonl`, `csv` or `parquet`, by the ending of a name. Raises `BadFile`."""
    endings = [ending.lower() for ending in path.suffixes]
    if endings[-1:] == [".gz"] and endings[-2:-1] != [".parquet"]:
        endings.pop()
    match endings[-1:]:
        case [".jsonl" | ".ndjson"]:
            return "jsonl"
        case [".csv" | ".parquet" as ending]:
            return ending[1:]
    raise BadFile(f"{path} must end in .jsonl, .csv or .parquet; the first two may be followed by .gz.")


class _Lines:
    """A file of lines. Each line is read only up to the limit of a request."""

    def __init__(self, path: Path, keep: Sequence[str]) -> None:
        self.path, self.keep = path, keep
        self._size = path.stat().st_size
        self._raw: IO[bytes] | None = None
        first = next(self.lines(), b"")
        if first.startswith(OTHER_MARKS):
            raise BadFile(f"{path} is not UTF-8. Save it as UTF-8.")

    def lines(self) -> Iterator[bytes]:
        """Yield the lines without their ends; of a line that is too long, one byte more than is allowed."""
        with self.path.open("rb") as self._raw:
            packed = self.path.suffix.lower() == ".gz"
            file: Any = gzip.GzipFile(fileobj=self._raw) if packed else self._raw
            try:
                yield from self._lines_of(file)
            except (gzip.BadGzipFile, EOFError) as error:
                raise BadFile(f"{self.path} is not a complete gzip file.") from error

    def share_read(self) -> float:
        return 1.0 if self._raw is None or self._raw.closed else self._raw.tell() / self._size

    def _lines_of(self, file: IO[bytes]) -> Iterator[bytes]:
        line = file.readline(MAX_BODY_BYTES + 2).removeprefix(UTF8_MARK)
        while line:
            rest = line
            while not rest.endswith(b"\n") and (rest := file.readline(MAX_BODY_BYTES)):
                pass
            yield line.removesuffix(b"\n").removesuffix(b"\r")
            line = file.readline(MAX_BODY_BYTES + 2)


class _JsonLines(_Lines):
    """One JSON object on each line: the body of a request."""

    def rows(self, skip: int) -> Iterator[Row]:
        for number, line in enumerate(self.lines()):
            if number >= skip:
                yield self._row(line)

    def _row(self, line: bytes) -> Row:
        if len(line) > MAX_BODY_BYTES:
            return Row(b"", {}, ApiError("BODY_TOO_LARGE"))
        if not self.keep:
            return Row(line, {})
        try:
            body = object_in(line)
        except ApiError as error:
            return Row(b"", {}, error)
        kept = {name: body.pop(name, None) for name in self.keep}
        return Row(encode(body), kept)


class _Csv(_Lines):
    """Cells separated by commas; the first line names the columns."""

    def __init__(self, path: Path, keep: Sequence[str]) -> None:
        super().__init__(path, keep)
        try:
            self._names = _cells(next(self.lines(), b""))
        except ValueError as error:
            raise BadFile(f"The first line of {path} must name the columns. {error}") from None
        _check_columns(path, self._names, keep)

    def rows(self, skip: int) -> Iterator[Row]:
        for number, line in enumerate(self.lines()):
            if number > skip:
                yield self._row(line)

    def _row(self, line: bytes) -> Row:
        try:
            if len(line) > MAX_BODY_BYTES:
                raise ValueError("The line is longer than 64 KiB.")
            cells = _cells(line)
            if len(cells) != len(self._names):
                raise ValueError(f"It has {len(cells)} cells, and there are {len(self._names)} columns.")
        except ValueError as error:
            return Row(b"", {}, ApiError("VALIDATION_ERROR", f"This line cannot be read. {error}"))
        return _flat_row(dict(zip(self._names, cells, strict=True)), self.keep)


class _Parquet:
    """A Parquet file, read a thousand rows at a time."""

    def __init__(self, path: Path, keep: Sequence[str]) -> None:
        self._keep = keep
        try:
            self._file = parquet.ParquetFile(path)
        except (pa.ArrowException, OSError) as error:
            raise BadFile(f"{path} is not a Parquet file.") from error
        names = list(self._file.schema_arrow.names)
        _check_columns(path, names, keep)
        for name in keep:
            kind = self._file.schema_arrow.field(name).type
            if pa.types.is_nested(kind) or pa.types.is_binary(kind):
                raise BadFile(f"Column `{name}` of {path} cannot be kept: it contains {kind}.")
        self._names, self._read = names, 0

    def rows(self, skip: int) -> Iterator[Row]:
        self._read = 0
        for batch in self._file.iter_batches(PARQUET_ROWS):
            self._read += len(batch)
            if self._read > skip:
                # The rest of the batch, if rows were skipped before.
                first = max(0, len(batch) - (self._read - skip))
                for cells in self._plain(batch.slice(first)).to_pylist():
                    yield _flat_row(cells, self._keep)

    def share_read(self) -> float:
        return self._read / max(1, self._file.metadata.num_rows)

    def _plain(self, batch: Any) -> Any:
        """Return a batch in which the caller's days and instants are text."""
        columns = [
            column.cast(pa.string()) if name in self._keep and pa.types.is_temporal(column.type) else column
            for name, column in zip(self._names, batch.columns, strict=True)
        ]
        return pa.RecordBatch.from_arrays(columns, self._names)


def _cells(line: bytes) -> list[str]:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise ValueError("It is not UTF-8.") from None
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error:
        raise ValueError("A quotation mark is not closed on its line, or is in a wrong place.") from None


def _check_columns(path: Path, names: Sequence[str], keep: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadFile(f"{path} names a column twice: {_listed(twice)}.")
    if missing := [name for name in (*REQUIRED, *keep) if name not in names]:
        raise BadFile(f"{path} has no column {_listed(missing)}. It has {_listed(names)}.")
    for name in names:
        if name not in COLUMNS and name not in keep:
            similar = difflib.get_close_matches(name, COLUMNS, n=1)
            hint = f"Did you mean `{similar[0]}`? If not, get" if similar else "Get"
            raise BadFile(f"{path} has an unknown column `{name}`. {hint} it back with `--keep {name}`.")


def _flat_row(cells: Mapping[str, Any], keep: Sequence[str]) -> Row:
    """Return the row of a flat file; its empty cells are absent fields."""
    given = {
        name: _value(name, cell)
        for name, cell in cells.items()
        if name in COLUMNS and cell is not None and cell != ""
    }
    body: dict[str, Any] = {name: given[name] for name in UNIT_COLUMNS if name in given}
    body["trip"] = {name: given[name] for name in TRIP_COLUMNS if name in given}
    if "language" in given:
        body["options"] = {"language": given["language"]}
    if "ruleset_version" in given:
        body["ruleset_version"] = given["ruleset_version"]
    return Row(encode(body), {name: cells[name] for name in keep})


def _value(name: str, cell: Any) -> Any:
    # Cells of CSV are texts, whatever they contain.
    if name == "quantity" and isinstance(cell, str) and _WHOLE_NUMBER.fullmatch(cell):
        return int(cell)
    # A day with a time is not a day: the reader must refuse it.
    return cell.isoformat() if isinstance(cell, datetime.date) else cell


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
