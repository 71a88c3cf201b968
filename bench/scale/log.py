"""The verdict log as it is, one table, at a growing number of rows; and the same rows as Parquet."""

from pathlib import Path

from bench.desk.daily_work import verdict_rows
from bench.scale import log_table, log_use, own_database, parquet
from bench.scale.kept import Figures

SETTINGS = {"shared_buffers": "4GB", "max_wal_size": "8GB", "maintenance_work_mem": "1GB"}
"""As on a machine of its own with 16 GB; PostgreSQL begins with 128 MB."""


def measure(rows: int, folder: Path) -> Figures:
    """Fill the table, use it, and write it into files."""
    return measured(rows, folder, by_day=False)


def measured(rows: int, folder: Path, *, by_day: bool) -> Figures:
    """Fill the table, whole or by day, and use it. The whole one is also written into files."""
    with own_database.opened(folder, **SETTINGS):
        from django.utils import timezone

        from rules import corpus

        content = corpus.current().corpus.content
        try:
            seed = verdict_rows(content, log_table.PATTERNS, seed=3, now=timezone.now())
            log_table.make(rows, seed, by_day=by_day)
            files = {} if by_day else parquet.measure(rows, folder / "parquet")
            return log_use.use(rows, content, by_day=by_day) | files
        finally:
            corpus.stop_following()
