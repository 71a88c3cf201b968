"""The real release to measure: the starter corpus, seeded and published as in `make run`."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import django

from bench.report import say
from catalog.signing_keys import new_seed
from compliance.services import embedded, keys, throwaway


@contextlib.contextmanager
def published() -> Iterator[bytes]:
    """Run a database with the release, set up Django to use it, and yield the document of the release.

    The database is deleted at the end. The servers of DATABASE_URL and REDIS_URL are neither used nor
    changed. As in `make run` there is no Redis, except for tasks that need it (BENCH_REDIS_URL).
    """
    say("Starting PostgreSQL")
    with throwaway.services() as addresses:
        os.environ.pop("REDIS_URL", None)
        os.environ.update(
            DJANGO_SETTINGS_MODULE="bench.http.settings",
            DATABASE_URL=addresses.database_url,
            SECRET_KEY="only-for-measuring",
            VERDICT_KEY="only-for-measuring",
            RECEIPT_KEYS=new_seed(),
            **keys.new_release_key(),
            RELEASE_HEAD_FILE=f"{addresses.folder}/release-head",
            VERDICT_SPOOL_DIR=f"{addresses.folder}/spool",
            BENCH_REDIS_URL=addresses.redis_url,
            LOG_LEVEL="WARNING",
        )
        subprocess.run(
            [sys.executable, "manage.py", "prepare"], cwd=embedded.REPOSITORY, check=True, stdout=sys.stderr
        )
        django.setup()
        yield _document()


def _document() -> bytes:
    # Models can be imported only after Django is set up.
    from django.db import connection

    from rules.models import Release

    release = Release.objects.current()
    connection.close()
    if release is None:
        raise RuntimeError("the release was published, but is missing")
    return release.document.encode()
