"""The Redis that all processes share, for counting and reading.

There is one client per process. It waits only briefly and never retries.
"""

import functools

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

TIMEOUT_SECONDS = 0.2


@functools.cache
def shared_redis() -> Redis | None:
    """Return the client, None if REDIS_URL is not set. Its calls raise `RedisError` without the server."""
    if not settings.REDIS_URL:
        return None
    return Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )
