"""Files of records: CSV, XLSX and JSON. A written file reads back as the same records.

Pure: no Django, no clock. Called by `catalog.bulk.importing` and the admin.

Input is limited before it is read: `MAX_BYTES`, `MAX_ROWS`, and for XLSX, which is a zip and slow to read,
`MAX_WORKBOOK_ROWS`, `MAX_UNZIPPED` and `MAX_TAGS`. A formula is refused, not computed: an editor did not see
its result.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, NamedTuple

import msgspec
from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.writer.excel import save_workbook

from catalog.bulk.cells import columns_of, denaturalized, is_formula, neutralized, to_cells

MAX_BYTES = 32 * 1024 * 1024
MAX_ROWS = 50_000
MAX_WORKBOOK_ROWS = 20_000
MAX_UNZIPPED = 100 * 1024 * 1024
MAX_TAGS = 4_000_000
"""The number of `<` in a workbook with that many rows. Cells are slow to read even if they are empty."""
PIECE = 1024 * 1024
MAX_CELL = 32_767
"""The longest text in a cell of a spreadsheet; openpyxl cuts longer texts silently."""


class UnreadableFile(ValueError):
    """A file from which no row can be read. The text gives the reason in one sentence."""


class UnwritableFile(ValueError):
    """Records that a format cannot contain. The text gives the reason in one sentence."""


class Row(NamedTuple):
    """One row as it is in its file.

    `number` is the row number that a spreadsheet shows; in JSON it is the place in the list, from 1. `values`
    are its cells by column, or in JSON its fields. `problem` says why it cannot be read, if it cannot.
    """

    number: int
    values: Mapping[str, Any]
    problem: str = ""


@dataclass(frozen=True)
class Sheet:
    """The content of a file. Its values are texts of cells, unless it `is_json`."""

    rows: Sequence[Row]
    is_json: bool = False


def read(name: str, content: bytes, record_type: type[Any]) -> Sheet:
    """Return the rows of a file; its name gives the format. Raises `UnreadableFile`."""
    readers: dict[str, Callable[[bytes, type[Any]], Sheet]] = {
        ".csv": _read_csv,
        ".xlsx": _read_xlsx,
        ".json": _read_json,
    }
    reader = readers.get(PurePath(name).suffix.lower())
    if reader is None:
        raise UnreadableFile("The name of the file must end in .csv, .xlsx or .json.")
    if len(content) > MAX_BYTES:
        raise UnreadableFile(f"The file is larger than {MAX_BYTES // 1024 // 1024} MB; import it in parts.")
    sheet = reader(content, record_type)
    if not sheet.rows:
        raise UnreadableFile("The file has no rows.")
    return sheet


def write(file_format: str, records: Iterable[Any], record_type: type[Any]) -> bytes:
    """Return records as the bytes of a file: `csv`, `xlsx` or `json`. Raises `UnwritableFile`."""
    writers = {"csv": _write_csv, "xlsx": _write_xlsx, "json": _write_json}
    return writers[file_format](records, record_type)


# --- CSV ---


def _read_csv(content: bytes, record_type: type[Any]) -> Sheet:
    text = _text(content)
    first, _, _ = text.partition("\n")
    # The separator depends on the country of the spreadsheet.
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise UnreadableFile(f"The file is not valid CSV from line {reader.line_num} on: {error}.") from None
    # A row may have several lines; it is numbered as a spreadsheet numbers rows.
    return _sheet(enumerate(rows, start=1), record_type)


def _write_csv(records: Iterable[Any], record_type: type[Any]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(column.name for column in columns_of(record_type))
    for record in records:
        writer.writerow(map(neutralized, to_cells(record).values()))
    # Without the byte order mark, spreadsheets do not recognize UTF-8.
    return out.getvalue().encode("utf-8-sig")


# --- XLSX ---


def _read_xlsx(content: bytes, record_type: type[Any]) -> Sheet:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_UNZIPPED:
                raise UnreadableFile("The file is too large once it is unpacked; import it in parts.")
            if _tags(archive) > MAX_TAGS:
                raise UnreadableFile("The file has too many cells; import it in parts.")
        book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
        rows = [
            (number, [_xlsx_text(cell) for cell in row])
            for number, row in enumerate(book.worksheets[0].iter_rows(max_row=MAX_WORKBOOK_ROWS + 2), start=1)
        ]
    except UnreadableFile:
        raise
    # A broken workbook breaks the library in many ways. An editor gets one message for all of them.
    except Exception as error:
        raise UnreadableFile("The file cannot be read as an XLSX workbook.") from error
    return _sheet(rows, record_type, most=MAX_WORKBOOK_ROWS)


def _tags(archive: zipfile.ZipFile) -> int:
    """Return the number of tags in all parts of a workbook."""
    found = 0
    for entry in archive.infolist():
        with archive.open(entry) as part:
            while piece := part.read(PIECE):
                found += piece.count(b"<")
    return found


def _xlsx_text(cell: Any) -> str:
    """Return the shown text of a cell, in the form that `_sheet` expects from CSV."""
    value = cell.value
    if value is None:
        return ""
    if cell.data_type in ("f", "e"):
        # A formula, or the rest of a broken one: returned in a form that is refused.
        return f"={str(value).removeprefix('=')}"
    if cell.is_date:
        return value.date().isoformat() if hasattr(value, "date") else str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_xlsx(records: Iterable[Any], record_type: type[Any]) -> bytes:
    head = [column.name for column in columns_of(record_type)]
    lines = [[neutralized(text) for text in to_cells(record).values()] for record in records]
    if any(len(text) > MAX_CELL for line in lines for text in line):
        raise UnwritableFile("A text is too long for a cell of a spreadsheet. Export CSV or JSON.")
    book = Workbook(write_only=True)
    sheet = book.create_sheet(record_type.__name__)
    sheet.freeze_panes = "B2"

    def cell(text: str, *, bold: bool = False) -> Any:
        made = WriteOnlyCell(sheet, text)
        # Always text: 007 stays 007, and no formula is run.
        made.data_type = "s"
        made.number_format = "@"
        if bold:
            made.font = Font(bold=True)
        return made

    sheet.append([cell(name, bold=True) for name in head])
    for line in lines:
        sheet.append([cell(text) if text else None for text in line])
    out = io.BytesIO()
    save_workbook(book, out)
    return out.getvalue()


# --- JSON ---


def _read_json(content: bytes, record_type: type[Any]) -> Sheet:
    try:
        items = msgspec.json.decode(_text(content), type=list[dict[str, Any]])
    except msgspec.ValidationError as error:
        raise UnreadableFile(f"The file must be a list of objects, one for each record: {error}.") from None
    except msgspec.DecodeError as error:
        raise UnreadableFile(f"The file is not valid JSON: {error}.") from None
    if len(items) > MAX_ROWS:
        raise UnreadableFile(_too_many(MAX_ROWS))
    return Sheet([Row(number, item) for number, item in enumerate(items, start=1)], is_json=True)


def _write_json(records: Iterable[Any], record_type: type[Any]) -> bytes:
    lines = b",\n".join(map(msgspec.json.encode, records))
    return b"[\n%s\n]\n" % lines


# --- Shared ---


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile("The file is not UTF-8; save it as “CSV UTF-8”.") from None
    if "\x00" in text or "\\u0000" in text:
        raise UnreadableFile("The file contains the character U+0000, which cannot be stored.")
    return text


def _sheet(lines: Iterable[tuple[int, Sequence[str]]], record_type: type[Any], most: int = MAX_ROWS) -> Sheet:
    """Return lines of cells as rows by column; the first line that is not empty names the columns."""
    filled: Iterator[tuple[int, Sequence[str]]] = (
        (number, cells) for number, cells in lines if any(cell.strip() for cell in cells)
    )
    _, head = next(filled, (0, ()))
    names = [name.strip() for name in head]
    while names and not names[-1]:
        names.pop()
    _check_names(names, record_type)
    rows: list[Row] = []
    for number, cells in filled:
        if len(rows) == most:
            raise UnreadableFile(_too_many(most))
        rows.append(_row(number, cells, names))
    return Sheet(rows)


def _check_names(names: Sequence[str], record_type: type[Any]) -> None:
    known = [column.name for column in columns_of(record_type)]
    if not names:
        raise UnreadableFile("The file has no rows.")
    for name in names:
        if name not in known:
            raise UnreadableFile(f"There is no column `{name}`. The columns are {', '.join(known)}.")
        if names.count(name) > 1:
            raise UnreadableFile(f"The column `{name}` is there twice.")


def _row(number: int, cells: Sequence[str], names: Sequence[str]) -> Row:
    if any(cell.strip() for cell in cells[len(names) :]):
        return Row(number, {}, "has more cells than there are columns")
    by_name = dict(zip(names, [*cells, *[""] * len(names)], strict=False))
    formula = next((name for name, cell in by_name.items() if is_formula(cell)), None)
    problem = f"`{formula}` begins like a formula; if it is text, put an apostrophe before it"
    values = {name: denaturalized(cell) for name, cell in by_name.items()}
    return Row(number, values, problem if formula else "")


def _too_many(most: int) -> str:
    return f"The file has more than {most:,} rows; import it in parts."
