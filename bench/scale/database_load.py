"""How much work clients give to the database while nothing happens."""

import time
from pathlib import Path

from bench.scale.kept import Figures

QUERIES = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
BACKENDS = "SELECT pid FROM pg_stat_activity"
BEGIN_SECONDS = 2.0
"""After this, all clients are connected."""


def calm_load(seconds: float) -> Figures:
    """Watch the database for some seconds; each query of a follower is one transaction."""
    time.sleep(BEGIN_SECONDS)
    queries, spent, began = _queries(), _processor_seconds(), time.perf_counter()
    time.sleep(seconds)
    took = time.perf_counter() - began
    return {
        "calm: queries a second": (_queries() - queries) / took,
        "calm: cores of the database": (_processor_seconds() - spent) / took,
    }


def _queries() -> int:
    return _column(QUERIES)[0]


def _processor_seconds() -> float:
    """Return what all processes of the database have used. They have one thread each."""
    nanoseconds = [Path(f"/proc/{pid}/schedstat").read_text().split()[0] for pid in _column(BACKENDS)]
    return sum(map(int, nanoseconds)) / 1e9


def _column(query: str) -> list[int]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        return [int(value) for (value,) in cursor.fetchall()]
