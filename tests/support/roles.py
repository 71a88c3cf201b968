"""The roles of the tests' PostgreSQL: processes that a test starts connect as those of a deployment."""

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.db import connection
from psycopg.pq import TransactionStatus

URLS: dict[str, str] = {}
"""The address of each role, filled by the services plugin."""


def url_of(role: str, **query: str) -> str:
    """Return the address, for a role, of the database that the test uses; `query` are settings of libpq."""
    return on(str(connection.settings_dict["NAME"]), role, **query)


def on(database: str, role: str, **query: str) -> str:
    """Return the address of a database of that name for a role."""
    address = urlsplit(URLS[role])
    together = "&".join(f"{name}={value}" for name, value in query.items())
    return address._replace(path=f"/{database}", query=together).geturl()


def superuser_on(database: str) -> str:
    """Return the address of a database of that name for PostgreSQL's superuser."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}").geturl()


@contextlib.contextmanager
def acting_as(role: str) -> Iterator[None]:
    """Give the connection of this thread the rights of a role, if it is open; not counted as a query."""
    held = connection.connection
    if held is None or held.closed:
        yield
        return
    # Both in one query: many tests send thousands of requests.
    before, _ = held.execute(
        f"SELECT current_setting('role'), set_config('role', 'compliance_{role}', false)"
    ).fetchone()
    try:
        yield
    finally:
        # Where the transaction failed, its end gives the role back.
        if not held.closed and held.info.transaction_status != TransactionStatus.INERROR:
            held.execute(f"SET ROLE {before}")


def as_role(role: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does the same with the rights of a role: what it lacks fails the test."""

    @functools.wraps(function)
    def with_the_rights(*arguments: Any, **options: Any) -> Any:
        with acting_as(role):
            return function(*arguments, **options)

    return with_the_rights
