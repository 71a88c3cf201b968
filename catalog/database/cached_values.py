"""What a process reads from the database and holds for all its threads, never older than some seconds.

In a web process the thread that follows the ledger reads it again by its rhythm (`renew`), so no request
waits for that. Where no such thread runs (commands, tests), whoever asks reads what is too old, one at a
time; others meanwhile go on with what is held. The first question of all waits for an answer. While the
database is away, what was read last goes on serving.
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

_all: "list[Held[Any]]" = []
"""Everything that is held, in the order of the modules that hold it."""

_renewers: list[Callable[[], object]] = []
"""What else reads what this process holds."""

_renewing = False
"""Whether a thread of this process calls `renew`."""

_generation = 0
"""Counts the times at which anything that pages are made of came to be something else."""


class Held(Generic[Value]):
    """A value that `read` makes anew of the one that is held; `nothing` is what is held at first.

    It is at most `seconds` old where a thread renews it; elsewhere `alone`, if that is given. `read` returns
    the very value that it was given where nothing changed. It may answer for the database being away. `paged`
    tells whether pages are made of it.
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
        # After a fork: keep what the parent read, but not a lock that it may hold.
        os.register_at_fork(after_in_child=self._begin)
        _all.append(self)

    def current(self) -> Value:
        """Return the value, as old as it may be. Raises `django.db.Error` where nothing was ever read."""
        if self._asked_at is None:
            with self._reading:
                if self._asked_at is None:
                    self._take(self._read(self._value))
        elif not _renewing:
            self.renew(self.seconds if self._alone is None else self._alone)
        return self._value

    def renew(self, seconds: float | None = None) -> None:
        """Read it again if it is too old and nobody does so already."""
        if self._is_old(self.seconds if seconds is None else seconds) and self._reading.acquire(
            blocking=False
        ):
            try:
                self._take(self._read(self._value))
            except DatabaseFailure as error:
                self._keep()
                logger.warning("Going on from memory: %s", type(error).__name__)
            # The thread that renews must go on, whatever is wrong with one of the tables.
            except Exception:
                self._keep()
                logger.exception("Going on from memory.")
            finally:
                self._reading.release()

    def forget(self) -> None:
        """Hold nothing: the next question reads the database. For tests and commands that cannot wait."""
        self._value, self._asked_at = self._nothing, None

    def hold(self, value: Value) -> None:
        """Hold a value for good: for tools and tests that ask without a database."""
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
    """Read again whatever is due. From now on, no question reads what was read before."""
    global _renewing
    _renewing = True
    for one in _all:
        one.renew()
    for renew_it in _renewers:
        try:
            renew_it()
        except DatabaseFailure as error:
            logger.warning("Going on from memory: %s", type(error).__name__)


def is_renewed() -> bool:
    """Tell whether a thread of this process calls `renew`, so that no question needs to read."""
    return _renewing


def renewing(read: Callable[[], None]) -> Callable[[], None]:
    """Have `read` called by the rhythm of `renew`: a decorator for what holds something in its own way."""
    _renewers.append(read)
    return read


def forget() -> None:
    """Hold nothing of anything. For tests."""
    for one in _all:
        one.forget()


def leave_alone() -> None:
    """Nobody calls `renew` any longer: questions read again what is too old."""
    global _renewing
    _renewing = False


def moved() -> None:
    """Note that something that pages are made of came to be something else."""
    global _generation
    _generation += 1


def generation() -> int:
    """Return what tells two states of what pages are made of apart, within this process."""
    return _generation


os.register_at_fork(after_in_child=leave_alone)
