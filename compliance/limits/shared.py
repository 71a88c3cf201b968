"""Counters in memory that all web processes of a machine share.

The web server makes the table before it starts its processes, and each of them inherits it. It needs no Redis
and no database. A process that dies changes nothing for the others: the kernel frees its lock, and at worst
the count of one caller is wrong for one window.

Called by `compliance.services.web`, which begins, and by `compliance.limits.cache`. Only the standard
library: it runs before Django exists.
"""

import fcntl
import functools
import hashlib
import mmap
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

COUNTERS = 2**17
"""How many counters the table has; it takes 4 MiB, and only what is used of them is in memory."""

PLACES = 8
"""How many places a bucket has. A counter is always in the bucket that its name says, and each has a lock."""

_BUCKETS = COUNTERS // PLACES

_DIGEST_BYTES = 16
_PLACE = struct.Struct(f"{_DIGEST_BYTES}sdq")
"""The digest of the name, when it ends (the clock of the machine since its start), and the count."""

_PATIENCE = 50
_PAUSE_SECONDS = 0.0002
"""A lock is kept for microseconds. After so many pauses its process has been stopped: go on without it."""


class SharedCounters:
    """Counters of this machine, with the interface of `compliance.limits.cache.Counters`.

    In a bucket that is full of live counters, a new one replaces the one with the lowest count. So no flood
    of callers makes the service forget one that has asked often.
    """

    def __init__(self) -> None:
        self._file = os.memfd_create("limits", os.MFD_CLOEXEC)
        os.ftruncate(self._file, COUNTERS * _PLACE.size)
        self._table = mmap.mmap(self._file, COUNTERS * _PLACE.size)
        self._threads = threading.Lock()

    def add(self, key: str, value: int, seconds: int) -> bool:
        """Start a counter unless it exists."""
        digest, now = _digest(key), monotonic()
        bucket = _bucket(digest)
        # Mostly it exists, and to see that needs no lock.
        if self._is_live(self._find(bucket, digest), now):
            return False
        with self._locked(bucket):
            at = self._find(bucket, digest)
            if self._is_live(at, now):
                return False
            if at is None:
                at = min(_offsets(bucket), key=lambda place: self._worth(place, now))
            _PLACE.pack_into(self._table, at, digest, now + seconds, value)
            return True

    def increase(self, key: str, delta: int) -> int:
        """Increase the count. Raises `ValueError` if there is no such counter."""
        digest = _digest(key)
        bucket = _bucket(digest)
        with self._locked(bucket):
            at = self._find(bucket, digest)
            if at is None or not self._is_live(at, monotonic()):
                raise ValueError("There is no such counter.")
            _, ends, count = _PLACE.unpack_from(self._table, at)
            count += delta
            _PLACE.pack_into(self._table, at, digest, ends, count)
            return int(count)

    def seconds_left(self, key: str) -> int | None:
        """Return the whole seconds until a counter ends, rounded up; None if there is none."""
        digest, now = _digest(key), monotonic()
        at = self._find(_bucket(digest), digest)
        if at is None or not self._is_live(at, now):
            return None
        return int(_PLACE.unpack_from(self._table, at)[1] - now) + 1

    def _find(self, bucket: int, digest: bytes) -> int | None:
        """Return the offset of a counter, also of one that has ended."""
        offsets = _offsets(bucket)
        at = self._table.find(digest, offsets.start, offsets.stop)
        return None if at < 0 or at % _PLACE.size else at

    def _is_live(self, at: int | None, now: float) -> bool:
        return at is not None and bool(now < _PLACE.unpack_from(self._table, at)[1])

    def _worth(self, at: int, now: float) -> tuple[bool, int, float]:
        """Return how much is lost with what is in a place: nothing if it is empty or has ended."""
        _, ends, count = _PLACE.unpack_from(self._table, at)
        return ends > now, count, ends

    @contextmanager
    def _locked(self, bucket: int) -> Iterator[None]:
        """Lock a bucket for all threads and processes."""
        with self._threads:
            has_lock = self._lock(bucket)
            try:
                yield
            finally:
                if has_lock:
                    fcntl.lockf(self._file, fcntl.LOCK_UN, 1, bucket)

    def _lock(self, bucket: int) -> bool:
        """Lock a bucket for this process; return false if another one does not free it."""
        for _ in range(_PATIENCE):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, bucket)
            except OSError:
                sleep(_PAUSE_SECONDS)
            else:
                return True
        return False


# A request asks twice for its counter, and most callers come again.
@functools.lru_cache(maxsize=4096)
def _digest(key: str) -> bytes:
    return hashlib.blake2b(key.encode(), digest_size=_DIGEST_BYTES).digest()


def _bucket(digest: bytes) -> int:
    return int.from_bytes(digest[:4], "big") % _BUCKETS


def _offsets(bucket: int) -> range:
    """Return the offsets of the places of a bucket."""
    first = bucket * PLACES * _PLACE.size
    return range(first, first + PLACES * _PLACE.size, _PLACE.size)


_of_machine: SharedCounters | None = None


def begin() -> None:
    """Make the counters of this machine. Processes that are forked later share them."""
    global _of_machine
    _of_machine = SharedCounters()


def of_machine() -> SharedCounters | None:
    """Return the counters that this process shares with others; none if it has begun alone."""
    return _of_machine
