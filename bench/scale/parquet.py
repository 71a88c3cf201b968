"""The verdict log as Parquet files of ten days each, and DuckDB asking them what PostgreSQL is asked."""

import datetime
from pathlib import Path

import duckdb

from bench.scale.kept import Figures
from bench.scale.log_table import TABLE, begin, days, rows_of
from bench.scale.log_use import seconds

DAYS_OF_FILE = 10

TO_CSV = (
    f"COPY (SELECT * FROM {TABLE} WHERE generated >= %s AND generated < %s) TO STDOUT (FORMAT csv, HEADER)"
)
TO_PARQUET = """
COPY (SELECT * REPLACE (CAST(generated AS timestamptz) AS generated)
      FROM read_csv('{csv}', all_varchar = true)) TO '{parquet}' (FORMAT parquet, COMPRESSION zstd)
"""
BY_DAY = """
SELECT CAST(generated AT TIME ZONE 'UTC' AS date), channel, verdict, count(*) FROM {rows} GROUP BY 1, 2, 3
"""
ROUTES = """
SELECT question->'leg'->>'origin', question->'leg'->>'destination', count(*)
FROM (SELECT CAST(question AS json) AS question FROM {rows} WHERE generated >= '{since}')
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 50
"""


def measure(rows: int, folder: Path) -> Figures:
    """Write the whole log into files, and count in both."""
    folder.mkdir(exist_ok=True)
    written = seconds(lambda: _write(folder))
    size = sum(file.stat().st_size for file in folder.glob("*.parquet"))
    parquet = f"read_parquet('{folder}/*.parquet')"
    with duckdb.connect() as database:
        by_day = seconds(lambda: database.execute(BY_DAY.format(rows=parquet)).fetchall())
        routes = ROUTES.format(rows=parquet, since=begin(days()[-30]).isoformat())
        found = seconds(lambda: database.execute(routes).fetchall())
    for file in folder.iterdir():
        file.unlink()
    return {
        "Parquet, rows a second into files": rows / written,
        "Parquet, bytes a row": size / rows,
        "verdicts of all days by PostgreSQL, s": seconds(lambda: rows_of(BY_DAY.format(rows=TABLE))),
        "verdicts of all days by DuckDB, s": by_day,
        "most asked routes of 30 days by DuckDB, s": found,
    }


def _write(folder: Path) -> None:
    csv = folder / "rows.csv"
    with duckdb.connect() as database:
        for first in days()[::DAYS_OF_FILE]:
            _write_csv(csv, first)
            database.execute(TO_PARQUET.format(csv=csv, parquet=folder / f"{first}.parquet"))


def _write_csv(csv: Path, first: datetime.date) -> None:
    from django.db import connection

    until = begin(first + datetime.timedelta(days=DAYS_OF_FILE))
    with (
        csv.open("wb") as file,
        connection.cursor() as cursor,
        cursor.copy(TO_CSV, [begin(first), until]) as rows,
    ):
        file.writelines(rows)
