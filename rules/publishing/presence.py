"""Whether a publisher runs: each holds a shared advisory lock of the database while it lives.

PostgreSQL drops the lock with the connection, so a killed publisher is gone at once. Everyone may look.
"""

from django.db import connection

LOCK = (1_112_558_667, 1)
"""Two numbers that nothing else here locks."""


def announce() -> bool:
    """Hold the lock for the life of the connection. Return whether it was not held before.

    Raises `django.db.Error`.
    """
    connection.ensure_connection()
    held = connection.connection
    if getattr(held, "announces_publisher", False):
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock_shared(%s, %s)", LOCK)
    held.announces_publisher = True
    return True


def publishers() -> int:
    """Return how many publishers run. Raises `django.db.Error`."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
            "AND classid = %s AND objid = %s "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            LOCK,
        )
        (count,) = cursor.fetchone()
    return int(count)
