"""The facts as metrics: computed at each request for /metrics, without a cache.

Unknown figures are left out, and `compliance_up` says which source is missing: an absent figure is honest, a
0 would not be.
"""

from collections.abc import Iterator

from django.conf import settings
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from compliance.health import facts
from compliance.health.facts import DatabaseFacts, RedisFacts
from compliance.health.readiness import lag_seconds, publish_seconds
from compliance.records.verdict_log.backlog import Backlog
from rules import corpus


class Facts(Collector):
    """Facts from the database, from Redis and from the memory of the process that answers."""

    def collect(self) -> Iterator[Metric]:
        """Ask all of them, and wait for each only briefly."""
        up = GaugeMetricFamily("compliance_up", "Whether a server answered this scrape.", labels=["server"])
        database = facts.database.facts()
        up.add_metric(["database"], database is not None)
        if facts.uses_redis():
            redis = facts.redis.facts()
            up.add_metric(["redis"], redis is not None)
            if redis is not None:
                yield from _of_redis(redis)
        records = facts.records.facts()
        up.add_metric(["verdict_log"], records is not None)
        if records is not None:
            yield from _of_records(records)
        yield up
        yield from _of_release(corpus.status())
        if database is not None:
            yield from _of_database(database)


def _of_release(corpus_status: corpus.CorpusStatus) -> Iterator[Metric]:
    info = GaugeMetricFamily(
        "compliance_release_info",
        "The release that the process answers from which was scraped.",
        labels=["ruleset_version", "sha256"],
    )
    if corpus_status.release is not None:
        info.add_metric([corpus_status.release.ruleset_version, corpus_status.release.sha256], 1)
        yield _gauge(
            "compliance_release_published_timestamp_seconds",
            "When that release was published.",
            corpus_status.release.published_at.timestamp(),
        )
    yield info
    if corpus_status.read_seconds is not None:
        yield _gauge(
            "compliance_ledger_read_seconds",
            "How long ago that process read the ledger last.",
            corpus_status.read_seconds,
        )
    yield _gauge(
        "compliance_release_refused",
        "Whether that process cannot use the current release and answers from an earlier one.",
        corpus_status.refused is not None,
    )


def _of_database(found: DatabaseFacts) -> Iterator[Metric]:
    yield _gauge("compliance_migrations_unapplied", "Migrations that the database lacks.", found.unapplied)
    if found.unapplied:
        return
    if found.newest_release is not None:
        yield _gauge(
            "compliance_ledger_published_timestamp_seconds",
            "When the newest release of the ledger was published.",
            found.newest_release.timestamp(),
        )
    if found.proof_findings is not None:
        yield _gauge(
            "compliance_proof_findings",
            "Disagreements and broken promises that the newest finished proof of a release found.",
            found.proof_findings,
        )
    if settings.WATCH_SOURCES:
        yield _gauge("compliance_watch_pages", "Pages that the source watch visits.", found.watched)
        yield _gauge("compliance_watch_pages_due", "Watched pages that wait for their visit.", found.due)
        yield _gauge(
            "compliance_watch_lag_seconds",
            "For how long the page has been due that waits longest.",
            lag_seconds(found, timezone.now()),
        )
    yield _gauge("compliance_publishers", "Publisher processes that run.", found.publishers)
    yield _gauge(
        "compliance_publish_request_waiting_seconds",
        "How long the request to publish waits that waits longest.",
        publish_seconds(found, timezone.now()),
    )
    signals = GaugeMetricFamily(
        "compliance_watch_signals_open", "Signals that no editor has acted on.", labels=["kind"]
    )
    for kind, count in found.signals.items():
        signals.add_metric([kind], count)
    yield signals
    runs = GaugeMetricFamily("compliance_runs", "Runs of long jobs that are kept.", labels=["job", "outcome"])
    last = GaugeMetricFamily(
        "compliance_run_last_end_timestamp_seconds",
        "When a long job last ended so.",
        labels=["job", "outcome"],
    )
    for run in found.runs:
        runs.add_metric([run.name, run.outcome], run.kept)
        if run.last is not None:
            last.add_metric([run.name, run.outcome], run.last.timestamp())
    yield runs
    yield last
    letters = GaugeMetricFamily("compliance_dead_letters", "What jobs gave up on.", labels=["job"])
    for name, count in found.dead_letters.items():
        letters.add_metric([name], count)
    yield letters


def _of_redis(found: RedisFacts) -> Iterator[Metric]:
    queued = GaugeMetricFamily("compliance_queue_length", "Jobs that wait for a worker.", labels=["queue"])
    for name, count in found.queued.items():
        queued.add_metric([name], count)
    yield queued
    yield _gauge(
        "compliance_queue_unacknowledged", "Jobs that a worker has and did not finish.", found.unacknowledged
    )
    ended = CounterMetricFamily("compliance_jobs", "Jobs that workers ended.", labels=["job", "state"])
    seconds = CounterMetricFamily("compliance_job_seconds", "How long these took together.", labels=["job"])
    last = GaugeMetricFamily(
        "compliance_job_last_end_timestamp_seconds", "When such a job ended last.", labels=["job"]
    )
    for name, job in found.jobs.items():
        for state, count in job.ended.items():
            ended.add_metric([name, state], count)
        seconds.add_metric([name], job.seconds)
        last.add_metric([name], job.last)
    yield ended
    yield seconds
    yield last


def _of_records(found: Backlog) -> Iterator[Metric]:
    yield _gauge(
        "compliance_verdict_log_pending_bytes",
        "Records on this machine's disk that the table is not known to hold.",
        found.pending_bytes,
    )
    yield _gauge(
        "compliance_verdict_log_oldest_seconds", "How long the oldest of them waits.", found.oldest_seconds
    )
    yield _gauge("compliance_verdict_log_full", "Whether there may be no room for more.", found.is_full)
    if found.stream_length is not None:
        yield _gauge(
            "compliance_verdict_log_stream_length",
            "Batches of records that wait in Redis for a worker.",
            found.stream_length,
        )


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)
