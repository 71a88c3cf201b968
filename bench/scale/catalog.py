"""A growing catalog: what it costs to load, search, publish and survey, and what its pages cost.

At 100,000 models there are 500 airlines, 20,000 rules and 20,000 recalls. The smaller sizes have as many for
each model, but never fewer than the real corpus. Seconds are processor time of the service, without that of
the database, except where a figure says otherwise.
"""

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from bench import release, search
from bench.desk import full_desk
from bench.engine import impact, memory
from bench.http import server
from bench.http.page import addresses
from bench.http.reading import Application, read
from bench.report import Line, say
from bench.scale.kept import Figures
from bench.scale.readers import first_page
from bench.scale.releasing import Publisher
from rules.engine.document import Content, decode

PAGES = 400
LOCATION = re.compile(rb"<loc>([^<]+)</loc>")
ORIGIN = re.compile(r"https?://[^/]+")


def measure(models: int, folder: Path) -> Figures:
    """Fill a database with a catalog of this size, publish it, and measure what the service does with it."""
    with release.published() as document:
        from django.contrib.auth.models import User

        from rules.models import Release

        by = User.objects.create_superuser("bench")
        say("  Filling the database")
        full_desk.fill_catalog(decode(document).content, _size(models), by=by)
        _analyze()
        current = Release.objects.current()
        assert current is not None
        text = current.document.encode()
        content = decode(text).content
        figures: Figures = {"rules": len(content.rules), "airlines": len(content.airlines)}
        for step in (_loading, _searching, _serving):
            say(f"  {step.__name__.strip('_').capitalize()}")
            figures |= step(text, content)
        figures |= _reading(content) | _publishing()
        say("  Surveying")
        return figures | _of(impact.measure(content))


def _size(models: int) -> full_desk.Size:
    fifth = models // 5
    return full_desk.Size(
        devices=models,
        rules=max(1_300, fifth),
        recalls=max(160, fifth),
        sources=max(900, fifth),
        airlines=max(150, models // 200),
    )


def _analyze() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _loading(text: bytes, _: Content) -> Figures:
    found = {line["name"]: line["value"] for line in memory.measure(text)}
    return {
        "document, MB": len(text) / 1e6,
        "document to corpus, clock s": found["corpus_load_s"],
        "memory of the corpus, MiB": found["corpus_memory_mb"],
    }


def _searching(_: bytes, content: Content) -> Figures:
    line = search.of_devices("search", list(content.devices))
    return {
        "index of the search, clock s": line["build_seconds"],
        "search, median clock ms": line["value"],
        "search, 99th percentile, clock ms": line["p99_ms"],
    }


def _serving(_: bytes, content: Content) -> Figures:
    """Start a web process, and return when it first answers and how large it is then."""
    began = time.perf_counter()
    with server.running(WEB_WORKERS="1") as running:
        body = first_page(running.port, "/models")
        seconds = time.perf_counter() - began
        (worker,) = running.workers()
        return {
            "start of a web process to its first page, clock s": seconds,
            "memory of a web process, MiB": memory.of_process(worker)["rss"],
            "first page of the models, kB": len(body) / 1e3,
        }


def _reading(content: Content) -> Figures:
    """Make the records of indexed pages, then read pages, the manifest and all sitemaps in this process."""
    from django.utils import timezone

    from aeo import editions
    from aeo.discovery.actions import recompute_pages
    from compliance.wsgi import application
    from rules import corpus

    say("  Reading")
    now = timezone.now()
    corpus.refresh()
    records = _seconds(lambda: recompute_pages(edition=editions.current(now), now=now))
    try:
        pages = list(islice(addresses(content, 0.5), PAGES))
        cold = median(_seconds(partial(_read_all, application, [path])) for path in pages)
        manifest = _seconds(lambda: _read_all(application, ["/aeo-manifest.json"]))
        found: list[str] = []
        index = _seconds(lambda: found.extend(_listed(application, "/sitemap.xml")))
        listed: list[str] = []
        shards = _seconds(lambda: listed.extend(at for shard in found for at in _listed(application, shard)))
    finally:
        corpus.stop_following()
    return {
        "records of indexed pages, s": records,
        "verdict page, cold, median ms": cold * 1e3,
        "manifest, s": manifest,
        "index of sitemaps, s": index,
        "all sitemaps, s": shards,
        "addresses in sitemaps": len(listed),
    }


def _read_all(application: Application, paths: list[str]) -> None:
    for path in paths:
        for _ in read(application, path):
            pass


def _listed(application: Application, path: str) -> list[str]:
    """Return the addresses that a sitemap lists, or an index."""
    body = b"".join(read(application, path))
    return [ORIGIN.sub("", found.decode()) for found in LOCATION.findall(body)]


def _publishing() -> Figures:
    """Publish one more source by the action of the desk: with all checks and verdict cases."""
    say("  Publishing")
    publisher = Publisher()
    publisher.record()
    return {"publishing, with verdict cases, s": _seconds(lambda: publisher.publish(with_cases=True))}


def _of(lines: Iterator[Line]) -> Figures:
    found = {line["name"]: line["value"] for line in lines}
    return {
        "survey of a withdrawn permit of all, s": found["impact_of_the_baseline_s"],
        "survey of one airline of it, median ms": found["impact_of_an_airline_ms"],
    }


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds of this process, which other work on the machine disturbs less."""
    began = time.process_time()
    work()
    return time.process_time() - began
