"""An edge in front: how many reads of a million pages it answers itself, and what a publishing costs.

Readers read the first pages far more often than the last ones. nginx and Varnish are measured one after the
other, each with an empty memory at first. Everything runs on one machine, so reads a second are a floor.
"""

import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from bench import release
from bench.http import server
from bench.http.page import addresses
from bench.report import say
from bench.scale import nginx, varnish
from bench.scale.kept import Figures
from bench.scale.readers import first_page, read
from bench.scale.releasing import Publisher
from rules.engine.document import decode

PAGES = 1_000_000
AFTER = 10
"""After a purge, a tenth of the reads are measured again."""

SWAP_SECONDS = 2.0
"""After this, all web processes have a release that was published; see `docs/caching.md`."""

FROM_THE_EDGE = ("HIT", "STALE", "UPDATING")


def measure(reads: int, folder: Path) -> Figures:
    """Read so many pages through each edge, and as many again; then purge, and read a tenth."""
    with release.published() as document, server.running(LOG_LEVEL="ERROR") as origin:
        file = folder / "pages"
        if not file.exists():
            file.write_text("\n".join(islice(addresses(decode(document).content, 0.1), PAGES)))
        first_page(origin.port, "/")
        return _nginx(reads, folder, file, origin.port) | _varnish(reads, folder, file, origin.port)


def _nginx(reads: int, folder: Path, file: Path, origin: int) -> Figures:
    from rules import corpus

    say("  nginx")
    edge = nginx.Edge(folder / "nginx", origin)
    before = corpus.refresh().ruleset_version
    with edge.running(before):
        first = read(edge.port, file, seed=1, count=reads)
        cold = edge.statuses()
        more = read(edge.port, file, seed=2, count=reads)
        warm = edge.statuses()
        publisher = Publisher()
        publisher.record()
        publisher.publish()
        time.sleep(SWAP_SECONDS)
        switched = _seconds(lambda: edge.purge(corpus.refresh().ruleset_version))
        after = read(edge.port, file, seed=3, count=reads // AFTER)
        purged = edge.statuses()
    return {
        "nginx, empty: hit rate": _hit_rate(cold),
        "nginx, empty: reads a second": reads / first,
        "nginx, empty: origin requests a second": cold["MISS"] / first,
        "nginx, as many again: hit rate": _hit_rate(warm),
        "nginx, as many again: reads a second": reads / more,
        "nginx, as many again: origin requests a second": _asked(warm) / more,
        "nginx, another release: purge, ms": switched * 1e3,
        "nginx, another release: hit rate of a tenth": _hit_rate(purged),
        "nginx, another release: origin requests a second": _asked(purged) / after,
    }


def _varnish(reads: int, folder: Path, file: Path, origin: int) -> Figures:
    say("  Varnish")
    edge = varnish.Edge(folder, origin)
    (path,) = islice(file.open(), 1)
    with edge.running():
        first = read(edge.port, file, seed=1, count=reads)
        cold = edge.hit_rate()
        read(edge.port, file, seed=2, count=reads // AFTER)
        warm = edge.hit_rate()
        purge = _seconds(lambda: edge.purge(f"model-{path.split('/')[2]}"))
        read(edge.port, file, seed=2, count=reads // AFTER)
        purged = edge.hit_rate()
    return {
        "Varnish, empty: hit rate": cold,
        "Varnish, empty: reads a second": reads / first,
        "Varnish, then: hit rate of a tenth": warm,
        "Varnish, one model: purge by key, ms": purge * 1e3,
        "Varnish, one model: hit rate of the same tenth": purged,
    }


def _hit_rate(statuses: Counter[str]) -> float:
    return sum(statuses[status] for status in FROM_THE_EDGE) / statuses.total()


def _asked(statuses: Counter[str]) -> int:
    """Return how many requests went to the service, those that were answered with 304 included."""
    return statuses.total() - sum(statuses[status] for status in FROM_THE_EDGE)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
