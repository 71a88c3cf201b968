"""The table of the verdict log with real rows, as it is or partitioned by day, in a database for measuring.

The rows are those of real answers under other ids, in the order of their time, spread over the days for which
the log keeps them.
"""

import datetime
import os
from typing import Any

from bench.report import say

TABLE = "compliance_verdictrecord"
DAYS = 400
PATTERNS = 2_000
"""So many different questions were asked."""

OF_EACH = ("entry_id", "verdict_id", "generated", "expires", "recorded")
"""The columns that are different in each row."""

FILL = """
INSERT INTO compliance_verdictrecord ({columns}, entry_id, verdict_id, generated, expires, recorded)
SELECT {columns}, (%(process)s || lpad(to_hex(row_number() OVER ()), 16, '0'))::uuid,
    'vdt_' || translate(substr(md5(random()::text || verdict_id), 1, 26), '0189', 'wxyz'),
    at, at + (expires - generated), at
FROM (
    SELECT seed.*, %(begin)s::timestamptz + place * interval '1 day' / %(rows)s AS at
    FROM generate_series(0, %(rows)s - 1) AS place
    JOIN bench_seed AS seed ON seed.number = place %% %(patterns)s
    ORDER BY place
) AS asked
"""


def make(rows: int, seed: str, *, by_day: bool) -> None:
    """Make the table again with so many rows; its indexes come last. `seed` are real rows as JSON."""
    say("  Filling the log")
    execute(f"CREATE TABLE IF NOT EXISTS bench_template (LIKE {TABLE} INCLUDING ALL)")
    execute(f"DROP TABLE IF EXISTS {TABLE}, bench_seed CASCADE")
    _plant(seed)
    kind = " PARTITION BY RANGE (generated)" if by_day else ""
    execute(f"CREATE TABLE {TABLE} (LIKE bench_template INCLUDING CONSTRAINTS){kind}")
    columns = ", ".join(
        name
        for (name,) in rows_of(
            "SELECT column_name FROM information_schema.columns WHERE table_name = %s", TABLE
        )
        if name not in OF_EACH
    )
    for day in days():
        if by_day:
            _make_day(day)
        given = {
            "process": os.urandom(8).hex(),
            "begin": begin(day),
            "rows": rows // DAYS,
            "patterns": PATTERNS,
        }
        execute(FILL.format(columns=columns), given)
    _make_indexes(by_day=by_day)
    execute(f"VACUUM ANALYZE {TABLE}")
    execute("CHECKPOINT")


def days() -> list[datetime.date]:
    """Return the days with rows, the oldest first. The last one is yesterday (UTC)."""
    today = datetime.datetime.now(datetime.UTC).date()
    return [today - datetime.timedelta(days=ago) for ago in range(DAYS, 0, -1)]


def begin(day: datetime.date) -> datetime.datetime:
    """Return the midnight with which a day begins (UTC)."""
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC)


def of_day(day: datetime.date) -> str:
    """Return the name of the table of a day, where each day has one."""
    return f"{TABLE}_{day:%Y%m%d}"


def execute(query: str, given: Any = None) -> None:
    """Run a statement."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query, given)


def rows_of(query: str, *given: Any) -> list[tuple[Any, ...]]:
    """Return all rows of a query."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query, given)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _plant(seed: str) -> None:
    execute("CREATE TABLE bench_seed (LIKE bench_template, number integer PRIMARY KEY)")
    execute(
        "INSERT INTO bench_seed SELECT (jsonb_populate_record(NULL::bench_seed,"
        " entry || jsonb_build_object('recorded', now(), 'number', place - 1))).*"
        " FROM jsonb_array_elements(%s::jsonb) WITH ORDINALITY AS entries (entry, place)",
        [seed],
    )


def _make_day(day: datetime.date) -> None:
    until = day + datetime.timedelta(days=1)
    execute(
        f"CREATE TABLE {of_day(day)} PARTITION OF {TABLE} FOR VALUES FROM (%s) TO (%s)",
        [begin(day), begin(until)],
    )


def _make_indexes(*, by_day: bool) -> None:
    """Make the indexes of the log. A unique one of a partitioned table must have the time in it."""
    found = rows_of("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'bench_template'")
    for name, definition in found:
        own = definition.replace("public.bench_template", TABLE).replace(name, f"bench_log_{name[-20:]}")
        execute(own.replace("(entry_id)", "(entry_id, generated)") if by_day else own)
