"""Gives the tests a real PostgreSQL and a real Redis, before pytest-django reads the settings.

pyproject.toml loads it with `-p`. If a server cannot start, the run ends with an error: no test is skipped
for it. If several processes share the tests, each has its own servers, so they do not affect each other.
"""

import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest

from checks import migrated_cluster
from compliance.services import ServiceError, keys, throwaway
from compliance.services.ports import LOOPBACK
from tests.support import roles

# Test processes keep many objects to their end; repeated garbage collection took a fifteenth of the time.
gc.set_threshold(100_000, 50, 100)


LONGEST_SOCKET_PATH = 107
"""In bytes, on Linux."""


def by_socket(url: str, data: Path) -> str:
    """Return an address by the server's socket file, where a query costs a third less than over TCP.

    Where the path of the file would be too long, the address stays.
    """
    server, _, database = url.rpartition("/")
    before, _, port = server.rpartition(f"@{LOOPBACK}:")
    if len(bytes(data / f".s.PGSQL.{port}")) > LONGEST_SOCKET_PATH:
        return url
    return f"{before}@{quote(str(data), safe='')}:{port}/{database}"


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one test more at a time than there are processors: many wait, for servers or for a clock."""
    return len(os.sched_getaffinity(0)) + 1


# A wrapper runs before all plain implementations of the hook, and pytest-django's is one of these.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Start the services, and stop them when pytest ends, however it ends."""
    services = ExitStack()
    try:
        addresses = services.enter_context(throwaway.services(migrated_cluster.archive()))
    except ServiceError as error:
        raise pytest.UsageError(f"the test services cannot start: {error}") from error
    early_config.add_cleanup(services.close)
    data = Path(addresses.folder, "postgres", "data")
    roles.URLS.update({role: by_socket(url, data) for role, url in addresses.role_urls.items()})
    # Tests must not write to servers in the environment of the person at the keyboard.
    os.environ.update(
        DATABASE_URL=by_socket(addresses.database_url, data),
        REDIS_URL=addresses.redis_url,
        SECRET_KEY="only-for-tests",
        VERDICT_KEY="only-for-tests",
        RECEIPT_KEYS="dGVzdHMgYWxvbmU6IDAxMjM0NTY3ODkgQUJDREVGR0g",
        # This process publishes and reads. Its last release is noted where the servers are.
        **keys.new_release_key(),
        RELEASE_HEAD_FILE=str(Path(addresses.folder, "release-head")),
        # Tests decide when a process checks for a new release.
        CORPUS_POLL_SECONDS="0",
        # And when its log is sent. The log is deleted with the servers.
        VERDICT_SHIP_SECONDS="0",
        VERDICT_SPOOL_DIR=str(Path(addresses.folder, "spool")),
        # Thousands of requests come from one address.
        ANONYMOUS_RATE="1000000/m",
    )
    return (yield)
