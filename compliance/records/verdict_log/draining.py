"""The workers' side of the stream: batches into the table. Called by `compliance.records.verdict_log.tasks`.

Any number of workers may drain at once. A batch is confirmed after its transaction is committed. If the
worker dies or the database goes away before that, the batch is taken again; entries that the table already
has count once.
"""

from time import monotonic

from django.db import connection

from compliance.records.verdict_log.storing import store
from compliance.records.verdict_log.stream import Stream

BATCHES_AT_ONCE = 16


def drain(source: Stream, *, seconds: float) -> int:
    """Store the entries of the stream, for some seconds at most; return how many verdicts are new.

    Raises `django.db.Error`, `redis.RedisError` or `OSError`; entries that were not stored stay in the
    stream.
    """
    # Take nothing that cannot be stored.
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
