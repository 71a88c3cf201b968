"""What a process reads from the database and holds for all its threads, never older than some seconds.

One thread reads. Whoever comes meanwhile goes on with what is held, unless nobody ever asked.
"""

import os
import threading
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Held(Generic[Value]):
    """A value that `read` makes anew of the one that is held; `nothing` is what is held at first.

    `read` answers for the database being away: it returns what is to be held meanwhile.
    """

    def __init__(self, read: Callable[[Value], Value], nothing: Value, *, seconds: float) -> None:
        self._read = read
        self._nothing = nothing
        self.seconds = seconds
        self._value = nothing
        self._asked_at: float | None = None
        self._begin()
        # After a fork: keep what the parent read, but not a lock that it may hold.
        os.register_at_fork(after_in_child=self._begin)

    def current(self) -> Value:
        """Return the value, as old as it may be."""
        if self._is_old() and self._reading.acquire(blocking=self._asked_at is None):
            try:
                if self._is_old():
                    self._value = self._read(self._value)
                    self._asked_at = monotonic()
            finally:
                self._reading.release()
        return self._value

    def forget(self) -> None:
        """Hold nothing: the next question reads the database. For tests and commands that cannot wait."""
        self._value, self._asked_at = self._nothing, None

    def hold(self, value: Value) -> None:
        """Hold a value for good: for tools and tests that ask without a database."""
        self._value, self._asked_at = value, float("inf")

    def _begin(self) -> None:
        self._reading = threading.Lock()

    def _is_old(self) -> bool:
        return self._asked_at is None or monotonic() - self._asked_at >= self.seconds
