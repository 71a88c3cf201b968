"""Asking a server that may not answer, without waiting for it.

Database drivers wait for a server that was stopped in the middle of an answer as long as it stays so. So
somebody else waits: a thread, one at a time, while whoever asked goes on after a moment.
"""

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

logger = logging.getLogger(__name__)

Facts = TypeVar("Facts")


class Look(Generic[Facts]):
    """What `look` returns, held for some seconds; None where it fails or does not return in time."""

    def __init__(
        self, look: Callable[[], Facts], *, hold_seconds: float = 1, patience_seconds: float = 1
    ) -> None:
        self._look = look
        self._hold_seconds = hold_seconds
        self._patience_seconds = patience_seconds
        self._lock = threading.Lock()
        self._found: _Found[Facts] | None = None
        self._begun: _Begun | None = None
        # After a fork: neither a lock that the parent may hold nor a thread that only the parent has.
        os.register_at_fork(after_in_child=self.forget)

    def facts(self) -> Facts | None:
        """Return the facts. Never raises, and waits for `patience_seconds` at most."""
        with self._lock:
            now = monotonic()
            if self._found is not None and now - self._found.instant < self._hold_seconds:
                return self._found.facts
            if self._begun is None:
                self._begun = _Begun(now, threading.Event())
                threading.Thread(target=self._run, name=f"look-{self._look.__name__}", daemon=True).start()
            begun = self._begun
        in_time = begun.over.wait(max(0.0, begun.instant + self._patience_seconds - monotonic()))
        found = self._found
        return found.facts if in_time and found is not None else None

    def forget(self) -> None:
        """Hold nothing: the next question looks again."""
        self._lock, self._found, self._begun = threading.Lock(), None, None

    def _run(self) -> None:
        facts = None
        try:
            facts = self._look()
        # Whatever it is: it means that nothing is known. Its message can hold an address.
        except Exception as error:
            logger.debug("Nothing was found out by %s: %s.", self._look.__name__, type(error).__name__)
        with self._lock:
            begun, self._begun = self._begun, None
            self._found = _Found(facts, monotonic())
        if begun is not None:
            begun.over.set()


class _Begun(NamedTuple):
    """A look that is under way: since when, and what is set when it is over."""

    instant: float
    over: threading.Event


@dataclass(frozen=True)
class _Found(Generic[Facts]):
    """What the last look found, and when."""

    facts: Facts | None
    instant: float
