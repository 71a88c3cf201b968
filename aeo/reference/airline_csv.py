"""/airlines.csv: the list of airlines as a file. Its columns are in `COLUMNS`.

`whose_rules` says whether a row has the airline's own rules or assumed ones (`aeo.reference.whose`). What no
rule says is `not_known`, never an empty cell. `refused` answers a column that has no value because
`carry_on_prohibited_over_watt_hour` leaves none: no approval exists, or no unit above 100 Wh may travel.
What must be on the person or in the seat pocket is not in the overhead bin, whether a rule names it or not.
Watt-hours are limits: a rating of exactly the figure is meant if the column `..._inclusive` is `true`.
Columns that begin with `alone_` are the rules on file for the airline alone, as GET /api/airlines/{code}
gives them; those without are no milder than the rules around them.

The file is public, like the page that shows the same values. Partners get the rules behind each value, with
their evidence (`aeo.datasets.overview`).
"""

import csv
import io
from collections.abc import Iterable, Iterator

from aeo.reference.airline_rows import Row
from rules.engine.matching import plain
from rules.selectors.policy_fields import PolicyFields, refusal_instead

NOT_KNOWN = "not_known"
REFUSED = "refused"

WATT_HOURS = ("carry_on_max_watt_hour_without_approval", "carry_on_max_watt_hour_with_approval")
REFUSED_OVER = "carry_on_prohibited_over_watt_hour"
LIMITS = (*WATT_HOURS, REFUSED_OVER)
VALUES = (
    "max_units",
    "max_units_over_100_watt_hour",
    "onboard_use",
    "onboard_recharge",
    "overhead_bin",
    "on_person_or_seat_pocket",
    "label",
)

ENDS = ("", "_inclusive")

COLUMNS = (
    "airline",
    "icao",
    "name",
    "country",
    "whose_rules",
    *(f"{prefix}{name}{end}" for prefix in ("", "alone_") for name in LIMITS for end in ENDS),
    *VALUES,
    "in_force_since",
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
    yield None if row.whose == "nothing" else row.whose
    for fields in (row.fields, row.own):
        for name in LIMITS:
            yield from _limit(fields, name)
    for name in VALUES:
        field = getattr(row.fields, name)
        yield _without_value(row.fields, name) if field is None else field.value
    yield from (airline.effective_from, row.read.how, row.read.on, row.rules)


def _limit(fields: PolicyFields, name: str) -> tuple[str | None, str | None]:
    field = getattr(fields, name)
    if field is None:
        return (_without_value(fields, name),) * 2
    return plain(field.watt_hour), str(field.inclusive).lower()


def _without_value(fields: PolicyFields, name: str) -> str | None:
    return None if refusal_instead(fields, name) is None else REFUSED
