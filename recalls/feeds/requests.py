"""Fetches from a feed, with retries: temporary failures are tried again after a while.

Called by `recalls.feeds.syncing`. All requests go through the guarded door of `catalog.fetching`.
"""

import random
import time
from collections.abc import Callable

from catalog.fetching import Fetched, Fetcher, FetchFailed
from recalls.feeds.notices import Unreachable

MIB = 1024 * 1024
LARGEST = 64 * MIB
"""The largest feed is a file of some 16 MB."""

SECONDS = 180
TRIES = 3
FIRST_WAIT = 2.0
LONGEST_WAIT = 60.0
"""Seconds: of one request; of the first pause between two tries, roughly; and of the longest pause."""

IN_PASSING = frozenset(("no_connection", "timed_out", "busy", "unknown_host"))
STATUSES_IN_PASSING = frozenset((429, 500, 502, 503, 504))


class Asker:
    """Fetches the addresses of one feed, one after the other."""

    def __init__(self, fetcher: Fetcher, wait: Callable[[float], None] = time.sleep) -> None:
        self._fetcher = fetcher
        self._wait = wait

    def __call__(
        self, url: str, *, accept: str, etag: str | None = None, last_modified: str | None = None
    ) -> Fetched:
        """Return the answer. Raises `Unreachable`, after some tries if they may help."""
        for tries_left in reversed(range(TRIES)):
            try:
                return self._fetcher.fetch(
                    url,
                    accept=accept,
                    etag=etag,
                    last_modified=last_modified,
                    max_bytes=LARGEST,
                    seconds=SECONDS,
                )
            except FetchFailed as failed:
                pause = _pause(failed, TRIES - tries_left)
                if not tries_left or pause is None:
                    raise Unreachable(failed.detail) from failed
                self._wait(pause)
        raise AssertionError("the last try returns or raises")


def _pause(failed: FetchFailed, tries: int) -> float | None:
    """Return how long to wait before the next try; None if another try is useless."""
    if failed.reason not in IN_PASSING and failed.status not in STATUSES_IN_PASSING:
        return None
    # No answer depends on this random value: it keeps many callers from coming back at once.
    wait = FIRST_WAIT * 2**tries * random.uniform(0.5, 1)
    if failed.retry_after is not None:
        wait = max(wait, failed.retry_after.total_seconds())
    return wait if wait <= LONGEST_WAIT else None
