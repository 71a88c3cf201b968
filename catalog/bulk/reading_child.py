"""Reads the file on standard input, and writes its rows to standard output as lines of JSON.

Run as a file by `catalog.bulk.files`, never imported by the service. It limits itself first: memory,
processor time, no file may be written. Arguments: the format, the most rows, the most cells, the seconds of
processor time. Each line of the output is `[number, cells]`, in JSON `[number, object]`; rows without a text
are left out. Exit codes: 0 read; 3 refused, with the reason on standard error; any other code means that a
limit was reached.
"""

import codecs
import csv
import io
import json
import re
import resource
import sys
import zipfile
from collections.abc import Iterator
from typing import Any

MEMORY_BYTES = 192 * 1024 * 1024
MAX_TEXT = 64 * 1024 * 1024
"""Characters of all cells together. Many cells of a workbook can name one long text."""
MAX_COLUMNS = 200
MAX_CELL_TAGS = 2_000
"""Cells in one row of a workbook; empty ones count, because the library stores them."""
MAX_LINE = 2_000_000
MAX_EMPTY = 10
"""How many times the permitted number of rows a file may have if most of them are empty."""
MAX_UNZIPPED = 64 * 1024 * 1024
MAX_TAGS = 4_000_000
"""The number of `<` in a workbook. Cells are slow to read even if they are empty."""
MAX_ENTRIES = 1_000
MAX_FRAME = 10 * 1024 * 1024
"""The size of a part of a workbook that contains neither cells nor texts, such as its styles."""
MAX_FRAME_TAGS = 50_000
PIECE = 1024 * 1024
SHOWN = 50
"""How many characters of a name a refusal shows."""
DIGITS = 25
"""The longest whole number that a cell of a workbook may have."""

_CONTENT = re.compile("sheet|strings", re.IGNORECASE)
"""The names of parts that contain cells or texts, also if all their tags have a prefix."""

_ROW_WITH_PREFIX = re.compile(rb"<[\w.-]+:row[\s/>]")

# A backslash before the backslash makes of it a text that only looks like the escape of U+0000.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_NUL_IN_BYTES = re.compile(_NUL.pattern.encode())

Line = tuple[int, Any]


class Refusal(Exception):
    """The file is not read. The text gives the reason in one sentence."""


class Limits:
    """The most rows and cells of a file, counted while it is read."""

    def __init__(self, rows: int, cells: int) -> None:
        self.most_rows, self.most_cells = rows, cells
        self._rows = self._cells = self._characters = 0

    def count(self, cells: int, characters: int, *, head: int = 0) -> None:
        """Count a row. `head` is how many rows of the file only name columns."""
        self._rows += 1
        self._cells += cells
        self._characters += characters
        if self._rows > self.most_rows + head:
            raise Refusal(f"The file has more than {self.most_rows:,} rows; import it in parts.")
        if self._cells > self.most_cells:
            raise Refusal("The file has too many cells; import it in parts.")
        if self._characters > MAX_TEXT:
            raise Refusal("The file has too much text once it is unpacked; import it in parts.")


def main() -> int:
    """Read, write and return the exit code."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    file_format, rows, cells, seconds = sys.argv[1], *map(int, sys.argv[2:5])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    readers = {"csv": _csv, "xlsx": _xlsx, "json": _json}
    out = sys.stdout.buffer
    try:
        for line in readers[file_format](Limits(rows, cells)):
            out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        out.flush()
    except Refusal as refusal:
        sys.stderr.write(str(refusal))
        return 3
    except UnicodeEncodeError:
        sys.stderr.write("The file contains a character that is only half of one, which cannot be stored.")
        return 3
    except MemoryError:
        return 4
    return 0


def _row(number: int, cells: list[str], limits: Limits) -> Line | None:
    """Return a row without the empty cells at its end; None if it has no text."""
    while cells and not cells[-1]:
        cells.pop()
    if not any(cell.strip() for cell in cells):
        return None
    if len(cells) > MAX_COLUMNS:
        raise Refusal(f"Row {number} has more than {MAX_COLUMNS} columns.")
    limits.count(len(cells), sum(map(len, cells)), head=1)
    if any("\x00" in cell or ("\\u0000" in cell and _NUL.search(cell)) for cell in cells):
        raise Refusal("The file contains the character U+0000, which cannot be stored.")
    return number, cells


# --- CSV ---


def _csv(limits: Limits) -> Iterator[Line]:
    text = io.TextIOWrapper(sys.stdin.buffer, "utf-8-sig", newline="")
    try:
        first = text.readline(MAX_LINE + 1)
        # The separator depends on the country of the spreadsheet.
        delimiter = max(",;\t", key=first.count)
        reader = csv.reader(_short_lines(first, text), delimiter=delimiter, strict=True)
        most = limits.most_rows * MAX_EMPTY
        # A row may have several lines; it is numbered as a spreadsheet numbers rows.
        for number, cells in enumerate(reader, start=1):
            if number > most:
                raise Refusal(f"The file has more than {most:,} lines, with the empty ones.")
            if row := _row(number, cells, limits):
                yield row
    except UnicodeDecodeError:
        raise Refusal("The file is not UTF-8; save it as “CSV UTF-8”.") from None
    except csv.Error as error:
        raise Refusal(f"The file is not valid CSV from line {reader.line_num} on: {error}.") from None


def _short_lines(line: str, rest: io.TextIOWrapper) -> Iterator[str]:
    number = 1
    while line:
        if len(line) > MAX_LINE:
            raise Refusal(f"Line {number} is longer than {MAX_LINE:,} characters.")
        if "\x00" in line:
            raise Refusal("The file contains the character U+0000, which cannot be stored.")
        yield line
        number += 1
        line = rest.readline(MAX_LINE + 1)


# --- XLSX ---


def _xlsx(limits: Limits) -> Iterator[Line]:
    content = io.BytesIO(sys.stdin.buffer.read())
    # The library would load these if they are installed. They take time and memory, and it needs neither.
    sys.modules["numpy"] = sys.modules["PIL"] = None  # type: ignore[assignment]
    try:
        with zipfile.ZipFile(content) as archive:
            _check_parts(archive, limits)
        from openpyxl import load_workbook

        book = load_workbook(content, read_only=True, keep_links=False)
        yield from _sheet(book, limits)
    except (Refusal, MemoryError):
        raise
    # A broken workbook breaks the library in many ways. An editor gets one message for all of them.
    except Exception:
        raise Refusal("The file cannot be read as an XLSX workbook.") from None


def _check_parts(archive: zipfile.ZipFile, limits: Limits) -> None:
    """Refuse a workbook that is much larger than its file, before the library reads it."""
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise Refusal(f"The workbook has more than {MAX_ENTRIES:,} parts.")
    if sum(entry.file_size for entry in entries) > MAX_UNZIPPED:
        raise Refusal("The file is too large once it is unpacked; import it in parts.")
    tags = rows = cells = texts = 0
    for entry in entries:
        found, its_rows, its_cells, its_texts = _tags(archive, entry)
        tags, rows, cells, texts = tags + found, rows + its_rows, cells + its_cells, texts + its_texts
        _check_rows(rows, limits)
        if tags > MAX_TAGS or cells > limits.most_cells:
            raise Refusal("The file has too many cells; import it in parts.")
        is_frame = not (its_cells or its_texts or _CONTENT.search(entry.filename))
        if is_frame and (entry.file_size > MAX_FRAME or found > MAX_FRAME_TAGS):
            raise Refusal(
                f"The workbook has too much in {entry.filename[:80]}: save its values in a new one."
            )
    # A spreadsheet writes each text once, for the cells that have it.
    if texts > cells:
        raise Refusal("The workbook has more texts than cells: save its values in a new one.")


def _check_rows(rows: int, limits: Limits) -> None:
    if rows > (most := limits.most_rows * MAX_EMPTY):
        raise Refusal(f"The workbook has more than {most:,} rows, with the empty ones.")


def _tags(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[int, int, int, int]:
    """Return the number of tags in a part of a workbook, of rows, of cells, and of texts."""
    found = rows = cells = texts = in_row = 0
    tail = b""
    with archive.open(entry) as part:
        while piece := part.read(PIECE):
            piece = tail + piece
            # What may be the beginning of a tag is counted with the next piece.
            cut = piece.rfind(b"<", -8)
            tail, piece = (piece[cut:], piece[:cut]) if cut >= 0 else (b"", piece)
            found += piece.count(b"<")
            rows += _count(piece, b"<row")
            # Few files write prefixes, so most are not searched for them.
            if b":row" in piece:
                rows += len(_ROW_WITH_PREFIX.findall(piece))
            texts += _count(piece, b"<si")
            for at, row in enumerate(piece.split(b"<row")):
                its = _count(row, b"<c")
                in_row = its if at else in_row + its
                cells += its
                if in_row > MAX_CELL_TAGS:
                    raise Refusal(
                        f"The file has too many cells: over {MAX_CELL_TAGS:,} in a row, empty ones included."
                    )
    return found + tail.count(b"<"), rows, cells, texts


def _count(text: bytes, tag: bytes) -> int:
    return sum(text.count(tag + end) for end in (b" ", b">", b"/"))


def _sheet(book: Any, limits: Limits) -> Iterator[Line]:
    """Yield the rows of the first sheet. The library's own iteration fills up each row to its last cell."""
    from openpyxl.cell.read_only import ReadOnlyCell
    from openpyxl.worksheet._reader import WorkSheetParser

    sheet = book.worksheets[0]
    with sheet._get_source() as source:
        parser = WorkSheetParser(
            source,
            sheet._shared_strings,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for seen, (number, found) in enumerate(parser.parse(), start=1):
            # Again: what was counted before was only the text of tags.
            _check_rows(seen, limits)
            filled = [cell for cell in found if cell["value"] is not None]
            width = max((cell["column"] for cell in filled), default=0)
            if width > MAX_COLUMNS:
                raise Refusal(f"Row {number} has a cell in column {width:,}; there can be {MAX_COLUMNS}.")
            cells = [""] * width
            for cell in filled:
                cells[cell["column"] - 1] = _xlsx_text(ReadOnlyCell(sheet, **cell), number)
            if row := _row(number, cells, limits):
                yield row


def _xlsx_text(cell: Any, number: int) -> str:
    """Return the shown text of a cell, as CSV would have it."""
    value = cell.value
    if cell.data_type in ("f", "e"):
        # A formula, or the rest of a broken one: returned in a form that is refused.
        return f"={str(value).removeprefix('=')}"
    if cell.is_date:
        return value.date().isoformat() if hasattr(value, "date") else str(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float) and abs(value) >= 10**DIGITS:
        raise Refusal(f"Row {number} has a number of more than {DIGITS} digits.")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


# --- JSON ---


def _json(limits: Limits) -> Iterator[Line]:
    import msgspec

    content = sys.stdin.buffer.read().removeprefix(codecs.BOM_UTF8)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), PIECE):
            decoder.decode(content[start : start + PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise Refusal("The file is not UTF-8; save it as “CSV UTF-8”.") from None
    if b"\x00" in content or (b"\\u0000" in content and _NUL_IN_BYTES.search(content)):
        raise Refusal("The file contains the character U+0000, which cannot be stored.")
    try:
        items = msgspec.json.decode(content, type=list[msgspec.Raw])
        if len(items) > limits.most_rows:
            raise Refusal(f"The file has more than {limits.most_rows:,} rows; import it in parts.")
        for number, raw in enumerate(items, start=1):
            item = msgspec.json.decode(raw, type=dict[str, Any])
            limits.count(_values(item), len(raw))
            _require_once(number, bytes(raw))
            yield number, item
    except msgspec.ValidationError as error:
        raise Refusal(f"The file must be a list of objects, one for each record: {error}.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal(f"The file is not valid JSON: {error}.") from None


def _require_once(number: int, raw: bytes) -> None:
    """Refuse a row in which an object has a field twice: only the last one would count, silently."""

    def collect(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise Refusal(f"Row {number} has the field `{name[:SHOWN]}` twice.")
            seen.add(name)

    # Numbers stay texts: some have more digits than a number may.
    json.loads(raw, object_pairs_hook=collect, parse_int=str, parse_float=str)


def _values(item: Any) -> int:
    """Count a value and all that is in it."""
    count, left = 0, [item]
    while left:
        value = left.pop()
        count += 1
        if isinstance(value, dict | list):
            left.extend(value.values() if isinstance(value, dict) else value)
    return count


if __name__ == "__main__":
    sys.exit(main())
