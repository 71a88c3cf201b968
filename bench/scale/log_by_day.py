"""The verdict log with a table for each day, which PostgreSQL shows as one: rows and uses as in `log`."""

from pathlib import Path

from bench.scale import log
from bench.scale.kept import Figures


def measure(rows: int, folder: Path) -> Figures:
    """Fill the tables, and use them."""
    return log.measured(rows, folder, by_day=True)
