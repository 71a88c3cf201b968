"""Long jobs: one run of each at a time, with its progress in the database, and a list of failed items.

The lock belongs to the database connection, so it ends with its process. The commits of a killed run stay;
the next one continues with the rest. Called by the programs that watch sources and read feeds.
"""

import contextlib
import datetime
import zlib
from collections import Counter
from collections.abc import Callable, Iterator

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from catalog.jobs.models import DeadLetter, Run, RunOutcome

LOCKS = 0x4A4F42
"""The first half of the key of these locks; the second is made of the name of the job."""

LONGEST_REASON = 2_000

Clock = Callable[[], datetime.datetime]


class AlreadyRunning(Exception):
    """Another run of this job has not ended."""


class LockLost(Exception):
    """The connection with the lock is gone, so another run may have begun. This one must end."""


class Progress:
    """The progress of a run. Its writes also prove that the run still has its lock."""

    def __init__(self, run: Run, session: int, clock: Clock) -> None:
        self.run = run
        self._session = session
        self._clock = clock
        self._counts: Counter[str] = Counter()

    @property
    def counts(self) -> dict[str, int]:
        """How many items had each outcome, by word."""
        return dict(sorted(self._counts.items()))

    def expect(self, total: int) -> None:
        """Set how many items there are to do."""
        self.run.total = total
        self._write("total")

    def count(self, *words: str) -> None:
        """Count one item under each of these words. Call it in the transaction that writes the item.

        Raises `LockLost`.
        """
        self._counts.update(words)
        self.run.counts = self.counts
        self._write("counts")

    def beat(self) -> None:
        """Show that the run is alive. Raises `LockLost`."""
        self._write()

    def _write(self, *fields: str) -> None:
        if _session() != self._session:
            raise LockLost(self.run.name)
        self.run.seen = self._clock()
        self.run.save(update_fields=["seen", *fields])


@contextlib.contextmanager
def running(name: str, *, clock: Clock = timezone.now) -> Iterator[Progress]:
    """Run a job under its lock, and keep its outcome. Raises `AlreadyRunning`, and what the job raises.

    Outside of a transaction, so that others see the progress.
    """
    session = _session()
    if not _locked("pg_try_advisory_lock", name):
        raise AlreadyRunning(name)
    try:
        # The owner of the lock knows that no other run is alive, whatever its row says.
        Run.objects.filter(name=name, outcome=RunOutcome.RUNNING).update(
            outcome=RunOutcome.INTERRUPTED, ended=F("seen")
        )
        # A run with nothing to do is of interest only until the next run.
        Run.objects.filter(name=name, outcome=RunOutcome.DONE, total=0).delete()
        now = clock()
        run = Run.objects.create(name=name, started=now, seen=now)
        try:
            yield Progress(run, session, clock)
        except LockLost:
            raise
        except Exception as error:
            _end(run, RunOutcome.FAILED, clock, note=str(error).strip() or type(error).__name__)
            raise
        except BaseException:
            _end(run, RunOutcome.INTERRUPTED, clock)
            raise
        _end(run, RunOutcome.DONE, clock)
    finally:
        # A new connection does not have it.
        if _session() == session:
            _locked("pg_advisory_unlock", name)


@transaction.atomic
def bury(name: str, subject: str, reason: str, *, now: datetime.datetime) -> None:
    """Set an item aside that a job could not do, or count one more try of it."""
    letter, new = DeadLetter.objects.select_for_update().get_or_create(
        name=name,
        subject=subject,
        defaults={"reason": reason[:LONGEST_REASON], "first_tried": now, "last_tried": now},
    )
    if not new:
        letter.reason, letter.last_tried, letter.tries = reason[:LONGEST_REASON], now, letter.tries + 1
        letter.save(update_fields=["reason", "last_tried", "tries"])


def revive(name: str, subject: str) -> None:
    """Take an item off the list: it is done after all, or will be tried again."""
    DeadLetter.objects.filter(name=name, subject=subject).delete()


def forget_runs(before: datetime.datetime) -> int:
    """Delete runs that ended earlier, and return how many."""
    deleted, _ = Run.objects.filter(ended__lt=before).delete()
    return deleted


def _end(run: Run, outcome: RunOutcome, clock: Clock, *, note: str = "") -> None:
    run.outcome, run.note = outcome, note[:LONGEST_REASON]
    run.ended = run.seen = clock()
    run.save(update_fields=["outcome", "note", "ended", "seen"])


def _locked(function: str, name: str) -> bool:
    with connection.cursor() as cursor:
        # The key is two signed numbers of 32 bits.
        cursor.execute(f"SELECT {function}(%s, %s)", [LOCKS, zlib.crc32(name.encode()) - 2**31])
        [(answer,)] = cursor.fetchall()
    return bool(answer)


def _session() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [(pid,)] = cursor.fetchall()
    return int(pid)
