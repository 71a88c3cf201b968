"""How far the table is behind the verdicts that were given. Called by health and metrics."""

from dataclasses import dataclass

from django.conf import settings
from redis import RedisError

from compliance.records.verdict_log import recording, segments
from compliance.records.verdict_log.spool import spool
from compliance.records.verdict_log.stream import stream

TIMEOUT_SECONDS = 0.2


@dataclass(frozen=True)
class Backlog:
    """What waits, and what is lost.

    `pending_bytes` are all bytes on this machine's disk that the table is not known to hold, and
    `oldest_seconds` how long the oldest file of them waits. `lost` counts the verdicts that this process gave
    without a record. `stream_length` is the number of batches on their way to workers, None where there is no
    Redis or none that answers. `is_full` says that the next verdict may find no room.
    """

    pending_bytes: int
    oldest_seconds: float
    lost: int
    stream_length: int | None
    is_full: bool


def backlog() -> Backlog:
    """Return what waits and what is lost, on this machine and in this process. Waits a fifth of a second."""
    pending, oldest = segments.sizes(settings.VERDICT_SPOOL_DIR)
    return Backlog(pending, oldest, recording.lost(), _stream_length(), spool().is_full)


def _stream_length() -> int | None:
    if not settings.REDIS_URL:
        return None
    try:
        return stream(settings.REDIS_URL, TIMEOUT_SECONDS).length()
    except (RedisError, OSError):
        return None
