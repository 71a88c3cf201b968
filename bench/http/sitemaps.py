"""What a million indexed pages cost in sitemaps: the highest memory of a request, and the time.

The pages are made up in the database. Each sitemap goes through the whole WSGI application and is discarded
piece by piece, as a server sends it.
"""

import time
import tracemalloc
from collections.abc import Iterator

from aeo.discovery.sitemaps import MOST_IN_SHARD
from bench.http.reading import Application, read
from bench.report import Disagreement, Line, value
from rules.engine.document import Content

FEW, MANY = 10_000, 1_000_000

PAGES = """
    INSERT INTO aeo_indexedpage (path, model_id, airline, country, rank, content_hash, last_changed)
    SELECT '/p/model-' || n || '/ek/jp', 'model-' || n, 'EK', 'JP', n, repeat('0', 64), now()
    FROM generate_series(%s, %s) AS n
"""


def measure(content: Content) -> Iterator[Line]:
    """Read all sitemaps of few pages, then of many."""
    from django.conf import settings
    from django.db import connection

    from compliance.wsgi import application
    from rules.corpus import stop_following

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE aeo_indexedpage")
        cursor.execute(PAGES, [1, FEW])
    try:
        # What the process loads once is not the memory of a request.
        _sitemaps(application, FEW)
        few = _peak_mib(application, FEW)
        with connection.cursor() as cursor:
            cursor.execute(PAGES, [FEW + 1, MANY])
            cursor.execute("ANALYZE aeo_indexedpage")
        many = _peak_mib(application, MANY)
        started = time.perf_counter()
        found = _sitemaps(application, MANY)
        seconds = time.perf_counter() - started
    finally:
        stop_following()
        connection.close()
    if found != MANY * len(settings.LANGUAGES):
        raise Disagreement(f"{MANY} pages are indexed, and the sitemaps list {found} addresses of them")
    yield value("sitemaps_peak_memory_1m_over_10k", [many / few], "times", 2, few_mib=few, many_mib=many)
    yield value("sitemaps_1m_s", [seconds], "s", addresses=found)


def _sitemaps(application: Application, pages: int) -> int:
    """Read the index and all of its shards, and return the number of their addresses."""
    _index(application)
    return sum(_shard(application, number) for number in range(1, -(-pages // MOST_IN_SHARD) + 1))


def _index(application: Application) -> None:
    for _ in read(application, "/sitemap.xml"):
        pass


def _shard(application: Application, number: int) -> int:
    pieces = read(application, f"/sitemaps/verdicts-{number}.xml")
    return sum(piece.count(b"<loc>") for piece in pieces)


def _peak_mib(application: Application, pages: int) -> float:
    """Return the highest memory for the index and the last shard."""
    tracemalloc.start()
    _index(application)
    _shard(application, -(-pages // MOST_IN_SHARD))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return round(most / 1024**2, 2)
