"""What the service does with the verdict log, measured on a full one, with the statements of the service."""

import datetime
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from bench.desk.daily_work import verdict_rows
from bench.scale.kept import Figures
from bench.scale.log_table import DAYS, TABLE, begin, days, execute, of_day, rows_of
from rules.engine.document import Content

BATCHES, IN_BATCH = 20, 1_000
FOUND = 200


def use(rows: int, content: Content, *, by_day: bool) -> Figures:
    """Measure each use on a log with so many rows. Its oldest day is gone afterwards."""
    return {
        "rows of a day": rows / DAYS,
        **_size(rows),
        "insert in batches of 1,000, rows a second": IN_BATCH / _insert(content, by_day=by_day),
        "find by id, median ms": _find() * 1e3,
        "export of a day, rows a second": rows / DAYS / seconds(_export),
        "most asked routes of 30 days, s": seconds(_routes),
        "purge of a day, s": seconds(partial(_purge, by_day=by_day)),
    }


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _size(rows: int) -> Figures:
    """Return the sizes of the table, or of all its parts; a table without parts is its only one."""
    (sizes,) = rows_of(
        "SELECT sum(pg_table_size(part)), sum(pg_indexes_size(part)) FROM"
        " (SELECT coalesce(relid, %s::regclass) AS part FROM (SELECT 1) one"
        "  LEFT JOIN pg_partition_tree(%s::regclass) ON true) AS parts",
        TABLE,
        TABLE,
    )
    table, indexes = map(float, sizes)
    return {"bytes a row, without indexes": table / rows, "bytes a row of indexes": indexes / rows}


def _insert(content: Content, *, by_day: bool) -> float:
    """Record new verdicts as workers do, and return the seconds of a batch. Today has its table."""
    from django.db import connection

    from compliance.records.verdict_log.actions import RECORD

    now = datetime.datetime.now(datetime.UTC)
    statement = RECORD
    if by_day:
        until = begin(now.date() + datetime.timedelta(days=1))
        day = f"{of_day(now.date())} PARTITION OF {TABLE}"
        execute(f"CREATE TABLE {day} FOR VALUES FROM (%s) TO (%s)", [begin(now.date()), until])
        statement = RECORD.replace("(entry_id) DO NOTHING", "(entry_id, generated) DO NOTHING")
    took = []
    for batch in range(BATCHES):
        rows = verdict_rows(content, IN_BATCH, seed=100 + batch, now=now)
        with connection.cursor() as cursor:
            took.append(seconds(partial(cursor.execute, statement, [rows])))
    return median(took)


def _find() -> float:
    """Find records by their ids, as `manage.py verdict find` does; return the seconds of one."""
    from compliance.records.verdict_log.finding import records_of

    places = random.Random(1).sample(days(), min(FOUND, DAYS))
    ids = [
        rows_of(
            f"SELECT verdict_id FROM {TABLE} WHERE generated >= %s ORDER BY generated LIMIT 1", begin(day)
        )[0][0]
        for day in places
    ]
    return median(seconds(partial(list, records_of(name))) for name in ids)


def _export() -> None:
    """Write the verdicts of a day, as the export for auditors does."""
    from compliance.records.audit_export.contents import write_verdicts
    from compliance.records.audit_export.layout import Period

    day = days()[-7]
    with tempfile.TemporaryDirectory() as folder:
        write_verdicts(Path(folder), Period(day, day))


def _routes() -> None:
    """Count the most asked routes, as the nightly job does."""
    from compliance.records.use import counting

    counting.routes(since=begin(days()[-30]), before=datetime.datetime.now(datetime.UTC))


def _purge(*, by_day: bool) -> None:
    """Delete the oldest day as the nightly job does, and free its space; or drop its table."""
    from compliance.records.verdict_log.actions import forget_verdicts

    oldest, following = days()[:2]
    if by_day:
        execute(f"DROP TABLE {of_day(oldest)}")
    else:
        forget_verdicts(before=begin(following))
        execute(f"VACUUM {TABLE}")
