"""Files of records: CSV, XLSX and JSON. A written file reads back as the same records.

Pure: no Django, no clock. Called by `catalog.bulk.importing` and the admin.

A file from outside is read in a process of its own (`reading_child.py`), which limits its memory, its time
and what it accepts; it can neither fill nor hang this one. A formula is refused, not computed: an editor did
not see its result.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import msgspec

from catalog.bulk.cells import (
    SHOWN_CHARACTERS,
    columns_of,
    denaturalized,
    is_formula,
    neutralized,
    to_cells,
)
from catalog.children import TookTooLong, run

MAX_BYTES = 32 * 1024 * 1024
MAX_ROWS = 50_000
MAX_WORKBOOK_ROWS = 20_000
MOST_ROWS = {"csv": MAX_ROWS, "xlsx": MAX_WORKBOOK_ROWS, "json": MAX_ROWS}
MOST_CELLS_OF_ROW = 50
"""A file has at most so many times its most rows as cells; records have up to 30 columns."""
SECONDS = 30
"""How much processor time reading a file may take, and half of the elapsed time that it may take."""
MAX_CELL = 32_767
"""The longest text in a cell of a spreadsheet; openpyxl cuts longer texts silently."""


PROBLEM = "problem"
"""The column in which a file of rows with errors says what is wrong. An import ignores it."""


_CHILD = Path(__file__).with_name("reading_child.py")
_REFUSED = 3
_TOO_MUCH = "Reading the file takes too much time or memory; import it in parts."
_decode_table = msgspec.json.Decoder(tuple[int, list[str]]).decode_lines
_decode_objects = msgspec.json.Decoder(tuple[int, dict[str, Any]]).decode_lines


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
    file_format = PurePath(name).suffix.lower().removeprefix(".")
    if file_format not in MOST_ROWS:
        raise UnreadableFile("The name of the file must end in .csv, .xlsx or .json.")
    if len(content) > MAX_BYTES:
        raise UnreadableFile(f"The file is larger than {MAX_BYTES // 1024 // 1024} MB; import it in parts.")
    lines = _lines(file_format, content)
    if file_format == "json":
        sheet = Sheet([Row(number, _without_problem(item)) for number, item in lines], is_json=True)
    else:
        sheet = _sheet(lines, record_type)
    if not sheet.rows:
        raise UnreadableFile("The file has no rows.")
    return sheet


def write(file_format: str, records: Iterable[Any], record_type: type[Any]) -> bytes:
    """Return records as the bytes of a file: `csv`, `xlsx` or `json`. Raises `UnwritableFile`."""
    writers = {"csv": _write_csv, "xlsx": _write_xlsx, "json": _write_json}
    return writers[file_format](records, record_type)


def _lines(file_format: str, content: bytes) -> list[tuple[int, Any]]:
    """Return the rows of a file with their numbers, as its child process read them."""
    rows = MOST_ROWS[file_format]
    limits = (rows, rows * MOST_CELLS_OF_ROW, SECONDS)
    try:
        child = run(_CHILD, file_format, *map(str, limits), body=content, seconds=2 * SECONDS)
    except TookTooLong:
        raise UnreadableFile(_TOO_MUCH) from None
    if child.returncode == _REFUSED:
        raise UnreadableFile(child.stderr.decode("utf-8", "replace"))
    if child.returncode:
        raise UnreadableFile(_TOO_MUCH)
    return [*(_decode_objects(child.stdout) if file_format == "json" else _decode_table(child.stdout))]


# --- CSV ---


def _write_csv(records: Iterable[Any], record_type: type[Any]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(column.name for column in columns_of(record_type))
    for record in records:
        writer.writerow(map(neutralized, to_cells(record).values()))
    # Without the byte order mark, spreadsheets do not recognize UTF-8.
    return out.getvalue().encode("utf-8-sig")


# --- XLSX ---


def _write_xlsx(records: Iterable[Any], record_type: type[Any]) -> bytes:
    # A large library that no other function needs: processes start sooner without it.
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.writer.excel import save_workbook

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


def _write_json(records: Iterable[Any], record_type: type[Any]) -> bytes:
    lines = b",\n".join(map(msgspec.json.encode, records))
    return b"[\n%s\n]\n" % lines


# --- Shared ---


def _sheet(lines: Sequence[tuple[int, Sequence[str]]], record_type: type[Any]) -> Sheet:
    """Return lines of cells as rows by column; the first line names the columns."""
    _, head = lines[0] if lines else (0, ())
    names = [name.strip() for name in head]
    while names and not names[-1]:
        names.pop()
    _check_names(names, record_type)
    return Sheet([_row(number, cells, names) for number, cells in lines[1:]])


def _check_names(names: Sequence[str], record_type: type[Any]) -> None:
    known = [column.name for column in columns_of(record_type)]
    if not names:
        raise UnreadableFile("The file has no rows.")
    for name in names:
        if name not in (*known, PROBLEM):
            raise UnreadableFile(f"There is no column `{name}`. The columns are {', '.join(known)}.")
        if names.count(name) > 1:
            raise UnreadableFile(f"The column `{name}` is there twice.")


def _row(number: int, cells: Sequence[str], names: Sequence[str]) -> Row:
    by_name = _without_problem(dict(zip(names, [*cells, *[""] * len(names)], strict=False)))
    values = {name: denaturalized(cell) for name, cell in by_name.items()}
    if beyond := [cell for cell in cells[len(names) :] if cell.strip()]:
        shown = ", ".join(beyond)[:SHOWN_CHARACTERS]
        return Row(number, values, f"has more cells than there are columns: {shown}")
    formula = next((name for name, cell in by_name.items() if is_formula(cell)), None)
    problem = f"`{formula}` begins like a formula; if it is text, put an apostrophe before it"
    return Row(number, values, problem if formula else "")


def _without_problem(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != PROBLEM}
