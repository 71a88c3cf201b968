"""The stream: what web machines wrote down, on its way to the workers, in Redis.

A batch is a file of the spool as it stands. Redis may forget everything at any time: whoever sent a batch
keeps its file until a worker confirms that the table holds it, and sends it again where the stream lost it.
Whatever fails raises `redis.RedisError` or `OSError`. Called by `shipping`, `draining` and `backlog`.
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
"""How many batches the stream holds at most. What is beyond that waits on the disks of the web machines."""

CONFIRMED_SECONDS = 24 * 60 * 60
"""For how long Redis remembers that a batch arrived, for a web machine that cannot ask meanwhile."""

CLAIM_MILLISECONDS = 15_000
"""After so long a batch whose worker has not confirmed it is given to another one. Twice does no harm."""

TIMEOUT_SECONDS = 2.0


class Batch(NamedTuple):
    """Lines that a worker has to store. `name` is that of the file which holds them."""

    message_id: bytes
    name: str
    lines: bytes


class Stream:
    """The stream as both ends see it. Threads may share one."""

    def __init__(self, url: str, timeout_seconds: float) -> None:
        self._redis = Redis.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 0),
        )

    # --- The web machines' end ---

    def send(self, name: str, lines: bytes) -> bytes | None:
        """Send a batch and return the id of its message; None where the stream is full."""
        if self.length() >= MAX_BATCHES:
            return None
        message_id: Any = self._redis.xadd(STREAM, {"name": name, "lines": lines})
        return bytes(message_id)

    def confirmed(self, names: Sequence[str]) -> set[str]:
        """Return which batches arrived in the table."""
        if not names:
            return set()
        found: Any = self._redis.mget([CONFIRMED + name for name in names])
        return {name for name, value in zip(names, found, strict=True) if value is not None}

    def forget(self, names: Sequence[str]) -> None:
        """Stop remembering that batches arrived."""
        if names:
            self._redis.unlink(*[CONFIRMED + name for name in names])

    def holds(self, message_id: bytes) -> bool:
        """Tell whether a message is still on its way."""
        return bool(self._redis.xrange(STREAM, message_id, message_id))

    # --- The workers' end ---

    def begin(self) -> None:
        """Make the stream, and the group that shares it, where they are not there."""
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
        """Say that the table holds a batch."""
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
