"""The database and the Redis of the full desk, in a folder that stays: it is filled once."""

import contextlib
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import django

from bench.report import say
from compliance.services import ServiceError, embedded
from compliance.services.postgres import Cluster
from compliance.services.redis import Redis

PERSON = "bench"
"""Who measures: an account with every role."""


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[str]:
    """Run the servers of a full desk, fill it if it is new, and yield the password of `PERSON`.

    It sets up Django, as a process that may do everything. The servers of DATABASE_URL and REDIS_URL are
    neither used nor changed.

    Raises:
        ServiceError: A server does not start, or an earlier run was stopped before the desk was full.

    """
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ.update(
        DATA_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="bench.desk.settings",
        DESK_SECOND_FACTOR="off",
        LOG_LEVEL="WARNING",
    )
    cluster = Cluster(folder / "postgres")
    with embedded.join(folder, cluster, publishes=True), contextlib.ExitStack() as stack:
        redis = Redis(folder, tied_to_us=True)
        redis.start()
        stack.callback(redis.stop)
        os.environ["REDIS_URL"] = redis.url
        _fill_once(folder, cluster)
        yield _password()


def _fill_once(folder: Path, cluster: Cluster) -> None:
    full = folder / "is-full"
    started = folder / "was-begun"
    if not full.exists() and started.exists():
        raise ServiceError(f"the desk in {folder} was not filled to its end; remove the folder and try again")
    if not full.exists():
        started.touch()
        say("Preparing the database")
        subprocess.run(
            [sys.executable, "manage.py", "prepare"], cwd=embedded.REPOSITORY, check=True, stdout=sys.stderr
        )
    else:
        # The tables may be older than the program.
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=embedded.REPOSITORY, check=True
        )
    # Only a superuser may write without triggers.
    os.environ["DATABASE_URL"] = cluster.url
    django.setup()
    if not full.exists():
        from django.contrib.auth.models import User

        from bench.desk import full_desk
        from rules.engine.document import decode
        from rules.models import Release

        say("Filling the desk")
        release = Release.objects.current()
        assert release is not None
        by = User.objects.create_superuser(PERSON)
        full_desk.fill(decode(release.document.encode()).content, by=by)
        full.touch()


def _password() -> str:
    """Give the person a new password, which no file has."""
    from django.contrib.auth.models import User

    word = secrets.token_urlsafe(24)
    person = User.objects.get(username=PERSON)
    person.set_password(word)
    person.save(update_fields=["password"])
    return word
