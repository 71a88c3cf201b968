"""How many given verdicts are not in the table yet. Called by health and metrics."""

from dataclasses import dataclass

from django.conf import settings
from redis import RedisError

from compliance.records.verdict_log import recording, segments
from compliance.records.verdict_log.spool import spool
from compliance.records.verdict_log.stream import stream

TIMEOUT_SECONDS = 0.2


@dataclass(frozen=True)
class Backlog:
    """Verdicts that wait, and verdicts that are lost.

    `pending_bytes` are all bytes on this machine's disk that are not known to be in the table.
    `oldest_seconds` is how long the oldest file of them waits. `lost` counts the verdicts that this process
    gave without a record. `stream_length` is the number of batches on their way to workers, None if there is
    no Redis or it does not answer. `is_full` means that there may be no room for the next verdict.
    """

    pending_bytes: int
    oldest_seconds: float
    lost: int
    stream_length: int | None
    is_full: bool


def backlog() -> Backlog:
    """Return the backlog of this machine and the losses of this process.

    Waits a fifth of a second at most.
    """
    pending, oldest = segments.sizes(settings.VERDICT_SPOOL_DIR)
    return Backlog(pending, oldest, recording.lost(), _stream_length(), spool().is_full)


def _stream_length() -> int | None:
    if not settings.REDIS_URL:
        return None
    try:
        return stream(settings.REDIS_URL, TIMEOUT_SECONDS).length()
    except (RedisError, OSError):
        return None
