"""Small files that would take much memory or time: a clear refusal, and nothing is written."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection
from openpyxl import Workbook

from catalog.airlines.bulk import AIRLINES
from catalog.bulk import files, importing
from catalog.bulk.tables import Table
from catalog.devices.bulk import DEVICES
from rules.editing.bulk import RULES
from rules.engine.facts import Params, When
from tests.support.factories import a_device, a_user
from tests.support.world import build_world

HEAD = (
    b"model_id,brand,model_name,watt_hour_basis,watt_hour,capacity_mah,nominal_voltage,release_year,aliases\n"
)
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
A_FIGURE = "`watt_hour` is a number such as 37 or 36.48, not"
A_COUNT = "`capacity_mah` is a whole number, not"
TOO_MUCH = "Reading the file takes too much time or memory"
CELLS = "The file has too many cells"


def line(**cells: str) -> bytes:
    """Return a file of one model with these cells."""
    row = {"model_id": "x-1", "brand": "X", "model_name": "X 1", "watt_hour_basis": "unknown"} | cells
    names = HEAD.decode().strip().split(",")
    return HEAD + ",".join(row.get(name, "") for name in names).encode() + b"\n"


def item(name: str, value: str) -> bytes:
    """Return a JSON file of one model with this value."""
    known = '"model_id":"x-1","brand":"X","model_name":"X 1","watt_hour_basis":"unknown"'
    return f'[{{{known},"{name}":{value}}}]'.encode()


def parts(**changes: bytes) -> bytes:
    """Return a workbook with some of its parts replaced or added: `sheet`, `strings`, `styles`, `extra`."""
    names = {"sheet": SHEET, "strings": STRINGS, "styles": "xl/styles.xml", "extra": "xl/media/a.bin"}
    book, content, out = Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["model_id", "brand"])
    book.save(content)
    new = {names[name]: data for name, data in changes.items()}
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for entry in old.infolist():
            if entry.filename not in new:
                made.writestr(entry, old.read(entry))
        for name, data in new.items():
            made.writestr(name, data)
    return out.getvalue()


def sheet_of(rows: str) -> bytes:
    """Return a workbook whose sheet has these rows, in XML."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return parts(sheet=f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'.encode())


def prefixed_sheet_of(rows: str) -> bytes:
    """Return a workbook whose tags have a prefix, as XML permits."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<p:worksheet xmlns:p="{space}"><p:sheetData>{rows}</p:sheetData></p:worksheet>'
    return parts(sheet=sheet.encode())


def number_of(value: str) -> bytes:
    """Return a workbook of one model with a number as its watt-hours."""
    head = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in ("model_id", "watt_hour"))
    return sheet_of(
        f'<row>{head}</row><row><c t="inlineStr"><is><t>x</t></is></c><c><v>{value}</v></c></row>'
    )


def far_right() -> bytes:
    """Return a workbook with one cell in each row, in its last possible column."""
    cells = (f'<row r="{at}"><c r="XFD{at}"><v>1</v></c></row>' for at in range(1, 20_001))
    return sheet_of("".join(cells))


def many_parts() -> bytes:
    """Return an archive of more parts than a workbook has."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for at in range(2_000):
            archive.writestr(f"{at}.xml", b"")
    return out.getvalue()


# Name of the file, its content, and how the reason begins.
BOMBS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "a cell in the last column of each row": ("a.xlsx", far_right, "Row 1 has a cell in column 16,384"),
    "one cell in the last column": (
        "a.xlsx",
        lambda: sheet_of('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
        "Row 1 has a cell in column 16,384",
    ),
    "a million empty cells in a row": (
        "a.xlsx",
        lambda: sheet_of(f"<row>{'<c/>' * 1_000_000}</row>"),
        CELLS,
    ),
    "a million cells in rows without text": (
        "a.xlsx",
        lambda: sheet_of(f"<row>{'<c/>' * 1_000}</row>" * 1_001),
        CELLS,
    ),
    "empty rows without end": (
        "a.xlsx",
        lambda: sheet_of("<row/>" * 500_000),
        "The workbook has more than 200",
    ),
    "empty rows with a prefix": (
        "a.xlsx",
        lambda: prefixed_sheet_of("<p:row/>" * 300_000),
        "The workbook has more than 200",
    ),
    "tags of nothing": ("a.xlsx", lambda: sheet_of("<x/>" * 4_100_000), CELLS),
    "two million texts for no cell": (
        "a.xlsx",
        lambda: parts(strings=b"<sst>" + b"<si/>" * 2_000_000 + b"</sst>"),
        "The workbook has more texts than cells",
    ),
    "a million styles": (
        "a.xlsx",
        lambda: parts(styles=b"<styleSheet>" + b"<xf/>" * 1_000_000 + b"</styleSheet>"),
        "The workbook has too much in xl/styles.xml",
    ),
    "a picture of zeros": (
        "a.xlsx",
        lambda: parts(extra=bytes(50_000_000)),
        "The workbook has too much in xl/media/a.bin",
    ),
    "200 MB of zeros": (
        "a.xlsx",
        lambda: parts(extra=bytes(200_000_000)),
        "The file is too large once it is unpacked",
    ),
    "thousands of parts": ("a.xlsx", many_parts, "The workbook has more than 1,000 parts"),
    "one long text in many cells": (
        "a.xlsx",
        lambda: sheet_of(f'<row><c t="inlineStr"><is><t>{"x" * 90_000_000}</t></is></c></row>'),
        "",
    ),
    "a number of 300 digits in a workbook": ("a.xlsx", lambda: number_of("1e300"), "Row 2 has a number of"),
    "infinity in a workbook": ("a.xlsx", lambda: number_of("1e999"), "Row 2 has a number of"),
    "a billion digits in a workbook": ("a.xlsx", lambda: number_of("1E+999999999"), "Row 2 has a number of"),
    "a number of a million digits in a workbook": (
        "a.xlsx",
        lambda: number_of("9" * 1_000_000),
        "The file cannot be read as an XLSX",
    ),
    "a line of commas": ("a.csv", lambda: b"," * files.MAX_BYTES, "Line 1 is longer than 2,000,000"),
    "lines of nothing": ("a.csv", lambda: b"\n" * files.MAX_BYTES, "The file has more than 500,000 lines"),
    "lines of commas": ("a.csv", lambda: HEAD + b",,,,\n" * 5_000_000, "The file has more than 500,000"),
    "a quote without end": (
        "a.csv",
        lambda: HEAD + b'"' + b"x\n" * 10_000_000,
        "The file is not valid CSV from line",
    ),
    "a cell of a million letters": (
        "a.csv",
        lambda: line(brand="x" * 1_000_000),
        "The file is not valid CSV from line 2",
    ),
    "columns without end": ("a.csv", lambda: b"a," * 900_000 + b"a", "Row 1 has more than 200 columns"),
    "a billion digits": ("a.csv", lambda: line(watt_hour="1E+999999999"), A_FIGURE),
    "a billion digits, five times": (
        "a.csv",
        lambda: line(watt_hour="1E+999999999") + line(watt_hour="1E+999999999").split(b"\n")[1] * 4,
        "",
    ),
    "a billionth of a digit": ("a.csv", lambda: line(watt_hour="1E-999999999"), A_FIGURE),
    "a negative number of a billion digits": ("a.csv", lambda: line(watt_hour="-1E+99999999"), "`watt_hour`"),
    "no number": ("a.csv", lambda: line(watt_hour="NaN"), A_FIGURE),
    "a signalling no number": ("a.csv", lambda: line(watt_hour="sNaN"), A_FIGURE),
    "infinity": ("a.csv", lambda: line(watt_hour="Infinity"), A_FIGURE),
    "minus infinity": ("a.csv", lambda: line(watt_hour="-inf"), "`watt_hour`"),
    "a number of 100,000 digits": ("a.csv", lambda: line(watt_hour="9" * 100_000), A_FIGURE),
    "a voltage of a billion digits": (
        "a.csv",
        lambda: line(nominal_voltage="1E+999999999"),
        "`nominal_voltage` is a number such as",
    ),
    "a count with an exponent": ("a.csv", lambda: line(capacity_mah="1E+999999999"), A_COUNT),
    "a count of 100,000 digits": ("a.csv", lambda: line(capacity_mah="9" * 100_000), A_COUNT),
    "a count of 39 digits": ("a.csv", lambda: line(capacity_mah="9" * 39), "`capacity_mah`"),
    "a year of 39 digits": ("a.csv", lambda: line(release_year="9" * 39), "`release_year`"),
    "a billion digits in JSON": (
        "a.json",
        lambda: item("watt_hour", '"1E+999999999"'),
        "`watt_hour` is a number of at most 30 digits",
    ),
    "a bare billion digits in JSON": (
        "a.json",
        lambda: item("watt_hour", "1E+999999999"),
        "The file must be a list of objects, one for each record: Number out of range",
    ),
    "300 digits in JSON": (
        "a.json",
        lambda: item("watt_hour", "1E+300"),
        "`watt_hour` is a number of at most 30 digits",
    ),
    "infinity in JSON": (
        "a.json",
        lambda: item("nominal_voltage", '"Infinity"'),
        "`nominal_voltage` is a number of at most",
    ),
    "no number in JSON": (
        "a.json",
        lambda: item("watt_hour", '"NaN"'),
        "`watt_hour` is a number of at most 30 digits",
    ),
    "a count of 39 digits in JSON": (
        "a.json",
        lambda: item("capacity_mah", "9" * 39),
        "",
    ),
    "a list in a list in a list": ("a.json", lambda: b"[" * 1_000_000, "The file is not valid JSON"),
    "a deep value": (
        "a.json",
        lambda: item("watt_hour", "[" * 100_000 + "]" * 100_000),
        "The file is not valid JSON",
    ),
    "lists of lists": ("a.json", lambda: b'[{"a":[' + b"[]," * 10_000_000 + b"[]]}]", TOO_MUCH),
    "objects of nothing": ("a.json", lambda: b"[" + b"{}," * 10_000_000 + b"{}]", TOO_MUCH),
}
MEASURED = """
import json, re, resource, sys
from pathlib import Path
import msgspec
from catalog import records
from catalog.bulk import cells, files

def said_of(name, content):
    try:
        sheet = files.read(name, content, records.Device)
        for row in sheet.rows:
            if sheet.is_json:
                msgspec.convert(dict(row.values), records.Device)
            else:
                cells.to_cells(cells.from_cells(records.Device, row.values))
    except (files.UnreadableFile, cells.BadCell, msgspec.ValidationError) as refused:
        return str(refused)
    return "read"

used = 0.0
for line in sys.stdin.buffer:
    name, size = line.decode().split()
    said = said_of(name, sys.stdin.buffer.read(int(size)))
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    before, used = used, children.ru_utime + children.ru_stime
    # Its own ru_maxrss would include the peak of the process that started it.
    own = int(re.search("VmHWM:[^0-9]*([0-9]+)", Path("/proc/self/status").read_text())[1])
    print(json.dumps([said, used - before, max(own, children.ru_maxrss)]), flush=True)
"""
"""Reads one file after the other. For each it says what came of it, its seconds, and the peak until then."""


def test_each_bomb_is_refused_within_two_seconds_of_processor_time_and_200_mb() -> None:
    wrong = {}
    with subprocess.Popen(
        [sys.executable, "-c", MEASURED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for bomb_of, (name, made, reason) in BOMBS.items():
            content = made()
            reader.stdin.write(f"{name} {len(content)}\n".encode() + content)
            reader.stdin.flush()
            said, seconds, kibibytes = json.loads(reader.stdout.readline())
            is_refused = said.startswith(reason) or said == "read"
            if not is_refused or seconds >= 2 or kibibytes >= 200 * 1024:
                wrong[bomb_of] = said[:200], seconds, kibibytes
    assert wrong == {}


def counts() -> dict[str, int]:
    """Return the number of rows of every table."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in tables))
        return dict(cursor.fetchall())


@pytest.mark.django_db
def test_a_bomb_writes_nothing() -> None:
    """The import itself, over the real tables: each row has its reason, or the file has one."""
    build_world(by=a_user("author"))
    editor, before = a_user(), counts()
    for bomb_of, (name, made, reason) in BOMBS.items():
        said = refusal(DEVICES, name, made(), editor)
        assert said.startswith(reason), bomb_of
        assert counts() == before, bomb_of
    for table, content in (
        (RULES, b"rule_id,when.watt_hour_over\nxr-two-units,1E+999999999"),
        (RULES, b"rule_id,params.limit_watt_hour\nxr-two-units,Infinity"),
        (RULES, b"rule_id,applies\nxr-two-units," + b"[" * 100_000),
        (RULES, b"rule_id,params.max_units\nxr-two-units," + b"9" * 39),
        (AIRLINES, b"airline,effective_from\nN1," + b"9" * 100_000),
    ):
        assert refusal(table, "a.csv", content, editor)
        assert counts() == before


def refusal(table: Table, name: str, content: bytes, editor: User) -> str:
    """Return why a file, or its first row, is not imported."""
    try:
        plan = importing.preview(table, name, content, by=editor)
    except files.UnreadableFile as refused:
        return str(refused)
    assert not plan.can_be_applied
    done, plan = importing.apply(table, name, content, by=editor, agreed=plan.digest)
    assert not done
    return plan.outcomes[0].reason


@pytest.mark.parametrize("figure", ["1E+999999999", "1E-999999999", "NaN", "sNaN", "Infinity", "9" * 31])
def test_no_record_has_a_number_that_cannot_be_written(figure: str) -> None:
    for make in (
        lambda number: a_device(watt_hour=number),
        lambda number: a_device(nominal_voltage=number),
        lambda number: When(watt_hour_over=number),
        lambda number: When(watt_hour_at_least=number),
        lambda number: When(watt_hour_up_to=number),
        lambda number: Params(limit_watt_hour=number),
    ):
        with pytest.raises(ValueError, match="is a number of at most 30 digits"):
            make(Decimal(figure))
    with pytest.raises(msgspec.ValidationError, match="is a number of at most 30 digits"):
        msgspec.convert({"watt_hour_over": figure}, When)
