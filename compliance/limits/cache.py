"""The counters of the limits: a Django cache backend that counts, and that always answers.

With a Redis (LOCATION) all processes count together, in one round trip for a caller that this process has
seen before and two for a new one. If Redis does not answer, or there is none, the web processes of a machine
count together in memory (`compliance.limits.shared`), and any other process alone: no request waits or fails.
The failure is logged once and shown in `compliance.operations.metrics`. It ends when Redis is back.

django-ratelimit calls `add` and `incr` by the cache alias `limits` (settings). The keys are its hashes of
callers; nothing else is stored. A counter always has an expiry.
"""

import functools
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from compliance.limits import shared
from compliance.limits.shared import SharedCounters
from compliance.operations import metrics

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")

REDIS_TIMEOUT_SECONDS = 0.2
"""How long a request waits for Redis. By default redis-py waits forever, and then tries again."""

RETRY_AFTER_SECONDS = 1.0
"""How long a process does not call Redis after it did not answer."""

MAX_COUNTERS = 100_000
"""How many counters a process keeps. Above that it drops those that have ended, and all if most have not."""

# A counter that Redis lost, by a restart or by lack of memory, starts again with an expiry.
_INCREASE = """
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('TTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return count
"""


_weight: ContextVar[int] = ContextVar("weight", default=1)


@contextmanager
def weighing(requests: int) -> Iterator[None]:
    """Make each count inside count as so many: django-ratelimit itself counts one by one."""
    before = _weight.set(requests)
    try:
        yield
    finally:
        _weight.reset(before)


class LimitsCache(BaseCache):
    """`add` and `incr` of whole numbers that expire. All threads of a process share the counters."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._counters = _counters(location)

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Start a counter that ends after `timeout` seconds. Return False if it already exists."""
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        if not seconds or seconds < 1:
            raise ValueError("A counter ends after a second or later.")
        return self._counters.add(key, int(value) * _weight.get(), int(seconds))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Increase the count and return it. Raises `ValueError` if there is no such counter."""
        return self._counters.increase(key, delta * _weight.get())


class Counters:
    """Counters in the memory of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[int, float]] = {}

    def add(self, key: str, value: int, seconds: int) -> bool:
        """Start a counter unless it exists."""
        now = monotonic()
        with self._lock:
            if self._live(key, now) is not None:
                return False
            if len(self._counts) >= MAX_COUNTERS:
                live = {name: kept for name, kept in self._counts.items() if now < kept[1]}
                # Keep at most half of them: otherwise the next caller would wait for this again.
                self._counts = live if len(live) <= MAX_COUNTERS // 2 else {}
            self._counts[key] = (value, now + seconds)
            return True

    def increase(self, key: str, delta: int) -> int:
        """Increase the count. Raises `ValueError` if there is no such counter."""
        with self._lock:
            live = self._live(key, monotonic())
            if live is None:
                raise ValueError("There is no such counter.")
            count, ends_at = live[0] + delta, live[1]
            self._counts[key] = (count, ends_at)
            return count

    def seconds_left(self, key: str) -> int | None:
        """Return the whole seconds until a counter ends, rounded up; None if there is none."""
        now = monotonic()
        with self._lock:
            live = self._live(key, now)
        return None if live is None else int(live[1] - now) + 1

    def _live(self, key: str, now: float) -> tuple[int, float] | None:
        """Return a counter and when it ends, unless it has ended. The caller has the lock."""
        kept = self._counts.get(key)
        return kept if kept is not None and now < kept[1] else None


class RedisCounters:
    """Counters in Redis, and in the memory of this machine while Redis does not answer."""

    def __init__(self, url: str) -> None:
        # One client, and so one pool of connections, for as long as the process lives.
        self._redis = Redis.from_url(
            url,
            socket_timeout=REDIS_TIMEOUT_SECONDS,
            socket_connect_timeout=REDIS_TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._increase = self._redis.register_script(_INCREASE)
        # The known counters and their ends, so that Redis is asked once for a caller who comes again.
        self._known = Counters()
        self._alone = shared.of_machine() or Counters()
        self._lock = threading.Lock()
        self._away = False
        self._ask_again_at = 0.0

    def add(self, key: str, value: int, seconds: int) -> bool:
        """Start a counter unless it exists."""
        if not self._known.add(key, 0, seconds):
            return False
        return self._ask(
            lambda: bool(self._redis.set(key, value, ex=seconds, nx=True)),
            lambda: self._alone.add(key, value, seconds),
        )

    def increase(self, key: str, delta: int) -> int:
        """Increase the count. Raises `ValueError` if there is no such counter."""
        seconds = self._known.seconds_left(key)
        if seconds is None:
            raise ValueError("There is no such counter.")

        def alone() -> int:
            # Redis may have failed after the counter began there.
            self._alone.add(key, 0, seconds)
            return self._alone.increase(key, delta)

        return self._ask(lambda: int(self._increase([key], [delta, seconds])), alone)

    def _ask(self, redis: Callable[[], Answer], alone: Callable[[], Answer]) -> Answer:
        """Return the answer of Redis, or else that of the counters without it."""
        now = monotonic()
        if now < self._ask_again_at:
            return alone()
        if self._away:
            # One request checks whether Redis is back. Other requests do not wait with it.
            self._ask_again_at = now + RETRY_AFTER_SECONDS
        try:
            answer = redis()
        except (RedisError, OSError) as error:
            self._ask_again_at = monotonic() + RETRY_AFTER_SECONDS
            self._note_away(error)
            return alone()
        if self._away:
            self._note_back()
        return answer

    def _note_away(self, error: Exception) -> None:
        with self._lock:
            already, self._away = self._away, True
        if not already:
            metrics.LIMITS_ALONE.set(1)
            metrics.LIMITS_OUTAGES.inc()
            # Its message can contain the address of the server.
            logger.warning(
                "Redis does not answer (%s): this machine counts requests against limits by itself.",
                type(error).__name__,
            )

    def _note_back(self) -> None:
        with self._lock:
            # Any answer that arrived meanwhile counts as well.
            away, self._away, self._ask_again_at = self._away, False, 0.0
        if away:
            metrics.LIMITS_ALONE.set(0)
            logger.warning("Redis answers again: all processes count requests against limits together.")


AnyCounters = Counters | SharedCounters | RedisCounters

_first = threading.Lock()


def _counters(location: str) -> AnyCounters:
    """Return the counters that all threads of this process share. Django makes one backend per thread."""
    # The cache alone would let several first threads make one each.
    with _first:
        return _made(location)


@functools.cache
def _made(location: str) -> AnyCounters:
    return RedisCounters(location) if location else shared.of_machine() or Counters()
