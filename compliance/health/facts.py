"""Facts from the database, Redis and the verdict log about the service's health. Each query is short.

Called by threads of `bounded_calls`, so both close what they open.
"""

import datetime
from time import monotonic
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from catalog.models import DeadLetter, Run
from compliance.celery import app
from compliance.health.bounded_calls import BoundedCall
from compliance.operations import job_counts
from compliance.operations.redis_client import shared_redis
from compliance.records.verdict_log.backlog import backlog
from rules.models import PublishRequest, Release, RequestState, WatchedPage
from rules.proof.selectors import newest_finished
from rules.publishing.presence import publishers
from rules.watch import status

STATEMENT_TIMEOUT = "2s"

UNACKNOWLEDGED = "unacked"
"""Where Celery keeps jobs that a worker has taken and not finished."""


class Runs(NamedTuple):
    """How many runs of a job have a recorded outcome, and when the last of them ended."""

    name: str
    outcome: str
    kept: int
    last: datetime.datetime | None


class DatabaseFacts(NamedTuple):
    """Facts from the database. `due_since` is the time since when the longest-waiting watched page is due.

    `publishers` is how many run; `asked_to_publish` is when the oldest request to publish that waits is from.
    `proof_findings` is how many disagreements and broken promises the newest finished proof of a release has;
    None if none has finished.
    """

    seconds: float
    unapplied: int
    newest_release: datetime.datetime | None
    watched: int
    due: int
    due_since: datetime.datetime | None
    signals: dict[str, int]
    runs: tuple[Runs, ...]
    dead_letters: dict[str, int]
    proof_findings: int | None = None
    publishers: int = 0
    asked_to_publish: datetime.datetime | None = None


class RedisFacts(NamedTuple):
    """Facts from Redis: jobs that wait in each queue, jobs that run, and outcomes of earlier jobs."""

    seconds: float
    queued: dict[str, int]
    unacknowledged: int
    jobs: dict[str, job_counts.Job]


_in_line = False
"""Whether every migration of this program was found applied. None of them is ever reversed while it runs."""


def read_database_facts() -> DatabaseFacts:
    """Ask the database. Raises `django.db.Error`."""
    began = monotonic()
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_TIMEOUT}'")
            seconds = monotonic() - began
            return _ask(seconds)
    finally:
        connection.close()


def read_redis_facts() -> RedisFacts:
    """Ask Redis. Raises `RedisError`."""
    redis = shared_redis()
    if redis is None:
        raise LookupError("REDIS_URL is not set.")
    began = monotonic()
    redis.ping()
    seconds = monotonic() - began
    return RedisFacts(
        seconds=seconds,
        queued={name: sum(map(redis.llen, _lists_of(name))) for name in app.amqp.queues},
        unacknowledged=redis.hlen(UNACKNOWLEDGED),
        jobs=job_counts.jobs(redis),
    )


def _lists_of(queue: str) -> list[str]:
    """Return the names of the lists in which Celery keeps a queue in Redis: one for each priority."""
    return [queue, *(f"{queue}\x06\x16{priority}" for priority in (3, 6, 9))]


def uses_redis() -> bool:
    """Say whether there should be a Redis."""
    return bool(settings.REDIS_URL)


def unapplied_migrations() -> int:
    """Return how many migrations of this program the database does not have."""
    global _in_line
    if _in_line:
        return 0
    executor = MigrationExecutor(connection)
    unapplied = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    _in_line = unapplied == 0
    return unapplied


def _ask(seconds: float) -> DatabaseFacts:
    unapplied = unapplied_migrations()
    if unapplied:
        # Tables may be missing. Then nothing more is known.
        return DatabaseFacts(seconds, unapplied, None, 0, 0, None, {}, (), {})
    visited = Q(due__isnull=False)
    pages = WatchedPage.objects.aggregate(
        watched=Count("pk", filter=visited),
        now_due=Count("pk", filter=Q(due__lte=timezone.now())),
        first=Min("due"),
    )
    return DatabaseFacts(
        seconds=seconds,
        unapplied=0,
        newest_release=Release.objects.aggregate(newest=Max("published_at"))["newest"],
        watched=pages["watched"],
        due=pages["now_due"],
        due_since=pages["first"] if pages["now_due"] else None,
        signals={str(kind): count for kind, count in status.open_signals().items()},
        runs=tuple(
            Runs(*row)
            for row in Run.objects.order_by()
            .values_list("name", "outcome")
            .annotate(Count("pk"), Max("ended"))
        ),
        dead_letters=dict(DeadLetter.objects.order_by().values_list("name").annotate(Count("pk"))),
        proof_findings=_proof_findings(),
        publishers=publishers(),
        asked_to_publish=PublishRequest.objects.filter(state=RequestState.WAITING).aggregate(
            oldest=Min("created_at")
        )["oldest"],
    )


def _proof_findings() -> int | None:
    proof = newest_finished()
    return None if proof is None else proof.findings


database = BoundedCall(read_database_facts)
redis = BoundedCall(read_redis_facts)
records = BoundedCall(backlog)
