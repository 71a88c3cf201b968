"""Divides a file that has errors: the rows with errors, each with what is wrong, and all other rows.

Pure: no Django, no clock. Called by the admin. An import takes all of a file or nothing, so an editor imports
the other rows now, and these once they are mended.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence

from catalog.bulk.cells import neutralized
from catalog.bulk.files import PROBLEM, Row, Sheet


def with_errors(sheet: Sheet, problems: Mapping[int, str]) -> bytes:
    """Return the rows that have a problem, by their numbers, with a last column that says it."""
    rows = [row for row in sheet.rows if row.number in problems]
    said = [Row(row.number, {**row.values, PROBLEM: problems[row.number]}) for row in rows]
    return _written(said, is_json=sheet.is_json)


def without_errors(sheet: Sheet, problems: Mapping[int, str]) -> bytes:
    """Return the rows that have no problem."""
    return _written([row for row in sheet.rows if row.number not in problems], is_json=sheet.is_json)


def _written(rows: Sequence[Row], *, is_json: bool) -> bytes:
    """Return rows as they were: JSON as JSON, and a spreadsheet as CSV, with its columns in their order."""
    if is_json:
        return json.dumps([row.values for row in rows], ensure_ascii=False, indent=1).encode()
    columns = list(dict.fromkeys(name for row in rows for name in row.values))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows({name: neutralized(text) for name, text in row.values.items()} for row in rows)
    return out.getvalue().encode("utf-8-sig")
