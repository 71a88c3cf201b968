"""The thread that sends on the entries of its process, and those that ended processes left behind.

It starts with the first verdict of a process, again after every fork, and ends with the process; the next
process takes over what is left. A file is deleted only when the table has its entries. While the database or
Redis is away, everything stays in place. Called by `recording` and by `compliance.records.verdict_log.tasks`.
"""

import atexit
import logging
import os
import threading
import traceback
from dataclasses import dataclass
from time import monotonic

from django.conf import settings
from django.db import Error as DatabaseFailure
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from redis import RedisError

from catalog.database.dedicated_connection import close, own_connection
from compliance.records.verdict_log import segments
from compliance.records.verdict_log.segments import Segment
from compliance.records.verdict_log.spool import Spool, spool
from compliance.records.verdict_log.storing import store
from compliance.records.verdict_log.stream import Stream, stream

logger = logging.getLogger(__name__)

ADOPT_SECONDS = 5
"""How often a process looks for files of ended processes."""

RESEND_SECONDS = 30
"""When a process asks whether Redis has lost a batch that is not confirmed."""

STOP_SECONDS = 5


@dataclass
class _Waiting:
    """A file that is not in the table yet; `message_id` is the id of its batch, if it was sent."""

    segment: Segment
    message_id: bytes | None = None
    sent_at: float = 0


class Shipping:
    """Sends the files of one spool to the stream, or to the table if there is no stream."""

    def __init__(self, source: Spool, database: BaseDatabaseWrapper, to: Stream | None) -> None:
        self._source = source
        self._database = database
        self._stream = to
        self._waiting: list[_Waiting] = []
        self._adopted_at = float("-inf")

    def work(self) -> None:
        """Send on all entries. Raises the errors of the database and Redis; nothing is lost then."""
        self._waiting += map(_Waiting, self._source.take())
        if monotonic() - self._adopted_at >= ADOPT_SECONDS:
            self._waiting += map(_Waiting, segments.orphans(self._source.folder))
            self._adopted_at = monotonic()
        try:
            if self._stream is None:
                self._store()
            else:
                self._settle(self._stream)
                self._send(self._stream)
        finally:
            self._source.measure()

    def leave(self) -> None:
        """Release the files that are left, for other processes."""
        for one in self._waiting:
            one.segment.leave()
        self._waiting.clear()

    def _store(self) -> None:
        while self._waiting:
            segment = self._waiting[0].segment
            store(segment.read(), self._database)
            segment.remove()
            del self._waiting[0]

    def _send(self, to: Stream) -> None:
        for one in self._waiting:
            if one.message_id is None:
                one.message_id = to.send(one.segment.name, one.segment.read())
                one.sent_at = monotonic()
                if one.message_id is None:
                    break

    def _settle(self, sent_to: Stream) -> None:
        """Delete files that have arrived, and find those to send again."""
        confirmed = sent_to.confirmed([one.segment.name for one in self._waiting])
        late = monotonic() - RESEND_SECONDS
        for one in self._waiting:
            if one.segment.name in confirmed:
                one.segment.remove()
            elif one.message_id is not None and one.sent_at < late:
                one.message_id = one.message_id if sent_to.holds(one.message_id) else None
                one.sent_at = monotonic()
        self._waiting = [one for one in self._waiting if one.segment.name not in confirmed]
        sent_to.forget(sorted(confirmed))


class _Shipper(threading.Thread):
    """Runs every `VERDICT_SHIP_SECONDS`, on its own connection."""

    def __init__(self, seconds: float) -> None:
        super().__init__(name="verdict-shipper", daemon=True)
        self._seconds = seconds
        self._stopping = threading.Event()
        self._away = False

    def stop(self) -> None:
        """Ask the thread to end, and wait for it briefly."""
        self._stopping.set()
        self.join(STOP_SECONDS)

    def run(self) -> None:
        database = own_connection("verdict-shipper")
        to = stream(settings.REDIS_URL) if settings.REDIS_URL else None
        shipping = Shipping(spool(), database, to)
        while not self._stopping.wait(self._seconds):
            self._work(shipping, database)
        # Entries that were written since, before the process ends.
        self._work(shipping, database)
        shipping.leave()
        close(database)

    def _work(self, shipping: Shipping, database: BaseDatabaseWrapper) -> None:
        try:
            shipping.work()
        # Catch every error: without this thread the spool would grow until it is full.
        except Exception as error:
            if not self._away:
                # The message can contain an address.
                logger.warning(
                    "Verdicts stay on this machine's disk for now; nothing is lost (%s).",
                    type(error).__name__,
                )
                if not isinstance(error, DatabaseFailure | RedisError | OSError):
                    frames = "".join(traceback.format_tb(error.__traceback__))
                    logger.error("Unexpected error:\n%s", frames)
            self._away = True
            close(database)
        else:
            if self._away:
                logger.info("Verdicts are sent again.")
            self._away = False


def adopt() -> int:
    """Store what ended processes of this machine left behind; return how many verdicts are new.

    Raises `django.db.Error`.
    """
    total = 0
    for segment in segments.orphans(settings.VERDICT_SPOOL_DIR):
        try:
            total += store(segment.read(), connection)
            segment.remove()
        except BaseException:
            segment.leave()
            raise
    return total


_shipper: _Shipper | None = None
_starting = threading.Lock()


def begin() -> None:
    """Start the thread of this process, unless it runs or the setting is 0."""
    if _shipper is None and settings.VERDICT_SHIP_SECONDS > 0:
        _start()


def stop() -> None:
    """Stop the thread, if there is one, after it has sent on what it can."""
    global _shipper
    if _shipper is not None:
        _shipper.stop()
        _shipper = None


def _start() -> None:
    global _shipper
    with _starting:
        if _shipper is None:
            _shipper = _Shipper(settings.VERDICT_SHIP_SECONDS)
            _shipper.start()


def _reset_in_child() -> None:
    """After a fork: the thread belongs to the parent, and so does a lock that it may have taken."""
    global _shipper, _starting
    _shipper, _starting = None, threading.Lock()


os.register_at_fork(after_in_child=_reset_in_child)
atexit.register(stop)
