"""The stream: entries of the web machines on their way to the workers, in Redis.

A batch is an unchanged file of the spool. Redis may lose everything at any time. So the sender of a batch
keeps its file until a worker confirms that the table has it, and sends it again if the stream lost it. All
failures raise `redis.RedisError` or `OSError`. Called by `shipping`, `draining` and `backlog`.
"""

import contextlib
import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis import Redis, ResponseError
from redis.backoff import NoBackoff
from redis.retry import Retry

STREAM = "compliance:verdicts"
GROUP = "workers"
CONFIRMED = "compliance:verdicts:confirmed:"

MAX_BATCHES = 1000
"""The most batches in the stream. Further ones wait on the disks of the web machines."""

CONFIRMED_SECONDS = 24 * 60 * 60
"""For how long Redis remembers that a batch arrived, for a web machine that cannot ask meanwhile."""

CLAIM_MILLISECONDS = 15_000
"""After so long another worker gets a batch that is not confirmed. Storing it twice does no harm."""

TIMEOUT_SECONDS = 2.0


class Batch(NamedTuple):
    """Lines that a worker must store. `name` is the name of their file."""

    message_id: bytes
    name: str
    lines: bytes


class Stream:
    """The stream as both sides use it. Threads may share one."""

    def __init__(self, url: str, timeout_seconds: float) -> None:
        self._redis = Redis.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 0),
        )

    # --- The web machines' side ---

    def send(self, name: str, lines: bytes) -> bytes | None:
        """Send a batch and return the id of its message; None if the stream is full."""
        if self.length() >= MAX_BATCHES:
            return None
        message_id: Any = self._redis.xadd(STREAM, {"name": name, "lines": lines})
        return bytes(message_id)

    def confirmed(self, names: Sequence[str]) -> set[str]:
        """Return which batches are in the table."""
        if not names:
            return set()
        found: Any = self._redis.mget([CONFIRMED + name for name in names])
        return {name for name, value in zip(names, found, strict=True) if value is not None}

    def forget(self, names: Sequence[str]) -> None:
        """Remove the notes that batches arrived."""
        if names:
            self._redis.unlink(*[CONFIRMED + name for name in names])

    def holds(self, message_id: bytes) -> bool:
        """Say whether a message is still on its way."""
        return bool(self._redis.xrange(STREAM, message_id, message_id))

    # --- The workers' side ---

    def begin(self) -> None:
        """Make the stream, and the group that shares it, if they do not exist."""
        with contextlib.suppress(ResponseError):
            self._redis.xgroup_create(STREAM, GROUP, id="0", mkstream=True)

    def take(self, count: int) -> list[Batch]:
        """Return the next batches: first those that another worker left, then new ones."""
        left: Any = self._redis.xautoclaim(STREAM, GROUP, GROUP, CLAIM_MILLISECONDS, count=count)
        messages = left[1]
        if not messages:
            answer: Any = self._redis.xreadgroup(GROUP, GROUP, {STREAM: ">"}, count=count)
            messages = answer[0][1] if answer else []
        return [
            Batch(message_id, fields[b"name"].decode(), fields[b"lines"])
            for message_id, fields in messages
            if fields
        ]

    def confirm(self, batch: Batch) -> None:
        """Note that the table has a batch."""
        with self._redis.pipeline() as together:
            together.set(CONFIRMED + batch.name, 1, ex=CONFIRMED_SECONDS)
            together.xack(STREAM, GROUP, batch.message_id)
            together.xdel(STREAM, batch.message_id)
            together.execute()

    # --- Both ---

    def length(self) -> int:
        """Return how many batches are on their way."""
        return int(self._redis.xlen(STREAM))


@functools.cache
def stream(url: str, timeout_seconds: float = TIMEOUT_SECONDS) -> Stream:
    """Return the stream at an address, the same for all threads."""
    return Stream(url, timeout_seconds)
