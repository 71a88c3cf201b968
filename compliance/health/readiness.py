"""Judges the facts: may this process receive requests, and what is wrong with it? Pure.

Verdicts are given from memory, so only a missing release prevents them. Any other missing part makes the
service `degraded`, with the reasons in words. The answer contains no address, no name of a server and no
message of an error: anyone may read it.
"""

import datetime
from collections.abc import Mapping
from typing import Literal

import msgspec

from compliance.health.facts import DatabaseFacts, RedisFacts
from compliance.records.verdict_log.backlog import Backlog
from rules.corpus import CorpusStatus, Why

LEDGER_PATIENCE_SECONDS = 30
"""A process that has not read the ledger for so long may be behind it."""

WATCH_PATIENCE_SECONDS = 6 * 3600
"""A page that is due waits for a worker, for its host, and for other pages of the host: hours, not a day."""

JOBS_PATIENCE_SECONDS = 120
"""Some job is due every ten seconds, and none occupies workers as long as this."""

PUBLISHER_PATIENCE_SECONDS = 10
"""A publisher looks for requests twice a second."""

RECORDS_PATIENCE_SECONDS = 300
"""Records on this disk are in the table after seconds, unless a server on the way is away."""

REFUSALS: Mapping[Why, str] = {
    "unreadable": "The current release of the ledger cannot be used; an earlier one answers.",
    "not_signed": "The current release of the ledger is not signed by a known key; no verdict comes from it.",
    "removed": "The ledger lacks a release that was published; no verdict comes from what is left of it.",
}

Health = Literal["ok", "failed", "not_used"]
"""`not_used` if the settings have no such server."""


class ReleaseHealth(msgspec.Struct, kw_only=True):
    """The release that this process answers from, and how it compares with the ledger."""

    status: Health
    ruleset_version: str | None
    sha256: str | None
    age_seconds: int | None
    ledger_read_seconds_ago: float | None
    ledger_away_seconds: float | None
    refused_sha256: str | None
    refused_because: Why | None


class ServerHealth(msgspec.Struct, kw_only=True):
    """Whether a server answers, and how fast."""

    status: Health
    milliseconds: float | None = None


class MigrationHealth(msgspec.Struct, kw_only=True):
    """Whether the database has all migrations of this program."""

    status: Health
    unapplied: int | None = None


class JobHealth(msgspec.Struct, kw_only=True):
    """Whether workers do the jobs that are due."""

    status: Health
    queued: int | None = None
    last_ended_seconds_ago: int | None = None


class PublisherHealth(msgspec.Struct, kw_only=True):
    """Whether what people ask to publish is carried out."""

    status: Health
    running: int | None = None
    waiting_seconds: int | None = None


class WatchHealth(msgspec.Struct, kw_only=True):
    """Whether the pages that rules rest on are visited in time."""

    status: Health
    due: int | None = None
    lag_seconds: int | None = None


class RecordHealth(msgspec.Struct, kw_only=True):
    """Whether verdicts are recorded, and how many wait on this disk. `lost` is for this process only."""

    status: Health
    pending_bytes: int | None = None
    oldest_seconds: float | None = None
    lost: int | None = None


class Readiness(msgspec.Struct, kw_only=True):
    """The answer of /readyz."""

    status: Literal["ready", "degraded", "unavailable"]
    reasons: list[str]
    release: ReleaseHealth
    database: ServerHealth
    migrations: MigrationHealth
    cache: ServerHealth
    jobs: JobHealth
    publisher: PublisherHealth
    watch: WatchHealth
    verdict_log: RecordHealth


def readiness(
    corpus_status: CorpusStatus,
    database: DatabaseFacts | None,
    redis: RedisFacts | None,
    records: Backlog | None,
    *,
    now: datetime.datetime,
    uses_redis: bool,
    watches: bool,
    follows: bool,
) -> Readiness:
    """Judge the state of a process.

    `database`, `redis` and `records` are None if they do not answer. `watches` and `follows` say whether
    pages are visited on schedule, and whether this process looks for new releases.
    """
    reasons: list[str] = []
    release = _release(corpus_status, now, follows, reasons)
    server = _server(database, "The database does not answer.", reasons)
    migrations = _migrations(database, reasons)
    if database is not None and database.proof_findings:
        reasons.append("The proof of a release found a wrong answer; the desk shows it.")
    cache, jobs, watch = ServerHealth(status="not_used"), JobHealth(status="not_used"), None
    if uses_redis:
        cache = _server(redis, "Redis does not answer.", reasons)
        jobs = _jobs(redis, now, reasons)
    if watches:
        watch = _watch(database, now, reasons)
    publisher = _publisher(database, now, reasons)
    log = _records(records, reasons)
    return Readiness(
        status="unavailable" if corpus_status.release is None else "degraded" if reasons else "ready",
        reasons=reasons,
        release=release,
        database=server,
        migrations=migrations,
        cache=cache,
        jobs=jobs,
        publisher=publisher,
        watch=watch or WatchHealth(status="not_used"),
        verdict_log=log,
    )


def _release(
    corpus_status: CorpusStatus, now: datetime.datetime, follows: bool, reasons: list[str]
) -> ReleaseHealth:
    before = len(reasons)
    release = corpus_status.release
    if release is None:
        reasons.append("No release is loaded, so no verdict can be given.")
    if corpus_status.refused_because is not None:
        reasons.append(REFUSALS[corpus_status.refused_because])
    silent = corpus_status.read_seconds is None or corpus_status.read_seconds > LEDGER_PATIENCE_SECONDS
    if corpus_status.away_seconds is not None or (release is not None and follows and silent):
        reasons.append("The ledger cannot be read; a newer release may be current.")
    return ReleaseHealth(
        status="failed" if len(reasons) > before else "ok",
        ruleset_version=release.ruleset_version if release else None,
        sha256=release.sha256 if release else None,
        age_seconds=int((now - release.published_at).total_seconds()) if release else None,
        ledger_read_seconds_ago=_tenths(corpus_status.read_seconds),
        ledger_away_seconds=_tenths(corpus_status.away_seconds),
        refused_sha256=corpus_status.refused,
        refused_because=corpus_status.refused_because,
    )


def _server(facts: DatabaseFacts | RedisFacts | None, reason: str, reasons: list[str]) -> ServerHealth:
    if facts is None:
        reasons.append(reason)
        return ServerHealth(status="failed")
    return ServerHealth(status="ok", milliseconds=round(facts.seconds * 1000, 1))


def _migrations(database: DatabaseFacts | None, reasons: list[str]) -> MigrationHealth:
    if database is None:
        return MigrationHealth(status="failed")
    if database.unapplied:
        reasons.append(f"The database lacks {database.unapplied} migrations of this program.")
    return MigrationHealth(status="failed" if database.unapplied else "ok", unapplied=database.unapplied)


def _jobs(redis: RedisFacts | None, now: datetime.datetime, reasons: list[str]) -> JobHealth:
    if redis is None:
        return JobHealth(status="failed")
    last = max((job.last for job in redis.jobs.values()), default=None)
    ago = None if last is None else max(0, int(now.timestamp() - last))
    late = ago is None or ago > JOBS_PATIENCE_SECONDS
    if late:
        reasons.append("No job has ended lately: a worker or its clock is missing.")
    return JobHealth(
        status="failed" if late else "ok",
        queued=sum(redis.queued.values()),
        last_ended_seconds_ago=ago,
    )


def _publisher(database: DatabaseFacts | None, now: datetime.datetime, reasons: list[str]) -> PublisherHealth:
    if database is None or database.unapplied:
        return PublisherHealth(status="failed")
    waiting = publish_seconds(database, now)
    missing = database.publishers == 0 and waiting > PUBLISHER_PATIENCE_SECONDS
    if missing:
        reasons.append("A request to publish waits, and no publisher runs.")
    return PublisherHealth(
        status="failed" if missing else "ok", running=database.publishers, waiting_seconds=waiting
    )


def _watch(database: DatabaseFacts | None, now: datetime.datetime, reasons: list[str]) -> WatchHealth:
    if database is None or database.unapplied:
        return WatchHealth(status="failed")
    lag = lag_seconds(database, now)
    late = lag > WATCH_PATIENCE_SECONDS
    if late:
        reasons.append("The source watch is behind: pages that are due are not visited.")
    return WatchHealth(status="failed" if late else "ok", due=database.due, lag_seconds=lag)


def _records(records: Backlog | None, reasons: list[str]) -> RecordHealth:
    if records is None:
        reasons.append("The verdict log does not answer.")
        return RecordHealth(status="failed")
    before = len(reasons)
    if records.is_full:
        reasons.append("The verdict log takes nothing more.")
    if records.lost:
        reasons.append("This process gave verdicts without a record.")
    if records.oldest_seconds > RECORDS_PATIENCE_SECONDS:
        reasons.append("The verdict log is behind: records wait on the disk.")
    return RecordHealth(
        status="failed" if len(reasons) > before else "ok",
        pending_bytes=records.pending_bytes,
        oldest_seconds=round(records.oldest_seconds, 1),
        lost=records.lost,
    )


def lag_seconds(database: DatabaseFacts, now: datetime.datetime) -> int:
    """Return how long the longest-waiting watched page has been due; 0 if none is due."""
    since = database.due_since
    return 0 if since is None else max(0, int((now - since).total_seconds()))


def publish_seconds(database: DatabaseFacts, now: datetime.datetime) -> int:
    """Return how long the oldest request to publish waits; 0 if none does."""
    since = database.asked_to_publish
    return 0 if since is None else max(0, int((now - since).total_seconds()))


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
