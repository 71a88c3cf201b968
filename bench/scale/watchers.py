"""Connections that only ask for the digest of the last release: what that costs the database.

Each asks as often as a follower does, with the query of a follower, and never loads anything.
"""

import contextlib
import os
import threading
from pathlib import Path

import psycopg

from bench.scale import own_database
from bench.scale.database_load import calm_load
from bench.scale.kept import Figures

WATCH_SECONDS = 20.0


def measure(count: int, folder: Path) -> Figures:
    """Let so many connections ask for some seconds."""
    with own_database.opened(folder, max_connections="300"), contextlib.ExitStack() as stack:
        stopping = threading.Event()
        threads = [threading.Thread(target=_watch, args=[stopping]) for _ in range(count)]
        for thread in threads:
            thread.start()
            stack.callback(thread.join)
        stack.callback(stopping.set)
        return calm_load(WATCH_SECONDS)


def _watch(stopping: threading.Event) -> None:
    from django.conf import settings

    from rules.corpus import LAST

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        while not stopping.wait(settings.CORPUS_POLL_SECONDS):
            connection.execute(LAST)
