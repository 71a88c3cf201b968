"""Counts the outcomes of workers' jobs in Redis: workers answer no requests, so no one could scrape them.

Connected by `compliance.apps` if REDIS_URL is set; read by `compliance.health`. After Redis was emptied the
counts start at zero, as counters may. While it is away, jobs run but are not counted.
"""

import contextlib
import time
from typing import Any, NamedTuple, cast

from celery.signals import task_postrun, task_prerun
from redis import Redis, RedisError

from compliance.operations.redis_client import shared_redis

ENDED = "compliance:jobs:ended"
SECONDS = "compliance:jobs:seconds"
LAST = "compliance:jobs:last"


class Job(NamedTuple):
    """The jobs of one name: how many had which outcome, their total duration, when the last one ended."""

    ended: dict[str, int]
    seconds: float
    last: float


def connect() -> None:
    """Count every job that a worker runs from now on."""
    task_prerun.connect(_note_beginning)
    task_postrun.connect(_count)


def jobs(redis: Redis) -> dict[str, Job]:
    """Return the counts, by the names of jobs. Raises `RedisError`."""
    ended, seconds, last = (cast("dict[str, str]", redis.hgetall(name)) for name in (ENDED, SECONDS, LAST))
    found = {name: Job({}, float(seconds.get(name, 0)), float(instant)) for name, instant in last.items()}
    for field, count in ended.items():
        name, _, state = field.rpartition(" ")
        if name in found:
            found[name].ended[state] = int(count)
    return found


def _note_beginning(task: Any = None, **sent: Any) -> None:
    task.request.compliance_began = time.monotonic()


def _count(task: Any = None, state: str | None = None, **sent: Any) -> None:
    redis = shared_redis()
    if redis is None:
        return
    began = getattr(task.request, "compliance_began", None)
    with contextlib.suppress(RedisError, OSError), redis.pipeline() as together:
        together.hincrby(ENDED, f"{task.name} {(state or 'unknown').lower()}", 1)
        if began is not None:
            together.hincrbyfloat(SECONDS, task.name, time.monotonic() - began)
        together.hset(LAST, task.name, str(time.time()))
        together.execute()
