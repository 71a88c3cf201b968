"""Values that a process reads from the database and caches for all its threads, at most some seconds old.

In a web process the thread that follows the ledger reads them again at its own interval (`renew`), so no
request waits for that. Without such a thread (commands, tests) the caller reads a value that is too old, one
caller at a time; meanwhile the others use the cached one. The very first question waits for an answer. While
the database is unavailable, the last values stay in use.
"""

import logging
import os
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, Generic, TypeVar

from django.db import Error as DatabaseFailure

logger = logging.getLogger(__name__)

Value = TypeVar("Value")

_all: "list[CachedValue[Any]]" = []
"""All cached values, in the order of the modules that define them."""

_renewers: list[Callable[[], object]] = []
"""Other functions that read what this process caches."""

_renewing = False
"""Whether a thread of this process calls `renew`."""

_generation = 0
"""Counts the changes of anything that pages are made of."""


class CachedValue(Generic[Value]):
    """A cached value. `read` makes the new value from the cached one; at first that is `nothing`.

    It is at most `seconds` old if a thread renews it; otherwise `alone`, if that is given. `read` returns the
    very value that it was given if nothing changed. It may handle an unavailable database. `paged` says
    whether pages are made of it.
    """

    def __init__(
        self,
        read: Callable[[Value], Value],
        nothing: Value,
        *,
        seconds: float,
        alone: float | None = None,
        paged: bool = True,
    ) -> None:
        self._read = read
        self._nothing = nothing
        self.seconds = seconds
        self._alone = alone
        self._paged = paged
        self._value = nothing
        self._asked_at: float | None = None
        self._begin()
        # After a fork: keep the parent's value, but not a lock that the parent may hold.
        os.register_at_fork(after_in_child=self._begin)
        _all.append(self)

    def current(self) -> Value:
        """Return the value, however old. Raises `django.db.Error` if nothing was ever read."""
        if self._asked_at is None:
            with self._reading:
                if self._asked_at is None:
                    self._take(self._read(self._value))
        elif not _renewing:
            self.renew(self.seconds if self._alone is None else self._alone)
        return self._value

    def renew(self, seconds: float | None = None) -> None:
        """Read the value again if it is too old and no other thread is reading it."""
        if self._is_old(self.seconds if seconds is None else seconds) and self._reading.acquire(
            blocking=False
        ):
            try:
                self._take(self._read(self._value))
            except DatabaseFailure as error:
                self._keep()
                logger.warning("Continuing with the values in memory: %s", type(error).__name__)
            # The thread that renews must continue, even if something is wrong with one of the tables.
            except Exception:
                self._keep()
                logger.exception("Continuing with the values in memory.")
            finally:
                self._reading.release()

    def forget(self) -> None:
        """Drop the value: the next question reads the database. For tests and commands that cannot wait."""
        self._value, self._asked_at = self._nothing, None

    def pin(self, value: Value) -> None:
        """Keep a value permanently: for tools and tests that run without a database."""
        self._take(value)
        self._asked_at = float("inf")

    def _take(self, value: Value) -> None:
        if value is not self._value:
            self._value = value
            if self._paged:
                moved()
        self._asked_at = monotonic()

    def _keep(self) -> None:
        if self._asked_at is not None:
            self._asked_at = monotonic()

    def _begin(self) -> None:
        self._reading = threading.Lock()

    def _is_old(self, seconds: float) -> bool:
        return self._asked_at is None or monotonic() - self._asked_at >= seconds


def renew() -> None:
    """Read again all values that are due. From now on, no question gets an older value."""
    global _renewing
    _renewing = True
    for one in _all:
        one.renew()
    for renew_it in _renewers:
        try:
            renew_it()
        except DatabaseFailure as error:
            logger.warning("Continuing with the values in memory: %s", type(error).__name__)
        except Exception:
            logger.exception("Continuing with the values in memory.")


def is_renewed() -> bool:
    """Return whether a thread of this process calls `renew`, so no question needs to read."""
    return _renewing


def renewing(read: Callable[[], None]) -> Callable[[], None]:
    """Have `renew` call `read` regularly: a decorator for modules with a cache of their own."""
    _renewers.append(read)
    return read


def forget() -> None:
    """Drop all values. For tests."""
    for one in _all:
        one.forget()


def leave_alone() -> None:
    """Note that no thread calls `renew` any longer: questions read values again that are too old."""
    global _renewing
    _renewing = False


def moved() -> None:
    """Note a change in something that pages are made of."""
    global _generation
    _generation += 1


def generation() -> int:
    """Return a number that differs after each such change, within this process."""
    return _generation


os.register_at_fork(after_in_child=leave_alone)
