"""Records as files: what is written reads back the same, and what comes from outside is read with care."""

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from catalog import records
from catalog.bulk import files, reading_child
from catalog.bulk.cells import (
    BadCell,
    columns_of,
    denaturalized,
    from_cells,
    is_formula,
    neutralized,
    to_cells,
)
from recalls.records import Recall
from rules.engine.facts import Rule
from tests.support.factories import a_device, a_recall, a_rule, a_source, an_airline
from tests.support.reading_here import reading_here
from tests.support.starter import starter_content
from tests.support.thoroughness import examples

KINDS: dict[Any, Callable[..., Any]] = {
    records.Device: a_device,
    records.Airline: an_airline,
    records.Source: a_source,
    Rule: a_rule,
    Recall: a_recall,
}
# Without what PostgreSQL cannot keep.
TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
DATES = st.dates()
FIGURES = st.decimals(min_value="0.01", max_value="999.99", places=2)

DEVICES = st.builds(
    records.Device,
    model_id=TEXTS,
    brand=TEXTS,
    model_name=TEXTS,
    model_number=st.none() | TEXTS,
    aliases=st.lists(TEXTS, max_size=3).map(tuple),
    capacity_mah=st.none() | st.integers(1, 100_000),
    watt_hour=st.none() | FIGURES,
    watt_hour_basis=st.sampled_from(["rated", "computed", "unknown"]),
    certifications=st.lists(TEXTS, max_size=2).map(tuple),
    certificates=st.lists(
        st.builds(
            records.Certificate,
            status=st.sampled_from(["valid", "suspended", "revoked"]),
            source=TEXTS,
            number=st.none() | TEXTS,
            lookup_url=st.none() | TEXTS,
            since=st.none() | DATES,
            until=st.none() | DATES,
        ),
        max_size=2,
    ).map(tuple),
    notes=st.none() | TEXTS,
)
AIRLINES = st.builds(
    records.Airline,
    airline=TEXTS,
    icao=TEXTS,
    name=TEXTS,
    country=TEXTS,
    policy_url=TEXTS,
    confidence=st.sampled_from(["confirmed", "reported", "unverified"]),
    effective_from=st.none() | DATES,
    summary=TEXTS,
    notes=st.lists(TEXTS, max_size=2).map(tuple),
    changes=st.lists(st.builds(records.PolicyChange, date=DATES, what=TEXTS, source=TEXTS), max_size=2).map(
        tuple
    ),
)


def read_back(file_format: str, written: list[Any]) -> list[Any]:
    record_type = type(written[0])
    content = files.write(file_format, written, record_type)
    sheet = files.read(f"export.{file_format}", content, record_type)
    if sheet.is_json:
        return [msgspec.convert(dict(row.values), record_type) for row in sheet.rows]
    assert [row.problem for row in sheet.rows] == [""] * len(written)
    return [from_cells(record_type, row.values) for row in sheet.rows]


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
@given(written=st.lists(DEVICES, min_size=1, max_size=8) | st.lists(AIRLINES, min_size=1, max_size=8))
@settings(max_examples=examples(25, thorough=100))
@example(
    written=[a_device(notes="_x0041_ =1+1", model_number="007", aliases=("-1", "'=2", " ", "", "a|b\\"))]
)
@example(written=[a_device(model_id="=cmd|' /C calc'!A0", notes="\r\n", model_name="'-")])
@example(written=[a_device(notes=r"\u0000", model_name=r"\\u0000", aliases=(r"a\u0000", r"|\u0000|"))])
def test_whatever_is_written_reads_back_the_same(file_format: str, written: list[Any]) -> None:
    with reading_here():
        assert read_back(file_format, written) == written


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
def test_the_whole_starter_corpus_reads_back_the_same(file_format: str) -> None:
    content = starter_content()
    for written in (content.devices, content.airlines, content.sources, content.rules, content.recalls):
        assert read_back(file_format, list(written)) == list(written)


DEVICE = "model_id,brand,model_name,watt_hour_basis"


def rows(content: bytes | str, name: str = "a.csv") -> list[tuple[int, dict[str, Any], str]]:
    """Return the rows of a file of models."""
    encoded = content.encode() if isinstance(content, str) else content
    sheet = files.read(name, encoded, records.Device)
    return [(row.number, dict(row.values), row.problem) for row in sheet.rows]


def workbook(*lines: list[Any], change: Callable[[Any], None] = lambda sheet: None) -> bytes:
    """Return a workbook of models as a spreadsheet would save it."""
    book = Workbook()
    sheet = book.active
    for line in ([*DEVICE.split(","), "capacity_mah", "watt_hour", "notes"], *lines):
        sheet.append(line)
    change(sheet)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["without a mark", "with a byte order mark"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_csv_file_is_read_as_any_spreadsheet_writes_it(mark: str, delimiter: str, end: str) -> None:
    lines = [DEVICE, "lynx-9,Lynx,“Neun” 9,rated", "", "lynx-8,Lynx,Acht,unknown", ",,,"]
    assert rows(mark + end.join(lines).replace(",", delimiter)) == [
        (2, dict(zip(DEVICE.split(","), ["lynx-9", "Lynx", "“Neun” 9", "rated"], strict=True)), ""),
        (4, dict(zip(DEVICE.split(","), ["lynx-8", "Lynx", "Acht", "unknown"], strict=True)), ""),
    ]


def test_a_cell_of_several_lines_is_one_row() -> None:
    content = f'{DEVICE},aliases\nlynx-9,Lynx,Nine,rated,"one\ntwo"\nlynx-8,Lynx,Eight,rated,\n'
    assert [(number, values["aliases"]) for number, values, _ in rows(content)] == [(2, "one\ntwo"), (3, "")]


def test_a_workbook_is_read_as_people_fill_it_in() -> None:
    content = workbook(
        ["lynx-9", "Lynx", 9000, "rated", 10000.0, 36.48, datetime.date(2026, 3, 1)],
        [None] * 7,
        ["lynx-8", "Lynx", True, "unknown", None, None, datetime.datetime(2026, 3, 1, 10, 30)],
    )
    assert [list(values.values()) for _, values, _ in rows(content, "a.xlsx")] == [
        ["lynx-9", "Lynx", "9000", "rated", "10000", "36.48", "2026-03-01"],
        ["lynx-8", "Lynx", "true", "unknown", "", "", "2026-03-01"],
    ]
    assert [number for number, _, _ in rows(content, "a.xlsx")] == [2, 4]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝"])  # noqa: RUF001
def test_no_cell_that_is_written_can_run(start: str) -> None:
    device = a_device(model_name=f"{start}HYPERLINK(1)", notes=f"'{start}2", aliases=(f"{start}3",))
    (line,) = csv.DictReader(io.StringIO(files.write("csv", [device], records.Device).decode("utf-8-sig")))
    sheet = load_workbook(io.BytesIO(files.write("xlsx", [device], records.Device))).active
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]

    assert not any(map(is_formula, line.values()))
    assert {cell.data_type for cell in cells} == {"s"}
    assert not any(is_formula(cell.value) for cell in cells)
    assert read_back("csv", [device]) == read_back("xlsx", [device]) == [device]


@given(st.text("a1.;=+-@\t\n\r'", max_size=12))
def test_no_part_of_a_cell_can_run_whatever_separates_cells_for_a_spreadsheet(text: str) -> None:
    written = neutralized(text)
    is_number = re.fullmatch(r"-[0-9]+(\.[0-9]+)?", written) is not None
    parts = [] if is_number else re.split("[;\t\r\n]", written)
    assert not any(part.startswith(("=", "+", "-", "@")) for part in parts)
    assert denaturalized(written) == text


@pytest.mark.parametrize("number", ["-5", "-0", "-36.48", "-007"])
@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_a_negative_number_is_no_formula(number: str, file_format: str) -> None:
    device = a_device(model_name=number)
    assert neutralized(number) == number
    assert not is_formula(number)
    assert read_back(file_format, [device]) == [device]
    assert denaturalized(f"'{number}") == number


@pytest.mark.parametrize(
    "formula",
    ["=1+1", "+1", "-1+1", "-cmd", "-5 6", "-5\n=1", "-", "-.5", "--5", "@x", "=cmd|' /C calc'!A0", "\t=1"],
)
def test_a_formula_is_refused_in_a_csv_file(formula: str) -> None:
    ((_, values, problem),) = rows(f'{DEVICE}\nlynx-9,Lynx,"{formula}",rated')
    assert problem == "`model_name` begins like a formula; if it is text, put an apostrophe before it"
    assert values["model_id"] == "lynx-9"


@pytest.mark.parametrize("value", ["=1+1", "#REF!"])
def test_a_formula_and_what_is_left_of_one_are_refused_in_a_workbook(value: str) -> None:
    def put(sheet: Any) -> None:
        sheet["C2"] = value

    ((_, _, problem),) = rows(workbook(["lynx-9", "Lynx", "Nine", "rated"], change=put), "a.xlsx")
    assert problem.startswith("`model_name` begins like a formula")


def bomb() -> bytes:
    """Return a workbook that is small until it is unpacked."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (reading_child.MAX_UNZIPPED + 1))
    return out.getvalue()


def crowded() -> bytes:
    """Return a workbook of a few kilobytes that would take minutes to read: all its cells are empty."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<row>" + b"<c/>" * reading_child.MAX_TAGS + b"</row>")
    return out.getvalue()


def leading_out() -> bytes:
    """Return a workbook that asks its reader for a file of the reader's own."""
    content, out = workbook(["lynx-9", "Lynx", "Nine", "rated"]), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "xl/worksheets/sheet1.xml":
                text = data.decode().replace(">Nine<", ">&own;<")
                data = f'<!DOCTYPE x [<!ENTITY own SYSTEM "file:///etc/passwd">]>{text}'.encode()
            new.writestr(entry, data)
    return out.getvalue()


def laughing() -> bytes:
    """Return a workbook whose sheet grows a millionfold while it is read."""
    content, out = workbook(["lynx-9", "Lynx", "Nine", "rated"]), io.BytesIO()
    entities = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10}">' for at in range(1, 10))
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "xl/worksheets/sheet1.xml":
                text = data.decode().replace(">Nine<", ">&e9;<")
                data = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]>{text}'.encode()
            new.writestr(entry, data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.xls", b"x", "The name of the file must end in .csv, .xlsx or .json."),
        ("a", b"x", "The name of the file must end in .csv, .xlsx or .json."),
        ("a.csv", b"", "The file has no rows."),
        ("a.csv", b"\n\n", "The file has no rows."),
        ("a.csv", DEVICE.encode(), "The file has no rows."),
        ("a.csv", b"x" * (files.MAX_BYTES + 1), "The file is larger than 32 MB; import it in parts."),
        ("a.csv", b"model_id,speed\nx,1", "There is no column `speed`. The columns are model_id, brand,"),
        ("a.csv", b"model_id,brand,model_id\nx,y,z", "The column `model_id` is there twice."),
        ("a.csv", "model_id,brand\nlynx,Lünx".encode("latin-1"), "The file is not UTF-8"),
        ("a.csv", "model_id,brand\nlynx,Lynx".encode("utf-16"), "The file is not UTF-8"),
        ("a.csv", b"model_id,brand\nlynx,Ly\x00nx", "The file contains the character U+0000"),
        ("a.csv", b'model_id,brand\nlynx,"Lynx" x', "The file is not valid CSV from line 2 on"),
        ("a.csv", (DEVICE + "\na,b,c,d" * 50_001).encode(), "The file has more than 50,000 rows"),
        ("a.json", b"{}", "The file must be a list of objects, one for each record"),
        ("a.json", b"[1]", "The file must be a list of objects, one for each record"),
        ("a.json", b"[", "The file is not valid JSON"),
        ("a.json", b"[]", "The file has no rows."),
        ("a.json", b'[{}, {"a": 1, "b": 2, "a": 1}]', "Row 2 has the field `a` twice."),
        ("a.json", b'[{"c": [{"a": {"b": 1, "b": 2}}]}]', "Row 1 has the field `b` twice."),
        ("a.json", b'[{"\\u0061": 1, "a": 2}]', "Row 1 has the field `a` twice."),
        ("a.json", b'[{"model_id": "a\\u0000"}]', "The file contains the character U+0000"),
        ("a.json", b"[" + b"{}," * 50_000 + b"{}]", "The file has more than 50,000 rows"),
        ("a.xlsx", b"PK not a zip", "The file cannot be read as an XLSX workbook."),
        ("a.xlsx", DEVICE.encode(), "The file cannot be read as an XLSX workbook."),
        ("a.xlsx", bomb(), "The file is too large once it is unpacked"),
        ("a.xlsx", crowded(), "The file has too many cells"),
        ("a.xlsx", leading_out(), "The file cannot be read as an XLSX workbook."),
        ("a.xlsx", laughing(), "The file cannot be read as an XLSX workbook."),
    ],
)
def test_a_file_that_cannot_be_read_says_why(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(files.UnreadableFile) as refused:
        files.read(name, content, records.Device)
    assert str(refused.value).startswith(reason)


def test_a_text_that_a_spreadsheet_would_cut_is_not_exported_to_one() -> None:
    device = a_device(notes="x" * (files.MAX_CELL + 1))
    with pytest.raises(files.UnwritableFile, match="too long for a cell"):
        files.write("xlsx", [device], records.Device)
    assert read_back("csv", [device]) == [device]


@pytest.mark.parametrize(
    ("column", "text", "reason"),
    [
        ("capacity_mah", "10.5", "is a whole number, not `10.5`"),
        ("watt_hour", "37,5", "is a number such as 37 or 36.48, not `37,5`"),
        ("watt_hour", "36_0", "is a number such as 37 or 36.48, not `36_0`"),
        ("release_year", "null", "is a whole number, not `null`"),
        ("model_name", "a\\x", "has a backslash without a meaning"),
        ("model_name", "\\ud800", "has a backslash without a meaning"),
    ],
)
def test_a_cell_that_cannot_be_read_says_why(column: str, text: str, reason: str) -> None:
    cells = {**to_cells(a_device()), column: text}
    with pytest.raises(BadCell) as refused:
        from_cells(records.Device, cells)
    assert str(refused.value).startswith(f"`{column}` {reason}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-03-01 | One unit.", "has date | what | source on each line"),
        ("1 March | One unit. | a-page", "is a date such as 2026-11-20, not `1 March`"),
    ],
)
def test_a_line_of_a_list_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    with pytest.raises(BadCell) as refused:
        from_cells(records.Airline, {**to_cells(an_airline()), "changes": text})
    assert str(refused.value).startswith(f"`changes` {reason}")


@pytest.mark.parametrize("text", ["2026-03-01|One unit.|a-page", " 2026-03-01  |  One unit.| a-page\n\n"])
def test_a_line_may_be_written_as_people_write(text: str) -> None:
    airline = from_cells(records.Airline, {**to_cells(an_airline()), "changes": text})
    (change,) = airline.changes
    assert (change.date, change.what.strip(), change.source) == (
        datetime.date(2026, 3, 1),
        "One unit.",
        "a-page",
    )


@pytest.mark.parametrize("record_type", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_record_can_be_spelled(record_type: type[Any]) -> None:
    record = KINDS[record_type]()
    assert list(to_cells(record)) == [column.name for column in columns_of(record_type)]
    assert from_cells(record_type, to_cells(record)) == record
