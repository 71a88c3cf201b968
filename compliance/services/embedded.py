"""Gives a process what it needs when DATABASE_URL is not set: the database and keys kept in DATA_DIR.

Several processes may use the same DATA_DIR: `make run` and any number of `manage.py` commands. The first one
starts the server, and the last one stops it. Each process keeps a shared lock on `members.lock` while it
lives; a process that can turn its lock into an exclusive one is alone. The kernel drops the locks of a killed
process, so nothing can get stuck: the next process finds the server running, and stops it at its end.
"""

import contextlib
import fcntl
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from compliance.services import ServiceError, environments, keys, private_files
from compliance.services.postgres import Cluster

REPOSITORY = Path(__file__).resolve().parents[2]


def data_dir() -> Path:
    """Return the folder that DATA_DIR names, or `var/` in the repository without it."""
    return Path(os.environ.get("DATA_DIR") or REPOSITORY / "var").resolve()


@contextlib.contextmanager
def join(folder: Path, cluster: Cluster | None = None, *, publishes: bool = False) -> Iterator[None]:
    """Set the addresses and the secret keys for this process and its children, and run the database.

    If DATABASE_URL is already set, the database runs elsewhere: this starts nothing and sets nothing.
    `cluster` describes a database that differs from the usual one. With `publishes`, the key that signs
    releases is set as well.

    Raises:
        ServiceError: The folder cannot be used, or the server does not start.

    """
    if os.environ.get("DATABASE_URL"):
        yield
        return
    cluster = cluster or Cluster(folder / "postgres")
    with contextlib.ExitStack() as stack:
        try:
            private_files.make(folder)
            members = stack.enter_context(_lock_file(folder / "members.lock"))
            stack.enter_context(_leaving_on_sigterm())
            stack.callback(_leave, folder, members, cluster, os.getpid())
            with _gate(folder):
                fcntl.flock(members, fcntl.LOCK_SH)
                cluster.start()
                environment = {
                    **_addresses(cluster),
                    **keys.load_or_create(folder / "secrets"),
                    **keys.of_releases(folder / "release-key", secret=publishes),
                }
        except OSError as error:
            raise ServiceError(f"DATA_DIR cannot be used: {error}") from error
        stack.enter_context(_environment(environment))
        yield


def _addresses(cluster: Cluster) -> dict[str, str]:
    """Return the addresses of the database by their variables; this process is the owner of the tables."""
    own = {variable: cluster.url_of(kind) for kind, variable in environments.URLS.items()}
    return {"DATABASE_URL": cluster.url_of("owner"), **own}


def _leave(folder: Path, members: IO[str], cluster: Cluster, member: int) -> None:
    """Stop the server unless another process uses it."""
    if os.getpid() != member:
        # This is a forked child that ends, such as a worker of the web server. It shares the lock with its
        # parent, so it could turn it into an exclusive one.
        return
    if not folder.exists():
        # The folder was removed meanwhile. PostgreSQL checks every minute, and then ends.
        return
    with _gate(folder):
        try:
            fcntl.flock(members, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        cluster.stop()


@contextlib.contextmanager
def _gate(folder: Path) -> Iterator[None]:
    """Let one process at a time join or leave."""
    with _lock_file(folder / "gate.lock") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        yield


def _lock_file(path: Path) -> IO[str]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w")


@contextlib.contextmanager
def _leaving_on_sigterm() -> Iterator[None]:
    """Turn SIGTERM into an orderly exit, which stops the server. Otherwise the process would end at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set the variables that are not set, and remove them at the end."""
    added = {name: value for name, value in values.items() if not os.environ.get(name)}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
