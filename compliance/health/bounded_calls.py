"""Asking a server that may not answer, without waiting for it.

If a server is stopped in the middle of an answer, database drivers wait for it without limit. So a thread
waits instead, one at a time, and the caller goes on after a moment.
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


class BoundedCall(Generic[Facts]):
    """The result of `call`, cached for some seconds; None if it fails or does not return in time."""

    def __init__(
        self, call: Callable[[], Facts], *, cache_seconds: float = 1, patience_seconds: float = 1
    ) -> None:
        self._call = call
        self._cache_seconds = cache_seconds
        self._patience_seconds = patience_seconds
        self._lock = threading.Lock()
        self._found: _Found[Facts] | None = None
        self._begun: _Begun | None = None
        # After a fork: neither a lock that the parent may have taken nor a thread that only the parent has.
        os.register_at_fork(after_in_child=self.forget)

    def facts(self) -> Facts | None:
        """Return the facts. Never raises, and waits for `patience_seconds` at most."""
        with self._lock:
            now = monotonic()
            if self._found is not None and now - self._found.instant < self._cache_seconds:
                return self._found.facts
            if self._begun is None:
                self._begun = _Begun(now, threading.Event())
                threading.Thread(target=self._run, name=f"look-{self._call.__name__}", daemon=True).start()
            begun = self._begun
        in_time = begun.over.wait(max(0.0, begun.instant + self._patience_seconds - monotonic()))
        found = self._found
        return found.facts if in_time and found is not None else None

    def forget(self) -> None:
        """Empty the cache: the next call looks again."""
        self._lock, self._found, self._begun = threading.Lock(), None, None

    def _run(self) -> None:
        facts = None
        try:
            facts = self._call()
        # Any error means that nothing is known. Its message can contain an address.
        except Exception as error:
            logger.debug("Nothing was found out by %s: %s.", self._call.__name__, type(error).__name__)
        with self._lock:
            begun, self._begun = self._begun, None
            self._found = _Found(facts, monotonic())
        if begun is not None:
            begun.over.set()


class _Begun(NamedTuple):
    """A look that is under way: its start, and an event that is set at its end."""

    instant: float
    over: threading.Event


@dataclass(frozen=True)
class _Found(Generic[Facts]):
    """The result of the last look, and its time."""

    facts: Facts | None
    instant: float
