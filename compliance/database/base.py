"""Django's engine for PostgreSQL, in which no request waits for a server that is known to be away.

Connections of a web process come from a pool. While `catalog.database.availability` says that the server does
not answer, no connection is given: `OperationalError` is raised at once, and the views answer the documented
503. A query that is under way when the server stops answering ends in the same way. Without a pool (commands,
workers, the thread that follows the ledger) everything is as in Django.
"""

from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import OperationalError

from catalog.database import availability

Value = TypeVar("Value")

AWAY = "the database does not answer"


class Impatient(psycopg.Connection[Any]):
    """A connection that stops waiting for an answer when the server counts as away."""

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        """Wait for a step of the protocol. Raises `psycopg.OperationalError`."""
        return super().wait(self._unless_away(gen), *arguments, **options)

    def _unless_away(self, gen: Generator[Any, Any, Value]) -> Generator[Any, Any, Value]:
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                # Nothing arrived in the interval after which psycopg checks.
                if not ready and availability.is_away():
                    self.pgconn.finish()
                    raise psycopg.OperationalError(AWAY)
                wanted = gen.send(ready)
        except StopIteration as end:
            result: Value = end.value
            return result


class DatabaseWrapper(base.DatabaseWrapper):
    """The engine."""

    def __init__(self, settings_dict: dict[str, Any], *arguments: Any, **options: Any) -> None:
        pool = settings_dict.get("OPTIONS", {}).get("pool")
        if pool:
            pool.setdefault("connection_class", Impatient)
        super().__init__(settings_dict, *arguments, **options)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection. Raises `OperationalError`."""
        if self.pool and availability.is_away():
            raise OperationalError(AWAY)
        return super().get_new_connection(conn_params)
