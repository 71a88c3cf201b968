"""The faults, one after another. Each fault ends in a known state, or its trial fails."""

import contextlib
import datetime
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from checks.chaos.trial import LONGEST_SECONDS, Fault, Trial
from compliance.models import VerdictRecord
from compliance.services import ServiceError
from compliance.services.controlling import wait_until
from rules.models import PlannedRelease, PlanState

OUTAGE_SECONDS = 8
WRONG_CLOCK = Path(__file__).with_name("wrong_clock")
NO_DATABASE = "The database does not answer."
NO_REDIS = "Redis does not answer."


def nothing(trial: Trial) -> None:
    """No fault: a problem here has another cause."""
    trial.wait(OUTAGE_SECONDS)


def postgres_stops(trial: Trial) -> None:
    """PostgreSQL is stopped and started again."""
    trial.up.stop("postgres")
    trial.expect(NO_DATABASE)
    trial.wait(OUTAGE_SECONDS)
    trial.up.start("postgres")


def redis_stops(trial: Trial) -> None:
    """Redis is stopped and started again."""
    trial.up.stop("redis")
    trial.expect(NO_REDIS)
    trial.wait(OUTAGE_SECONDS)
    trial.up.start("redis")


def both_stop(trial: Trial) -> None:
    """PostgreSQL and Redis are unavailable at the same time."""
    trial.up.stop("redis")
    trial.up.stop("postgres")
    trial.expect(NO_DATABASE, NO_REDIS)
    trial.wait(OUTAGE_SECONDS)
    trial.up.start("postgres")
    trial.up.start("redis")


def both_are_killed(trial: Trial) -> None:
    """PostgreSQL and Redis are killed, as by a power cut, and restart on their own."""
    trial.up.kill("redis")
    trial.up.kill("postgres")


def publisher_is_killed(trial: Trial) -> None:
    """The publisher dies in the middle of a publishing: the old release stays, then the next publishes."""
    before = trial.oracle.read_releases()
    trial.edit("plan")
    locked = (
        "select count(*) from pg_locks join pg_class on pg_class.oid = relation "
        "where relname = 'rules_release' and mode = 'ExclusiveLock' and granted"
    )
    wait_until(lambda: trial.sql(locked)[0][0] > 0, "no publisher publishes", LONGEST_SECONDS)
    trial.up.kill("publisher")
    states = f"select state from {PlannedRelease._meta.db_table}"
    if trial.oracle.read_releases() != before or trial.sql(states) != [(PlanState.PLANNED,)]:
        trial.problems.append(
            "the publisher did not die in the middle of the publishing, or half of the publishing was kept"
        )
    trial.waits_for.append(
        lambda: trial.sql(states) == [(PlanState.DONE,)] and trial.oracle.read_releases() != before
    )


def web_is_killed(trial: Trial) -> None:
    """A web process is killed, then the whole web server."""
    for pid in trial.up.pids("web")[1:2]:
        os.kill(pid, signal.SIGKILL)
    trial.wait(OUTAGE_SECONDS / 2)
    trial.up.kill("web")


def beat_is_killed(trial: Trial) -> None:
    """The scheduler of the jobs is killed."""
    trial.up.kill("beat")


def spool_is_full(trial: Trial) -> None:
    """The disk with the verdict log is full: only verdicts are refused."""
    with _filled(trial.up.data_dir / "spool"):
        trial.wait(OUTAGE_SECONDS)


def database_disk_is_full(trial: Trial) -> None:
    """The disk of PostgreSQL is full."""
    with _filled(trial.up.data_dir / "postgres"):
        # The next write makes PostgreSQL end: it must not report a write that it did not make.
        with contextlib.suppress(psycopg.Error):
            trial.sql("create table chaos as select repeat('x', 1000) from generate_series(1, 100000)")
        trial.wait(OUTAGE_SECONDS)
    wait_until(lambda: _works(trial), "PostgreSQL does not start again", LONGEST_SECONDS)
    trial.sql("drop table if exists chaos")


def clock_jumps(trial: Trial) -> None:
    """The clock of the web processes jumps back by half an hour, and later forward again."""
    back = _within_the_day(-1800)
    trial.oracle.shift = (back, 0)
    clock = trial.up.data_dir / "clock"
    for seconds in (back, 0, back, 0):
        clock.write_text(str(seconds))
        trial.wait(OUTAGE_SECONDS / 2)


def release_is_corrupt(trial: Trial) -> None:
    """The current release in the ledger has an altered document: someone bypassed the ledger's protection."""
    trial.sql(
        "insert into rules_release select * from jsonb_populate_record(null::rules_release, ("
        "  select to_jsonb(release) || jsonb_build_object("
        "    'id', id + 1000, 'sequence', sequence + 1,"
        "    'ruleset_version', split_part(ruleset_version, '.', 1) || '.99',"
        '    \'document\', replace(document, \'"effect":"prohibit"\', \'"effect":"require"\'),'
        "    'sha256', reverse(sha256), 'predecessor_sha256', sha256)"
        "  from rules_release release order by sequence desc limit 1))"
    )
    trial.expect("The current release of the ledger cannot be used; an earlier one answers.")
    trial.wait(OUTAGE_SECONDS)
    trial.sql("delete from rules_release where ruleset_version like '%.99'")


def migration_is_half_run(trial: Trial) -> None:
    """The web processes are newer than the database: one of their migrations is missing."""
    table = VerdictRecord._meta.db_table
    # No one writes to the table while it is away.
    trial.up.stop("worker-1")
    trial.sql(f"create table kept as select * from {table}")
    trial.python("manage.py", "migrate", "--verbosity", "0", "compliance", "0001")
    trial.up.reload()
    trial.up.start("worker-1")
    trial.expect("migrations of this program.")
    trial.wait(OUTAGE_SECONDS)
    trial.python("manage.py", "migrate", "--verbosity", "0")
    # The service did not lose these: undoing the migration did.
    trial.sql(f"insert into {table} select * from kept", "drop table kept")


def publishing(trial: Trial) -> None:
    """A release is published, and rolled back, during the load."""
    before = trial.oracle.read_releases()
    if other := trial.oracle.other():
        trial.edit("back", other)
    else:
        trial.edit("publish")
    trial.wait(OUTAGE_SECONDS)
    trial.edit("back", before)


def reloading(trial: Trial) -> None:
    """The web processes restart, twice, during the load."""
    for _ in range(2):
        before = trial.up.pids("web")[1:]
        trial.up.reload()
        _wait_for_the_end(trial, before)


def _wait_for_the_end(trial: Trial, pids: list[int]) -> None:
    wait_until(
        lambda: not set(pids) & set(trial.up.pids("web")), "old processes are still running", LONGEST_SECONDS
    )


@contextlib.contextmanager
def _filled(folder: Path) -> Iterator[None]:
    """Fill the file system of a folder."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        ballast.unlink()


def small_disk(part: str, megabytes: int) -> Callable[[Path], contextlib.AbstractContextManager[None]]:
    """Return a context that gives a part of the data a small file system, in memory. Needs root."""

    @contextlib.contextmanager
    def mounted(data: Path) -> Iterator[None]:
        place, before = data / part, data / f"{part}.before"
        place.mkdir(exist_ok=True)
        place.rename(before)
        place.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", place],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ServiceError(
                f"a small disk cannot be mounted, so a full one cannot be tried: {done.stderr.strip()}"
            )
        try:
            subprocess.run(["cp", "-a", f"{before}/.", place], check=True)
            yield
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)

    return mounted


def _works(trial: Trial) -> bool:
    try:
        return bool(trial.sql("select 1"))
    except psycopg.Error:
        return False


def _within_the_day(seconds: float) -> float:
    """Return a clock shift that stays within the day: on another day, other answers could be right."""
    now = datetime.datetime.now(datetime.UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return max(seconds, -(now - midnight).total_seconds() / 2)


FAULTS = (
    Fault("nothing at all", nothing),
    Fault("PostgreSQL stopped", postgres_stops),
    Fault("Redis stopped", redis_stops),
    Fault("both stopped", both_stop),
    Fault("both killed", both_are_killed),
    Fault("publisher killed while publishing", publisher_is_killed),
    Fault("web killed", web_is_killed, kills=True),
    Fault("beat killed", beat_is_killed),
    Fault("corrupt release", release_is_corrupt),
    Fault("half-run migration", migration_is_half_run),
    Fault("publishing and rolling back", publishing),
    Fault("rolling reload", reloading),
    Fault(
        "disk of the log full",
        spool_is_full,
        environment={"VERDICT_LOG_FULL": "refuse"},
        around=small_disk("spool", 2),
    ),
    Fault("disk of PostgreSQL full", database_disk_is_full, around=small_disk("postgres", 400)),
    Fault(
        "clock jumps back",
        clock_jumps,
        limited=True,
        environment={"PYTHONPATH": str(WRONG_CLOCK), "ANONYMOUS_RATE": "120/m"},
    ),
)
