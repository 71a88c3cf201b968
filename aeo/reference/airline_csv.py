"""/airlines.csv: the list of airlines as a file. Its columns are in `COLUMNS`.

What no rule says is `not_known`, never an empty cell. Watt-hours are limits: a rating of exactly the figure
is within it if the column `..._inclusive` is `true`. Columns that begin with `own_` are the airline's own
rules alone, as GET /api/airlines/{code} gives them; those without are no milder than the rules around them.
"""

import csv
import io
from collections.abc import Iterable, Iterator

from aeo.reference.airline_rows import Row
from rules.engine.matching import plain
from rules.selectors.policy_fields import PolicyFields

NOT_KNOWN = "not_known"

WATT_HOURS = ("carry_on_max_watt_hour_without_approval", "carry_on_max_watt_hour_with_approval")
VALUES = (
    "max_units",
    "max_units_over_100_watt_hour",
    "onboard_use",
    "onboard_recharge",
    "overhead_bin",
    "label",
)

COLUMNS = (
    "airline",
    "icao",
    "name",
    "country",
    *(f"{prefix}{name}{end}" for prefix in ("", "own_") for name in WATT_HOURS for end in ("", "_inclusive")),
    *VALUES,
    "effective_from",
    "policy_read",
    "policy_read_on",
    "rule_count",
)


def written(found: Iterable[Row]) -> str:
    """Return airlines as CSV, with a header."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in found:
        writer.writerow([NOT_KNOWN if value is None else str(value) for value in _values(row)])
    return file.getvalue()


def _values(row: Row) -> Iterator[object]:
    airline = row.airline
    yield from (airline.airline, airline.icao, airline.name, airline.country)
    for fields in (row.fields, row.own):
        yield from _limits(fields)
    for name in VALUES:
        field = getattr(row.fields, name)
        yield None if field is None else field.value
    yield from (airline.effective_from, row.read.how, row.read.on, row.rules)


def _limits(fields: PolicyFields) -> Iterator[str | None]:
    for name in WATT_HOURS:
        field = getattr(fields, name)
        yield None if field is None else plain(field.watt_hour)
        yield None if field is None else str(field.inclusive).lower()
