"""A database that stays in the folder of a part, with settings of its own, and Django set up for it."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import django

from compliance.services import embedded
from compliance.services.postgres import Cluster


@contextlib.contextmanager
def opened(folder: Path, **options: str) -> Iterator[None]:
    """Run the database with a published release; `options` are settings of PostgreSQL.

    This process may do everything in it. The servers of DATABASE_URL and REDIS_URL are neither used nor
    changed. Raises `ServiceError` if it does not start.
    """
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ.update(DATA_DIR=str(folder), DJANGO_SETTINGS_MODULE="bench.http.settings", LOG_LEVEL="WARNING")
    cluster = Cluster(folder / "postgres", options)
    with embedded.join(folder, cluster, publishes=True):
        subprocess.run(
            [sys.executable, "manage.py", "prepare"], cwd=embedded.REPOSITORY, check=True, stdout=sys.stderr
        )
        os.environ["DATABASE_URL"] = cluster.url
        django.setup()
        try:
            yield
        finally:
            os.environ.pop("DATABASE_URL")
