"""The workers' end of the stream: batches into the table. Called by `compliance.records.verdict_log.tasks`.

Any number may drain at once. A batch is confirmed after its transaction is committed, so one that is taken by
a worker who dies, or while the database goes away, is taken again; what the table holds already counts once.
"""

from time import monotonic

from django.db import connection

from compliance.records.verdict_log.storing import store
from compliance.records.verdict_log.stream import Stream

BATCHES_AT_ONCE = 16


def drain(source: Stream, *, seconds: float) -> int:
    """Store what the stream holds, for some seconds at most; return how many verdicts are new.

    Raises `django.db.Error`, `redis.RedisError` or `OSError`; what was not stored stays in the stream.
    """
    # Nothing is taken that cannot be stored.
    connection.ensure_connection()
    source.begin()
    total, end = 0, monotonic() + seconds
    while monotonic() < end:
        batches = source.take(BATCHES_AT_ONCE)
        if not batches:
            break
        for batch in batches:
            total += store(batch.lines, connection)
            source.confirm(batch)
    return total
